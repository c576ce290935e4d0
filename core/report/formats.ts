import { type OutputFormat } from '../task';

const FORMAT_BY_EXTENSION: ReadonlyMap<string, OutputFormat> = new Map(
  Object.entries({
    docx: 'docx',
    xlsx: 'xlsx',
    pptx: 'pptx',
    pdf: 'pdf',
    md: 'markdown',
    markdown: 'markdown',
    csv: 'csv',
    png: 'image',
    jpg: 'image',
    jpeg: 'image',
    svg: 'image',
    txt: 'text',
  }),
);

/** Formats of files by their extensions, sorted, each once. Anything else a program could read is `code`. */
export function formatsOf(paths: readonly string[]): OutputFormat[] {
  const formats = paths.map((path) => {
    const extension = /\.([^./]+)$/u.exec(path)?.[1]?.toLowerCase() ?? '';
    return FORMAT_BY_EXTENSION.get(extension) ?? 'code';
  });
  return [...new Set(formats)].sort();
}
