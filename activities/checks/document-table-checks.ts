import { plural } from '../../core/plural';
import { type Check } from '../../core/rubric';
import { type EvidenceReader } from '../evidence/port';
import { type DocumentCell, type DocumentTable, tablesOf } from './document-tables';
import { foldName, foldText, occurs } from './fold';
import { requireDeliverable } from './lookup';
import { Decided, met, notApplicable, unmet } from './outcome';
import { type CheckOutcome } from './port';
import { withoutUnit } from './table';

type CheckOf<Kind extends Check['kind']> = Extract<Check, { readonly kind: Kind }>;

/** Rows at the top of a table that may hold its headers: a title row may stand above them. */
const HEADER_ROWS = 3;

interface FoundTable {
  readonly columns: readonly number[];
  readonly header: DocumentCell;
  readonly body: readonly ReadonlyMap<number, DocumentCell>[];
}

/**
 * Met by a table with all headers and enough rows. A document without tables, or with none that has at least
 * half of the headers, is unmet; other words for some headers are left to the judge.
 */
export async function checkTableExists(
  { file, headers, minRows = 1 }: CheckOf<'table-exists'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const tables = await requireTables(evidence, file);
  const found = tables.flatMap((table) => findTable(table, headers) ?? []);
  const best = found.reduce<FoundTable | undefined>(
    (most, table) => (table.body.length > (most?.body.length ?? -1) ? table : most),
    undefined,
  );
  if (!best) {
    const share = Math.max(0, ...tables.map((table) => shareOfHeaders(table, headers)));
    const words = `no table of results/${file} has the headers ${headers.join(', ')}`;
    return share >= 0.5 ? notApplicable(words) : unmet(words);
  }
  const citation = { locator: best.header.locator, quote: best.header.text };
  return best.body.length >= minRows
    ? met(`a table with these headers has ${plural(best.body.length, 'row')}`, citation)
    : unmet(`the table has ${plural(best.body.length, 'row')}, expected ${minRows}`, citation);
}

/**
 * Looks the row up by its key, as the whole cell or as a word of it (`Clause 5.2` for `5.2`). Without a
 * table of these headers the judge decides; a table without the key is unmet.
 */
export async function checkTableRowContains(
  check: CheckOf<'table-row-contains'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const tables = await requireTables(evidence, check.file);
  const found = tables.flatMap((table) => findTable(table, [check.keyColumn, check.column]) ?? []);
  if (found.length === 0)
    return tables.length === 0
      ? unmet(`results/${check.file} has no table`)
      : notApplicable(
          `no table of results/${check.file} has ${check.keyColumn} and ${check.column}`,
        );
  const rows = rowsOfKey(found, check.key);
  if (rows.length === 0) return unmet(`no row has ${check.key} under ${check.keyColumn}`);
  const fold = (text: string): string =>
    check.ignoreCase === true ? foldText(text).toLowerCase() : foldText(text);
  for (const cell of rows) {
    const words = check.any.find((each) => occurs(fold(cell?.text ?? ''), fold(each)));
    if (cell && words !== undefined)
      return met(`the row ${check.key} says "${words}" under ${check.column}`, {
        locator: cell.locator,
        quote: words,
      });
  }
  const [first] = rows;
  const citations = first ? [{ locator: first.locator, quote: first.text }] : [];
  return unmet(
    `the row ${check.key} says none of "${check.any.join('", "')}" under ${check.column}`,
    ...citations,
  );
}

/** The asked column's cell of each row with that key; whole cells before words of cells. */
function rowsOfKey(tables: readonly FoundTable[], key: string): (DocumentCell | undefined)[] {
  const wanted = foldName(key);
  const rows = tables.flatMap(({ body, columns: [keyColumn = 0, column = 0] }) =>
    body.map((row) => ({ key: foldName(row.get(keyColumn)?.text ?? ''), cell: row.get(column) })),
  );
  const exact = rows.filter((row) => row.key === wanted);
  const chosen = exact.length > 0 ? exact : rows.filter((row) => occurs(row.key, wanted));
  return chosen.map(({ cell }) => cell);
}

async function requireTables(evidence: EvidenceReader, file: string): Promise<DocumentTable[]> {
  const entry = requireDeliverable(evidence, file);
  const tables = await tablesOf(evidence, entry);
  if (!tables)
    throw new Decided(notApplicable(`tables of ${entry.rendered.format} files are not read`));
  return tables;
}

function findTable(table: DocumentTable, headers: readonly string[]): FoundTable | undefined {
  for (const [index, row] of table.rows.slice(0, HEADER_ROWS).entries()) {
    const columns = headers.map((header) => findColumn(row, header));
    const header = row.get(columns[0] ?? 0);
    if (!columns.every((column) => column !== undefined) || !header) continue;
    const body = table.rows
      .slice(index + 1)
      .filter((each) => [...each.values()].some(({ text }) => text.trim() !== ''));
    return { columns, header, body };
  }
  return undefined;
}

function findColumn(row: ReadonlyMap<number, DocumentCell>, header: string): number | undefined {
  const wanted = foldName(header);
  const cells = [...row];
  return (cells.find(([, { text }]) => foldName(text) === wanted) ??
    cells.find(([, { text }]) => withoutUnit(text) === wanted))?.[0];
}

function shareOfHeaders(table: DocumentTable, headers: readonly string[]): number {
  const shares = table.rows
    .slice(0, HEADER_ROWS)
    .map((row) => headers.filter((header) => findColumn(row, header) !== undefined).length);
  return Math.max(0, ...shares) / Math.max(1, headers.length);
}
