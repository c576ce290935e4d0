import { z } from 'zod';
import { createHash } from 'node:crypto';
import { requireArtifact, statusNote } from './lookup';
import { defineTool, ToolProblem } from './tool';

/** Office programs show what is cut there; so it is no fault of the file. */
const SHEET_NOTE =
  ' The image of a sheet ends at its last filled row and column: words that run over that edge are cut in the image only.';

export const viewPage = defineTool({
  name: 'view_page',
  description:
    'Shows a page of a file as an image, which follows in the next message. For layout, charts, pictures and whatever text cannot tell.',
  parameters: z.strictObject({
    artifact: z.string(),
    page: z.int().describe('From 1; a picture file has page 1'),
  }),
  handle: async (input, context) => {
    const entry = requireArtifact(context, input.artifact);
    if (context.imagesLeft <= 0)
      throw new ToolProblem(
        'no page image is left in this session; decide with what you have seen',
      );
    const image = await context.desk.reader.pageImage(entry.artifact, input.page);
    if (image === undefined)
      throw new ToolProblem(
        `no image of page ${input.page}: the file has ${entry.rendered.pages.length} page images.${statusNote(entry)}`,
      );
    const sha256 = createHash('sha256').update(image).digest('hex');
    return {
      text: `Page ${input.page} follows as an image (JPEG, sha256 ${sha256}).${entry.rendered.format === 'xlsx' ? SHEET_NOTE : ''}`,
      page: { artifact: entry.artifact, page: input.page, sha256 },
    };
  },
});
