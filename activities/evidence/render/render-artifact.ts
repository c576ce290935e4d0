import { readFile, stat } from 'node:fs/promises';
import { type ArtifactFormat, type ArtifactStatus } from '../../../core/evidence-view';
import { readArchive } from './archive/read-archive';
import { readPicture } from './image/read-picture';
import { readLegacy } from './legacy/read-legacy';
import { RENDER_LIMITS } from './limits';
import { noteHiddenContent } from './note-hidden-content';
import { messageOf } from './package';
import { readOutlook } from './outlook/read-outlook';
import { readPdf } from './pdf/read-pdf';
import { readPackage } from './read-package';
import { readTextual } from './read-textual';
import { type RenderContext, type RenderTools } from './render-context';
import { Rendering, Unreadable } from './rendering';
import { sniffFile } from './sniff';

export interface ArtifactResult {
  readonly rendering: Rendering;
  readonly status: ArtifactStatus;
  readonly reason?: string;
}

/**
 * Reads one file by its content. Whatever is wrong with it ends as a status with a reason.
 *
 * @param checkpoint called with what is known so far before slow work begins
 */
export async function renderArtifact(
  sourcePath: string,
  named: ArtifactFormat,
  tools: RenderTools | undefined,
  checkpoint: (result: ArtifactResult) => Promise<void> = () => Promise.resolve(),
): Promise<ArtifactResult> {
  let rendering = new Rendering(named);
  const started = (format: ArtifactFormat): Rendering => {
    rendering = new Rendering(format);
    if (format !== named && named !== 'other') {
      rendering.facts['namedAs'] = named;
      rendering.warn(`the name says ${named}, the content is ${format}`);
    }
    return rendering;
  };
  const pending = (): Promise<void> =>
    checkpoint({
      rendering,
      status: 'truncated',
      reason: 'rendering ended before its pages were done',
    });
  try {
    await readByContent(sourcePath, { named, tools, started, pending });
    noteHiddenContent(rendering);
    const reason = rendering.truncations.join('; ');
    return reason === ''
      ? { rendering, status: 'rendered' }
      : { rendering, status: 'truncated', reason };
  } catch (error) {
    if (error instanceof Unreadable)
      return { rendering, status: error.status, reason: error.reason };
    return { rendering, status: 'corrupt', reason: `cannot be read: ${messageOf(error)}` };
  }
}

async function readByContent(sourcePath: string, context: RenderContext): Promise<void> {
  const { named, started } = context;
  const { size } = await stat(sourcePath);
  if (size > RENDER_LIMITS.fileBytes)
    throw new Unreadable('refused', `${size} bytes, over ${RENDER_LIMITS.fileBytes}`);
  const type = await sniffFile(sourcePath, named);
  switch (type.kind) {
    case 'empty':
      return readEmpty(named, context);
    case 'unsupported':
      started('other');
      throw new Unreadable('unsupported', type.reason);
    case 'broken':
      throw new Unreadable('corrupt', type.reason);
    case 'encrypted-office':
      throw new Unreadable('encrypted', 'the office file needs a password');
    case 'text':
      return readTextual(await readFile(sourcePath), type.format, context);
    case 'image':
      return readPicture(sourcePath, type.image, context);
    case 'outlook':
      return readOutlook(await readFile(sourcePath), started('email'));
    case 'legacy':
      return readLegacy(sourcePath, type.legacy, context);
    case 'archive':
      return readArchive(sourcePath, type.archive, context);
    case 'pdf':
      return readPdf(sourcePath, context);
    case 'package':
      return readPackage(sourcePath, context);
  }
}

/** An empty text is a text; an empty file of another kind is broken. */
function readEmpty(named: ArtifactFormat, context: RenderContext): Promise<void> {
  const isText = ['csv', 'markdown', 'html', 'yaml', 'code', 'text', 'other'].includes(named);
  if (!isText) throw new Unreadable('corrupt', 'the file is empty');
  return readTextual(new Uint8Array(), named === 'other' ? 'text' : named, context);
}
