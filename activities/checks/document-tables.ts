import { type ArtifactEntry } from '../../core/evidence-view';
import { type Locator } from '../../core/locator';
import { type EvidenceReader } from '../evidence/port';
import { readableSegments } from './lookup';

export interface DocumentCell {
  readonly text: string;
  readonly locator: Locator;
}

/** A table of a document: rows of cells by column, columns from 1. */
export interface DocumentTable {
  readonly rows: readonly ReadonlyMap<number, DocumentCell>[];
}

/** Tables of a document, web page, presentation or Markdown file; `undefined` for formats whose tables we do not read. */
export async function tablesOf(
  evidence: EvidenceReader,
  entry: ArtifactEntry,
): Promise<DocumentTable[] | undefined> {
  const { format } = entry.rendered;
  if (format === 'docx' || format === 'pptx') return placedTables(evidence, entry);
  if (format === 'html') {
    const tables = await placedTables(evidence, entry);
    // Its scripts, which we do not run, may make tables.
    return tables.length === 0 && entry.rendered.counts['scripts'] !== undefined
      ? undefined
      : tables;
  }
  if (format !== 'markdown' && format !== 'text') return undefined;
  const tables = await markdownTables(evidence, entry);
  // Text of another kind, such as HTML, has tables in ways of its own.
  return format === 'text' && tables.length === 0 ? undefined : tables;
}

/** Tables whose cells have places of their own. */
async function placedTables(
  evidence: EvidenceReader,
  entry: ArtifactEntry,
): Promise<DocumentTable[]> {
  const tables = new Map<string, Map<number, Map<number, DocumentCell>>>();
  for (const { locator, text } of await readableSegments(evidence, entry)) {
    if (locator.kind !== 'table' && locator.kind !== 'slide') continue;
    if (locator.row === undefined || locator.column === undefined) continue;
    const name = tableName(locator);
    const table = tables.get(name) ?? new Map<number, Map<number, DocumentCell>>();
    const row = table.get(locator.row) ?? new Map<number, DocumentCell>();
    const earlier = row.get(locator.column);
    row.set(locator.column, { locator, text: earlier ? `${earlier.text}\n${text}` : text });
    table.set(locator.row, row);
    tables.set(name, table);
  }
  return [...tables.values()].map((table) => ({
    rows: [...table].sort(([left], [right]) => left - right).map(([, row]) => row),
  }));
}

/** What tells the tables of a file apart. */
function tableName(locator: Extract<Locator, { kind: 'table' | 'slide' }>): string {
  if (locator.kind === 'table') return String(locator.table);
  return `${locator.slide}/${locator.shape ?? 0}`;
}

/** Pipe tables: a row, a line of dashes, rows; the line of dashes is no row. */
async function markdownTables(
  evidence: EvidenceReader,
  entry: ArtifactEntry,
): Promise<DocumentTable[]> {
  const tables: DocumentTable[] = [];
  let rows: ReadonlyMap<number, DocumentCell>[] = [];
  let last = -1;
  const flush = (): void => {
    if (rows.length > 0) tables.push({ rows });
    rows = [];
  };
  for (const { locator, text } of await readableSegments(evidence, entry)) {
    if (locator.kind !== 'lines') continue;
    if (!text.includes('|') || locator.from !== last + 1) flush();
    if (!text.includes('|')) continue;
    last = locator.from;
    if (/^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/u.test(text)) continue;
    rows.push(new Map(splitRow(text).map((cell, at) => [at + 1, { text: cell, locator }])));
  }
  flush();
  return tables;
}

function splitRow(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/u, '')
    .replace(/(?<!\\)\|$/u, '')
    .split(/(?<!\\)\|/u)
    .map((cell) =>
      cell
        .replaceAll('\\|', '|')
        .replace(/[*_`]{1,3}/gu, '')
        .trim(),
    );
}
