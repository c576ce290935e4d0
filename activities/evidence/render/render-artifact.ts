import { readFile, stat } from 'node:fs/promises';
import { type ArtifactFormat, type ArtifactStatus } from '../../../core/evidence-view';
import { DOCUMENT_PAGES, readDocx } from './docx/render-docx';
import { RENDER_LIMITS } from './limits';
import { addOfficeMetadata } from './metadata';
import { type OfficePages, type OfficeTools } from './office';
import { type OfficePackage, messageOf, openPackage } from './package';
import { renderPages } from './pages';
import { contentTypes } from './relationships';
import { addOcr, addPdfFacts, addPdfText, readPdfText } from './render-pdf';
import { readImage } from './render-image';
import { readCsv, readText } from './render-text';
import { Rendering, Unreadable } from './rendering';
import { sniffFile } from './sniff';
import { noteHiddenContent } from './note-hidden-content';
import { readXlsx, refuseBinaryWorkbook, workbookPages } from './xlsx/render-xlsx';

export interface ArtifactResult {
  readonly rendering: Rendering;
  readonly status: ArtifactStatus;
  readonly reason?: string;
}

/** What an artifact can be rendered with; without tools there are no pages, no PDFs and no recalculation. */
export interface RenderTools {
  readonly office: OfficeTools;
  /** Writable folder for intermediate files. */
  readonly scratch: string;
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
    await readByContent(sourcePath, named, tools, started, pending);
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

async function readByContent(
  sourcePath: string,
  named: ArtifactFormat,
  tools: RenderTools | undefined,
  started: (format: ArtifactFormat) => Rendering,
  pending: () => Promise<void>,
): Promise<void> {
  const { size } = await stat(sourcePath);
  if (size > RENDER_LIMITS.fileBytes)
    throw new Unreadable('refused', `${size} bytes, over ${RENDER_LIMITS.fileBytes}`);
  const type = await sniffFile(sourcePath, named);
  switch (type.kind) {
    case 'empty': {
      readEmpty(named, started);
      return;
    }
    case 'unsupported':
      started('other');
      throw new Unreadable('unsupported', type.reason);
    case 'encrypted-office':
      throw new Unreadable('encrypted', 'the office file needs a password');
    case 'text': {
      const rendering = started(type.format);
      const bytes = await readFile(sourcePath);
      if (type.format === 'csv') readCsv(bytes, rendering);
      else readText(bytes, rendering);
      return;
    }
    case 'image':
      return readImage(await readFile(sourcePath), started('image'));
    case 'pdf':
      return readPdf(sourcePath, started('pdf'), needed(tools), pending);
    case 'package':
      return readPackage(sourcePath, tools, started, pending);
  }
}

function needed(tools: RenderTools | undefined): RenderTools {
  if (!tools) throw new Unreadable('unsupported', 'this format needs the renderer container');
  return tools;
}

/** An empty text is a text; an empty file of another kind is broken. */
function readEmpty(named: ArtifactFormat, started: (format: ArtifactFormat) => Rendering): void {
  if (named !== 'csv' && named !== 'markdown' && named !== 'text' && named !== 'other')
    throw new Unreadable('corrupt', 'the file is empty');
  readText(new Uint8Array(), started(named === 'other' ? 'text' : named));
}

async function readPdf(
  sourcePath: string,
  rendering: Rendering,
  tools: RenderTools,
  pending: () => Promise<void>,
): Promise<void> {
  const pages = await readPdfText(sourcePath);
  rendering.counts['pages'] = pages.length;
  await pending();
  await addPages(sourcePath, rendering, tools);
  await addPdfText(sourcePath, pages, rendering);
  await addPdfFacts(sourcePath, rendering);
  await pending();
  await addOcr(sourcePath, pages, rendering);
}

async function readPackage(
  sourcePath: string,
  tools: RenderTools | undefined,
  started: (format: ArtifactFormat) => Rendering,
  pending: () => Promise<void>,
): Promise<void> {
  const parts = await openPackage(sourcePath);
  try {
    const kind = await packageKind(parts);
    if (kind.format === undefined) {
      started('other');
      throw new Unreadable('unsupported', kind.reason);
    }
    const rendering = started(kind.format);
    if (kind.format === 'docx') await readDocx(parts, rendering);
    else await readXlsx(sourcePath, parts, rendering, tools?.office);
    await addOfficeMetadata(parts, rendering);
    await pending();
    const pages =
      kind.format === 'docx' ? DOCUMENT_PAGES : workbookPages(rendering.workbook?.sheets ?? []);
    if (tools) await addOfficePages(sourcePath, pages, rendering, tools);
    else rendering.truncate('page images need the renderer container');
  } finally {
    parts.close();
  }
}

type PackageKind =
  { readonly format: 'xlsx' | 'docx' } | { readonly format: undefined; readonly reason: string };

/** The kind of an office package by its content types, whatever its name. */
async function packageKind(parts: OfficePackage): Promise<PackageKind> {
  if (!parts.has('[Content_Types].xml')) {
    const opened = parts.has('mimetype') ? 'an OpenDocument file' : 'a zip archive';
    return { format: undefined, reason: `${opened}; its content is not rendered` };
  }
  refuseBinaryWorkbook(parts);
  const types = [...(await contentTypes(parts)).values()];
  const has = (pattern: RegExp): boolean => types.some((type) => pattern.test(type));
  if (
    has(
      /spreadsheetml\.(?:sheet|template)\.main\+xml$|excel\.(?:sheet|template)\.macroEnabled\.main\+xml$/u,
    )
  )
    return { format: 'xlsx' };
  if (
    has(
      /wordprocessingml\.(?:document|template)\.main\+xml$|word\.(?:document|template)\.macroEnabledTemplate\.main\+xml$|word\.document\.macroEnabled\.main\+xml$/u,
    )
  )
    return { format: 'docx' };
  return {
    format: undefined,
    reason: has(/presentationml/u)
      ? 'a presentation; its slides are not rendered'
      : 'an office package of an unknown kind',
  };
}

async function addOfficePages(
  sourcePath: string,
  pages: OfficePages,
  rendering: Rendering,
  tools: RenderTools,
): Promise<void> {
  if (pages.note !== undefined) rendering.facts['pagesNote'] = pages.note;
  try {
    const pdf = await tools.office.convert(sourcePath, {
      extension: pages.extension,
      to: 'pdf',
      filter: pages.filter,
    });
    await renderPages(pdf, tools.scratch, rendering, pages.sources);
  } catch (error) {
    rendering.truncate(`no page images: ${messageOf(error)}`);
  }
}

async function addPages(pdfPath: string, rendering: Rendering, tools: RenderTools): Promise<void> {
  try {
    await renderPages(pdfPath, tools.scratch, rendering);
  } catch (error) {
    rendering.truncate(`no page images: ${messageOf(error)}`);
  }
}
