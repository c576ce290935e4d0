import { type Hash } from 'node:crypto';
import { cellName, parseRange, printRange, rangeHolds } from '../../../../core/cell-range';
import { type CellFact, type RangeGroup, type SheetFact } from '../../../../core/workbook-facts';
import { type OfficePackage } from '../package';
import { type Rendering } from '../rendering';
import { type CellContext, cellFact, storedValue } from './cell-facts';
import { constantsAmongFormulas } from './formula-columns';
import { plainFormula } from './formula';
import { RangeGroups } from './range-groups';
import { columnsText } from './sheet-layout';
import { type SheetRelations, readSheetRelations } from './sheet-relations';
import { type SlicerCache } from './slicers';
import { type RawCell, type ScanOptions, type SheetScan, scanSheet } from './sheet-scan';
import { coveredBy, nearEnd } from './unseen-cells';

export interface SheetContext extends CellContext {
  readonly people: ReadonlyMap<string, string>;
  readonly caches: ReadonlyMap<string, SlicerCache>;
  readonly look: NonNullable<ScanOptions['look']>;
  /** A new digest. */
  readonly hash: () => Hash;
}

/** Everything about one worksheet part, but for its name and state. Throws `Unreadable` where the part is broken. */
export async function readSheet(
  parts: OfficePackage,
  part: string,
  context: SheetContext,
  rendering: Rendering,
): Promise<Omit<SheetFact, 'name' | 'state'>> {
  const digest = new CellsDigest(context);
  const { look, budget } = context;
  const empty = new RangeGroups();
  const scan = await scanSheet(parts, part, {
    look,
    budget,
    onCell: (cell) => digest.add(cell),
    onEmpty: (row, column, style) => {
      const { fill } = context.styles.of(style);
      if (fill !== undefined) empty.add(row, column, fill);
    },
  });
  const { people, caches } = context;
  const listed = scan.layout.controls;
  const related = await readSheetRelations(parts, part, { people, caches, listed }, rendering);
  if (scan.outside > 0) rendering.warn(`${scan.outside} cells lie outside of any sheet's limits`);
  if (scan.isDisordered) {
    rendering.warn(`part ${part} has rows or cells out of order`);
    scan.cells = inOrder(scan.cells);
  }
  const facts = { ...factsOfScan(scan), ...factsOfRelations(scan, related) };
  const looks = [
    ...empty.end(coveredBy(facts.merged)),
    ...scan.layout.filledBands((style) => context.styles.of(style).fill),
  ];
  return {
    ...facts,
    ...(looks.length > 0 ? { looks: looks.map(emptyLook) } : {}),
    cells: cellsOf(scan, facts, context),
    cellsDigest: digest.end(),
  };
}

function emptyLook({ what, ranges }: RangeGroup): RangeGroup {
  return { what: `${what} (empty cells)`, ranges };
}

/** By address; of two cells at one address the later one counts, as for office programs. */
function inOrder(cells: readonly RawCell[]): RawCell[] {
  const byPlace = new Map(cells.map((cell) => [cellName(cell.row, cell.column), cell]));
  return [...byPlace.values()].sort(
    (left, right) => left.row - right.row || left.column - right.column,
  );
}

function factsOfScan(scan: SheetScan) {
  const { layout, rules } = scan;
  const view = [...layout.view, ...layout.outlines.words, ...layout.runningTexts];
  const unlisted = Object.entries({
    'merged ranges': layout.merged.beyond,
    'hidden rows': layout.hiddenRows.beyond,
    links: layout.links.beyond,
    sparklines: layout.sparklines.beyond,
    validations: rules.validations.beyond,
    'conditional formats': rules.conditionalFormats.beyond,
  }).filter(([, count]) => count > 0);
  return {
    usedRange: scan.bounds ? printRange(scan.bounds) : '',
    cellCount: scan.cellCount,
    formulaCount: scan.formulaCount,
    errorCount: scan.errorCount,
    merged: layout.merged.entries,
    ...(layout.freezePane === undefined ? {} : { freezePane: layout.freezePane }),
    ...(layout.autoFilter === undefined ? {} : { autoFilter: layout.autoFilter }),
    ...(layout.criteria.length > 0 ? { filterCriteria: layout.criteria } : {}),
    hiddenRows: layout.hiddenRows.entries,
    hiddenColumns: layout.hiddenColumns.map(columnsText),
    validations: rules.validations.entries,
    conditionalFormats: rules.conditionalFormats.entries,
    ...(layout.columnWidths.length > 0 ? { columnWidths: layout.columnWidths } : {}),
    ...(layout.defaultWidth === undefined ? {} : { defaultColumnWidth: layout.defaultWidth }),
    ...(layout.sparklines.entries.length > 0 ? { sparklines: layout.sparklines.entries } : {}),
    ...(layout.protection === undefined ? {} : { protection: layout.protection }),
    ...(view.length > 0 ? { view } : {}),
    ...(unlisted.length > 0 ? { unlisted: Object.fromEntries(unlisted) } : {}),
  };
}

function factsOfRelations(scan: SheetScan, related: SheetRelations) {
  const { drawing, comments, objects, otherParts } = related;
  const links = scan.layout.links.entries.map(({ ref, id, place }) => {
    const target = id === undefined ? '' : (related.targets.get(id)?.target ?? '(no target)');
    return { ref, target: [target, place].filter(Boolean).join('#') };
  });
  const unlisted = {
    ...factsOfScan(scan).unlisted,
    ...(comments.beyond > 0 ? { comments: comments.beyond } : {}),
    ...(drawing.beyond > 0 ? { 'drawn objects': drawing.beyond } : {}),
  };
  return {
    tables: related.tables,
    ...(related.pivots.length > 0 ? { pivots: related.pivots } : {}),
    charts: drawing.charts,
    comments: comments.entries,
    images: drawing.pictures.length,
    ...(drawing.pictures.length > 0 ? { pictures: drawing.pictures } : {}),
    ...(drawing.shapes.length > 0 ? { shapes: drawing.shapes } : {}),
    ...(links.length > 0 ? { links } : {}),
    ...(objects.slicers.length > 0 ? { slicers: objects.slicers } : {}),
    ...(objects.controls.length > 0 ? { controls: objects.controls } : {}),
    ...(objects.embedded.length > 0 ? { embedded: objects.embedded } : {}),
    ...(Object.keys(otherParts).length > 0 ? { otherParts } : {}),
    ...(Object.keys(unlisted).length > 0 ? { unlisted } : {}),
  };
}

type Structure = Pick<SheetFact, 'tables' | 'conditionalFormats' | 'merged' | 'protection'>;

function cellsOf(scan: SheetScan, structure: Structure, context: CellContext): CellFact[] {
  const mayBeFilled = filledElsewhere(structure);
  const isCovered = coveredBy(structure.merged);
  const near = nearEnd(scan.cells);
  const isHiddenColumn = hiddenColumnTest(scan);
  const causeOf = (cell: RawCell, fact: CellFact): string | undefined => {
    if (cell.isRowHidden) return 'hidden row';
    if (isHiddenColumn(cell.column)) return 'hidden column';
    if (isCovered(cell.row, cell.column)) return 'under merged cells';
    if (cell.row > near.row || cell.column > near.column) return 'far from all other cells';
    const isColor = fact.unseen === 'white text' || fact.unseen === 'text like its fill';
    return isColor && mayBeFilled(cell) ? undefined : fact.unseen;
  };
  const cells = scan.cells.map((cell) => {
    const fact = cellFact(cell, context);
    return withCause(fact, causeOf(cell, fact), structure.protection !== undefined);
  });
  return withConstants(withArrays(cells));
}

function hiddenColumnTest(scan: SheetScan): (column: number) => boolean {
  const known = new Map<number, boolean>();
  return (column) => {
    const found = known.get(column) ?? scan.layout.isHiddenColumn(column);
    known.set(column, found);
    return found;
  };
}

/** Locks mean nothing on a sheet without protection. */
function withCause(fact: CellFact, cause: string | undefined, isProtected: boolean): CellFact {
  const { flags = [], unseen, ...rest } = fact;
  if (cause === unseen && (isProtected || !flags.includes('unlocked'))) return fact;
  const kept = flags.filter((flag) => flag !== 'unseen' && (isProtected || flag !== 'unlocked'));
  const all = cause === undefined ? kept : [...kept, 'unseen' as const];
  return {
    ...rest,
    ...(all.length > 0 ? { flags: all } : {}),
    ...(cause === undefined ? {} : { unseen: cause }),
  };
}

/** Cells whose fill may come from elsewhere than their own style: headers of tables, conditional formats. */
function filledElsewhere({ tables, conditionalFormats }: Structure): (cell: RawCell) => boolean {
  const headers = tables.flatMap(({ range }) => {
    const table = parseRange(range);
    return table ? [{ ...table, toRow: table.fromRow }] : [];
  });
  const formatted = conditionalFormats.flatMap(({ range }) =>
    range.split(' ').flatMap((each) => parseRange(each) ?? []),
  );
  const all = [...headers, ...formatted].slice(0, 5_000);
  return ({ row, column }) => all.some((range) => rangeHolds(range, row, column));
}

/** The cells that an array formula fills name the one that has it. */
function withArrays(cells: CellFact[]): CellFact[] {
  const arrays = cells
    .flatMap(({ ref, array }) => {
      const range = array && parseRange(array.range);
      return range && array.range.includes(':') ? [{ ref, range }] : [];
    })
    .slice(0, 1_000);
  if (arrays.length === 0) return cells;
  return cells.map((cell) => {
    const place = cell.formula === undefined ? parseRange(cell.ref) : undefined;
    const owner =
      place && arrays.find(({ range }) => rangeHolds(range, place.fromRow, place.fromColumn));
    return owner ? { ...cell, arrayOf: owner.ref } : cell;
  });
}

function withConstants(cells: CellFact[]): CellFact[] {
  const constants = constantsAmongFormulas(cells);
  if (constants.size === 0) return cells;
  return cells.map((cell) =>
    constants.has(cell.ref)
      ? { ...cell, flags: [...(cell.flags ?? []), 'constant-among-formulas' as const] }
      : cell,
  );
}

/** Characters. */
const LONG_TEXT = 1_000;
const MAX_LONG_TEXTS = 1_000;

/** Over what a rewriting library keeps: values, formulas without their results, number formats. */
class CellsDigest {
  private readonly hash: Hash;
  private readonly known: Pick<CellContext, 'strings'>;
  private readonly longTexts = new Map<string, string>();
  private pieces: string[] = [];
  private length = 0;

  constructor(private readonly context: SheetContext) {
    this.hash = context.hash();
    this.known = { strings: context.strings };
  }

  add(cell: RawCell): void {
    const content =
      cell.formula === undefined
        ? this.digestible(storedValue(cell, this.known))
        : `=${plainFormula(cell.formula)}`;
    const piece = `${cell.row} ${cell.column} ${content} ${this.context.styles.of(cell.style).format}\n`;
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length > 65_536) this.flush();
  }

  /** Long texts by their own digest, made once: thousands of cells may share one of a megabyte. */
  private digestible(value: string | number | boolean | undefined): string | number {
    if (typeof value === 'number') return value;
    if (typeof value !== 'string' || value.length < LONG_TEXT) return JSON.stringify(value ?? null);
    let digest = this.longTexts.get(value);
    if (digest === undefined) {
      if (this.longTexts.size >= MAX_LONG_TEXTS) this.longTexts.clear();
      digest = `#${this.context.hash().update(value).digest('hex')}`;
      this.longTexts.set(value, digest);
    }
    return digest;
  }

  end(): string {
    this.flush();
    return this.hash.digest('hex').slice(0, 32);
  }

  private flush(): void {
    this.hash.update(this.pieces.join(''));
    this.pieces = [];
    this.length = 0;
  }
}
