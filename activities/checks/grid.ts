import { parse } from 'csv-parse/sync';
import { cellName, parseCell } from '../../core/cell-range';
import { type ArtifactEntry, type CellFact, type SheetFact } from '../../core/evidence-view';
import { type Locator } from '../../core/locator';
import { type EvidenceReader } from '../evidence/port';
import { requireDeliverable } from './lookup';
import { Decided, notApplicable } from './outcome';
import { parseNumber } from './values';

/** A sheet, or a CSV file as one. Rows and columns start at 1. */
export interface Grid {
  readonly name: string;
  readonly rowNumbers: readonly number[];
  cell(row: number, column: number): CellFact | undefined;
  row(row: number): readonly (readonly [column: number, cell: CellFact])[];
  /** False where not all cells are listed. */
  readonly isComplete: boolean;
  locate(row: number, column: number): Locator;
}

/** Ends the check as not applicable when the file is no workbook, or no visible sheet has that name. */
export async function requireGrid(
  evidence: EvidenceReader,
  file: string,
  sheetName: string,
): Promise<Grid> {
  const entry = requireDeliverable(evidence, file);
  if (entry.rendered.format === 'csv') return csvGrid(evidence, entry, sheetName);
  const workbook = await evidence.workbook(entry.artifact);
  if (!workbook)
    throw new Decided(notApplicable(`results/${file} is no workbook but ${entry.rendered.format}`));
  const sheet = findSheet(workbook.sheets, sheetName);
  if (!sheet) {
    const names = workbook.sheets.map(({ name }) => name).join(', ');
    throw new Decided(notApplicable(`results/${file} has no sheet ${sheetName}; it has ${names}`));
  }
  if (sheet.state !== 'visible')
    throw new Decided(notApplicable(`sheet ${sheet.name} of results/${file} is hidden`));
  return sheetGrid(entry.artifact, sheet);
}

/** `"*"` is the first visible sheet; other names match exactly. */
export function findSheet(sheets: readonly SheetFact[], name: string): SheetFact | undefined {
  return name === '*'
    ? (sheets.find(({ state }) => state === 'visible') ?? sheets[0])
    : sheets.find((sheet) => sheet.name.normalize('NFC') === name.normalize('NFC'));
}

function sheetGrid(artifact: string, sheet: SheetFact): Grid {
  const rows = new Map<number, Map<number, CellFact>>();
  for (const cell of sheet.cells) {
    const place = parseCell(cell.ref);
    if (!place || (cell.shown === '' && cell.formula === undefined && cell.value === null))
      continue;
    const row = rows.get(place.row) ?? new Map<number, CellFact>();
    row.set(place.column, cell);
    rows.set(place.row, row);
  }
  return {
    ...gridOf(sheet.name, rows, sheet.cells.length >= sheet.cellCount),
    locate: (row, column) => ({
      artifact,
      kind: 'cells',
      sheet: sheet.name,
      range: cellName(row, column),
    }),
  };
}

async function csvGrid(
  evidence: EvidenceReader,
  entry: ArtifactEntry,
  sheetName: string,
): Promise<Grid> {
  if (sheetName !== '*')
    throw new Decided(notApplicable(`${entry.artifact} is CSV and has no sheet ${sheetName}`));
  const { facts } = entry.rendered;
  const delimiter = facts['delimiter'] === 'tab' ? '\t' : String(facts['delimiter'] ?? ',');
  const lines: string[] = [];
  for (const { locator, text } of await evidence.segments(entry.artifact))
    if (locator.kind === 'lines') lines[locator.from - 1] = text;
  const text = Array.from(lines, (line: string | undefined) => line ?? '').join('\n');
  const rows = new Map<number, Map<number, CellFact>>();
  const lineOfRow: number[] = [];
  parse(text, {
    delimiter,
    bom: true,
    relaxColumnCount: true,
    relaxQuotes: true,
    skipEmptyLines: true,
    skipRecordsWithError: true,
    onRecord: (record: string[], context) => {
      const row = lineOfRow.push(context.lines);
      rows.set(row, new Map(record.flatMap((field, at) => csvCell(field, row, at + 1))));
      return null;
    },
  });
  return {
    ...gridOf('*', rows, facts['textTruncated'] !== true),
    locate: (row) => {
      const line = lineOfRow[row - 1] ?? row;
      return { artifact: entry.artifact, kind: 'lines', from: line, to: line };
    },
  };
}

/** A field that reads as a number is one; identifiers with leading zeros stay text as well, by what is shown. */
function csvCell(field: string, row: number, column: number): [number, CellFact][] {
  const text = field.trim();
  if (text === '') return [];
  const number = /^0\d/u.test(text) ? undefined : parseNumber(text);
  return [[column, { ref: cellName(row, column), value: number ?? text, shown: text }]];
}

function gridOf(
  name: string,
  rows: ReadonlyMap<number, ReadonlyMap<number, CellFact>>,
  isComplete: boolean,
): Omit<Grid, 'locate'> {
  return {
    name,
    isComplete,
    rowNumbers: [...rows.keys()].sort((left, right) => left - right),
    cell: (row, column) => rows.get(row)?.get(column),
    row: (row) => [...(rows.get(row) ?? [])].sort(([left], [right]) => left - right),
  };
}
