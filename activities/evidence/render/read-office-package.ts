import { addOfficePages } from './add-pages';
import { DOCUMENT_PAGES, readDocx } from './docx/render-docx';
import { addOfficeMetadata } from './metadata';
import { type OfficePages } from './office';
import { type OfficePackage, openPackage } from './package';
import { presentationPages, readPptx } from './pptx/render-pptx';
import { checkSlidePages } from './pptx/slide-pages';
import { contentTypes } from './relationships';
import { type RenderContext, type RenderTools } from './render-context';
import { type Rendering, Unreadable } from './rendering';
import { withoutLinks } from './without-links';
import { isLargeSheet, withPrintAreas } from './xlsx/print-areas';
import { readXlsx, workbookPages } from './xlsx/render-xlsx';

/** A workbook, document or presentation in Office Open XML, whatever its name. Throws `Unreadable`. */
export async function readOfficePackage(sourcePath: string, context: RenderContext): Promise<void> {
  const parts = await openPackage(sourcePath);
  try {
    const format = await packageFormat(parts);
    if (format === undefined) {
      context.started('other');
      throw new Unreadable('unsupported', 'an office package of an unknown kind');
    }
    const rendering = context.started(format);
    const planned = await readers[format](sourcePath, parts, rendering, context);
    await addOfficeMetadata(parts, rendering);
    await context.pending();
    const { tools } = context;
    if (!tools) rendering.truncate('page images need the renderer container');
    else {
      const harmless = await withoutLinks(sourcePath, parts, tools.scratch);
      const { path, pages } = await drawable(harmless, planned, rendering, tools);
      const pdf = await addOfficePages(path, pages, rendering, tools);
      if (format === 'pptx' && pdf !== undefined)
        await checkSlidePages(pdf, pages.sources, rendering, tools.scratch);
    }
  } finally {
    parts.close();
  }
}

/** What is drawn: of a workbook with large sheets, a copy that prints a part of each. */
async function drawable(
  path: string,
  pages: OfficePages,
  { workbook }: Rendering,
  { scratch }: RenderTools,
): Promise<{ readonly path: string; readonly pages: OfficePages }> {
  if (!workbook?.sheets.some(isLargeSheet)) return { path, pages };
  const copy = await withPrintAreas(path, workbook.sheets, scratch);
  return copy === undefined
    ? { path, pages }
    : { path: copy, pages: workbookPages(workbook, true) };
}

type OfficeFormat = 'xlsx' | 'docx' | 'pptx';

/** Reads a file of that format and tells how it becomes pages. */
const readers: Readonly<
  Record<
    OfficeFormat,
    (
      sourcePath: string,
      parts: OfficePackage,
      rendering: Rendering,
      context: RenderContext,
    ) => Promise<OfficePages>
  >
> = {
  docx: async (_sourcePath, parts, rendering) => {
    await readDocx(parts, rendering);
    return DOCUMENT_PAGES;
  },
  xlsx: async (sourcePath, parts, rendering, { tools, pending }) => {
    await readXlsx(sourcePath, parts, rendering, tools?.office, pending);
    return workbookPages(rendering.workbook ?? { sheets: [] });
  },
  pptx: async (_sourcePath, parts, rendering) =>
    presentationPages(await readPptx(parts, rendering)),
};

/** Content types of the main parts: plain, template, slide show, with macros or without. */
const MAIN_TYPES: Readonly<Record<OfficeFormat, RegExp>> = {
  xlsx: /spreadsheetml\.(?:sheet|template)\.main\+xml$|excel\.(?:sheet|template)\.macroEnabled\.main\+xml$/u,
  docx: /wordprocessingml\.(?:document|template)\.main\+xml$|word\.(?:document\.macroEnabled|template\.macroEnabledTemplate)\.main\+xml$/u,
  pptx: /presentationml\.(?:presentation|slideshow|template)\.main\+xml$|powerpoint\.(?:presentation|slideshow|template)\.macroEnabled\.main\+xml$/u,
};

/** By the content types of the package, whatever the file's name. */
async function packageFormat(parts: OfficePackage): Promise<OfficeFormat | undefined> {
  const types = [...(await contentTypes(parts)).values()];
  return (['xlsx', 'docx', 'pptx'] as const).find((format) =>
    types.some((type) => MAIN_TYPES[format].test(type)),
  );
}
