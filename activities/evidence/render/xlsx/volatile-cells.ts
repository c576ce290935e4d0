import { type CellRange, parseCell, parseRange } from '../../../../core/cell-range';
import { type SheetFact, type WorkbookFacts } from '../../../../core/workbook-facts';
import { isVolatile, namesIn, referencesOf } from './formula';

/** Formulas that are looked through, and passes over them, before the answer is "not known". */
const MAX_WORK = 30_000_000;
const MAX_PASSES = 40;
const MAX_CHARACTERS = 20_000_000;

export interface VolatileCells {
  has(sheet: string, ref: string): boolean;
  /** False where dependencies were too many to follow: then no value can be called stale. */
  readonly isComplete: boolean;
}

const NOT_KNOWN: VolatileCells = { has: () => false, isComplete: false };

interface Reader {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
  readonly ranges: readonly { readonly sheet: string; readonly range: CellRange }[];
}

/**
 * Formula cells that call a function of the moment, and those that read such a cell, to any depth, also through
 * defined names, tables and arrays.
 */
export function volatileCells(
  sheets: readonly SheetFact[],
  names: WorkbookFacts['definedNames'],
): VolatileCells {
  const found = new CellSet();
  // Most workbooks have none, and then nothing needs to be followed.
  const hasAny =
    names.some(({ refersTo }) => isVolatile(refersTo)) ||
    sheets.some(({ cells }) =>
      cells.some(({ formula }) => formula !== undefined && isVolatile(formula)),
    );
  if (!hasAny) return { has: () => false, isComplete: true };
  const meanings = new Names(sheets, names);
  const readers: Reader[] = [];
  let characters = 0;
  for (const { name: sheet, cells } of sheets)
    for (const { ref, formula, array } of cells) {
      const place = formula === undefined ? undefined : parseCell(ref);
      if (!place || formula === undefined) continue;
      if ((characters += formula.length) > MAX_CHARACTERS) return NOT_KNOWN;
      const read = meanings.readsOf(formula, sheet);
      if (read.isVolatile) {
        found.add(sheet, place.row, place.column);
        // What an array formula fills has no formula of its own.
        for (const each of filled(array?.range)) found.add(sheet, each.row, each.column);
      } else if (read.ranges.length > 0) readers.push({ sheet, ...place, ranges: read.ranges });
    }
  const isComplete = found.size === 0 || spread(readers, found);
  return {
    has: (sheet, ref) => {
      const place = parseCell(ref);
      return place !== undefined && found.has(sheet, place.row, place.column);
    },
    isComplete,
  };
}

function filled(range: string | undefined): { row: number; column: number }[] {
  const block = range === undefined ? undefined : parseRange(range);
  if (!block) return [];
  const cells = [];
  for (let row = block.fromRow; row <= block.toRow && cells.length < 10_000; row++)
    for (let column = block.fromColumn; column <= block.toColumn && cells.length < 10_000; column++)
      cells.push({ row, column });
  return cells;
}

/** Down the list and up again, until a pass finds nothing: chains in either direction take one pass. */
function spread(readers: readonly Reader[], found: CellSet): boolean {
  let left = [...readers];
  let work = 0;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = found.size;
    const rest: Reader[] = [];
    for (const reader of left) {
      work += reader.ranges.length;
      if (work > MAX_WORK) return false;
      if (reader.ranges.some(({ sheet, range }) => found.meets(sheet, range)))
        found.add(reader.sheet, reader.row, reader.column);
      else rest.push(reader);
    }
    if (found.size === before) return true;
    left = rest.reverse();
  }
  return false;
}

/** Cells by sheet and column; rows in blocks of 256, so that long ranges are looked through quickly. */
class CellSet {
  size = 0;
  private readonly sheets = new Map<
    string,
    Map<number, { rows: Set<number>; blocks: Set<number> }>
  >();

  add(sheet: string, row: number, column: number): void {
    const columns = this.sheets.get(sheet) ?? new Map<number, never>();
    this.sheets.set(sheet, columns);
    const held = columns.get(column) ?? { rows: new Set(), blocks: new Set() };
    columns.set(column, held);
    if (held.rows.has(row)) return;
    held.rows.add(row);
    held.blocks.add(row >> 8);
    this.size++;
  }

  has(sheet: string, row: number, column: number): boolean {
    return this.sheets.get(sheet)?.get(column)?.rows.has(row) ?? false;
  }

  meets(sheet: string, range: CellRange): boolean {
    const columns = this.sheets.get(sheet);
    if (!columns) return false;
    for (const [column, held] of columns)
      if (column >= range.fromColumn && column <= range.toColumn && meetsRows(held, range))
        return true;
    return false;
  }
}

function meetsRows(
  { rows, blocks }: { readonly rows: ReadonlySet<number>; readonly blocks: ReadonlySet<number> },
  { fromRow, toRow }: CellRange,
): boolean {
  const isHit = (from: number, to: number): boolean => {
    for (let row = from; row <= to; row++) if (rows.has(row)) return true;
    return false;
  };
  if (toRow - fromRow < 512) return isHit(fromRow, toRow);
  const [first, last] = [(fromRow >> 8) + 1, (toRow >> 8) - 1];
  for (const block of blocks) if (block >= first && block <= last) return true;
  return isHit(fromRow, first * 256 - 1) || isHit((last + 1) * 256, toRow);
}

interface Reads {
  readonly isVolatile: boolean;
  readonly ranges: readonly { readonly sheet: string; readonly range: CellRange }[];
}

/** What names and tables stand for. */
class Names {
  private readonly meanings = new Map<string, Reads>();

  constructor(sheets: readonly SheetFact[], names: WorkbookFacts['definedNames']) {
    for (const { name, tables } of sheets)
      for (const table of tables) {
        const range = parseRange(table.range);
        if (range)
          this.meanings.set(key(table.name), {
            isVolatile: false,
            ranges: [{ sheet: name, range }],
          });
      }
    const first = sheets[0]?.name ?? '';
    // Names may rest on names: twice over the list follows what people write.
    for (let pass = 0; pass < 2; pass++)
      for (const { name, refersTo, scope } of names)
        this.meanings.set(key(name), this.readsOf(refersTo, scope ?? first));
  }

  readsOf(formula: string, sheet: string): Reads {
    const direct = referencesOf(formula).map((reference) => ({
      sheet: reference.sheet ?? sheet,
      range: reference.range,
    }));
    const named = this.meanings.size === 0 ? [] : namesIn(formula);
    const meant = named.flatMap((name) => this.meanings.get(key(name)) ?? []);
    return {
      isVolatile: isVolatile(formula) || meant.some((each) => each.isVolatile),
      ranges: [...direct, ...meant.flatMap(({ ranges }) => ranges)],
    };
  }
}

function key(name: string): string {
  return name.toLowerCase();
}
