import { type ArtifactFormat } from '../../core/evidence-view';

const BY_EXTENSION: Readonly<Record<string, ArtifactFormat>> = {
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  xltx: 'xlsx',
  docx: 'docx',
  docm: 'docx',
  dotx: 'docx',
  pdf: 'pdf',
  csv: 'csv',
  tsv: 'csv',
  md: 'markdown',
  markdown: 'markdown',
  txt: 'text',
  log: 'text',
  json: 'text',
  yaml: 'text',
  yml: 'text',
  xml: 'text',
  html: 'text',
  htm: 'text',
  py: 'text',
  js: 'text',
  ts: 'text',
  sql: 'text',
  r: 'text',
  sh: 'text',
  tex: 'text',
  ipynb: 'text',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
};

/** The format that a file's name promises; what the file is, the renderer finds out. */
export function formatOfName(path: string): ArtifactFormat {
  const extension = /\.([^./]+)$/u.exec(path)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION[extension] ?? 'other';
}
