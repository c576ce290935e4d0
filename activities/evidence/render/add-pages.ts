import { type OfficePages } from './office';
import { messageOf } from './package';
import { renderPages } from './pages';
import { type RenderTools } from './render-context';
import { type Rendering } from './rendering';

/**
 * Page images of an office file by way of LibreOffice's PDF, whose path it gives; where there are none, the record
 * says why.
 */
export async function addOfficePages(
  sourcePath: string,
  pages: OfficePages,
  rendering: Rendering,
  tools: RenderTools,
): Promise<string | undefined> {
  if (pages.note !== undefined) rendering.facts['pagesNote'] = pages.note;
  try {
    const pdf = await tools.office.convert(sourcePath, {
      extension: pages.extension,
      to: 'pdf',
      filter: pages.filter,
      ...(pages.recalculate === true ? { recalculate: true } : {}),
    });
    await renderPages(pdf, tools.scratch, rendering, pages.sources);
    return pdf;
  } catch (error) {
    rendering.truncate(`no page images: ${messageOf(error)}`);
    return undefined;
  }
}

/** Page images of a PDF. */
export async function addPages(
  pdfPath: string,
  rendering: Rendering,
  tools: RenderTools,
): Promise<void> {
  try {
    await renderPages(pdfPath, tools.scratch, rendering);
  } catch (error) {
    rendering.truncate(`no page images: ${messageOf(error)}`);
  }
}
