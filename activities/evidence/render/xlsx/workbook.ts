import { columnName, parseRange, printRange, rangeHolds } from '../../../../core/cell-range';
import { type CellFact, type SheetFact, type WorkbookFacts } from '../../../../core/evidence-view';
import { RENDER_LIMITS } from '../limits';
import { type OfficePackage } from '../package';
import { type Relationship, contentTypes, relationshipsOf } from '../relationships';
import { type Rendering, Unreadable } from '../rendering';
import { type XmlElement, child, elements, parseXml, textOf } from '../xml';
import { type CellContext, cellFact } from './cell-facts';
import { type ChartFact, readChart, readDrawing } from './charts';
import { countParts, warnOfMissedParts } from './part-counts';
import { readSharedStrings } from './shared-strings';
import { readPeople, readSheetRelations } from './sheet-relations';
import { type RawCell, type SheetScan, scanSheet } from './sheet-scan';
import { type CellStyles, readStyles } from './styles';

/** A sheet with what later steps need and the stored facts do not have. */
export interface ReadSheet {
  readonly fact: SheetFact;
  readonly raw: readonly RawCell[];
  readonly shapeTexts: readonly string[];
}

export interface ReadWorkbook {
  readonly facts: WorkbookFacts;
  readonly sheets: readonly ReadSheet[];
  readonly styles: CellStyles;
  readonly date1904: boolean;
}

/**
 * Reads a workbook from its package parts in its own order of sheets. A broken sheet part makes the file
 * unreadable; anything else that is odd becomes a warning. Throws `Unreadable`.
 */
export async function readWorkbook(
  parts: OfficePackage,
  rendering: Rendering,
): Promise<ReadWorkbook> {
  const part = await mainPart(parts);
  const root = parseXml(part, await parts.read(part));
  const relations = await relationshipsOf(parts, part);
  const targetOf = (type: string): string | undefined =>
    relations.find((each) => each.type === type)?.target;
  const context: CellContext = {
    strings: await readSharedStrings(parts, targetOf('sharedStrings'), (reason) =>
      rendering.truncate(reason),
    ),
    styles: await readStyles(parts, targetOf('styles')),
    date1904: ['1', 'true'].includes(child(root, 'workbookPr')?.attributes['date1904'] ?? ''),
  };
  const people = await readPeople(parts, part);
  const sheets: ReadSheet[] = [];
  let room: number = RENDER_LIMITS.cells;
  for (const { attributes } of elements(child(root, 'sheets') ?? root, 'sheet')) {
    const relation = relations.find(({ id }) => id === attributes['r:id']);
    const sheet = await readSheet(
      parts,
      attributes,
      relation,
      { ...context, people, room },
      rendering,
    );
    room -= sheet.raw.length;
    if (sheet.fact.cellCount > sheet.raw.length)
      rendering.truncate(
        `${sheet.fact.cellCount - sheet.raw.length} cells of sheet ${sheet.fact.name} are not listed`,
      );
    sheets.push(sheet);
  }
  const counts = await countParts(parts, await contentTypes(parts));
  warnOfMissedParts(
    counts,
    sheets.map(({ fact }) => fact),
    rendering,
  );
  if (counts['macros']) rendering.facts['macros'] = true;
  if (counts['externalLinks']) rendering.facts['externalLinks'] = counts['externalLinks'];
  const facts: WorkbookFacts = {
    sheets: sheets.map(({ fact }) => fact),
    definedNames: definedNames(root),
    partCounts: counts,
    warnings: [],
  };
  return { facts, sheets, styles: context.styles, date1904: context.date1904 };
}

/** The workbook part: named by the package's relationships, wherever it lies. */
export async function mainPart(parts: OfficePackage): Promise<string> {
  const relation = (await relationshipsOf(parts, '')).find(({ type }) => type === 'officeDocument');
  if (!relation || !parts.has(relation.target))
    throw new Unreadable('corrupt', 'the package has no main document part');
  return relation.target;
}

async function readSheet(
  parts: OfficePackage,
  attributes: Readonly<Record<string, string>>,
  relation: Relationship | undefined,
  context: CellContext & { readonly people: ReadonlyMap<string, string>; readonly room: number },
  rendering: Rendering,
): Promise<ReadSheet> {
  const name = attributes['name'] ?? '';
  const state = sheetState(attributes['state']);
  if (!relation || relation.external || !parts.has(relation.target)) {
    rendering.warn(`sheet ${name} has no part in the package`);
    return { fact: { ...emptySheet(name), state }, raw: [], shapeTexts: [] };
  }
  if (relation.type === 'chartsheet') {
    const charts = await chartSheetCharts(parts, relation.target);
    return { fact: { ...emptySheet(name), state, charts }, raw: [], shapeTexts: [] };
  }
  const scan = await scanSheet(parts, relation.target, context.room);
  const related = await readSheetRelations(parts, relation.target, context.people);
  const fact: SheetFact = {
    ...emptySheet(name),
    state,
    ...factsOfScan(scan),
    tables: related.tables,
    ...(related.pivots.length > 0 ? { pivots: related.pivots } : {}),
    charts: related.drawing.charts,
    comments: related.comments,
    images: related.drawing.images,
  };
  const mayBeFilled = filledElsewhere(fact);
  const cells = scan.cells.map((cell) => {
    const facts = cellFact(cell, context);
    return context.styles(cell.style).unseen === 'white text' && mayBeFilled(cell)
      ? withoutFlag(facts, 'unseen')
      : facts;
  });
  return { fact: { ...fact, cells }, raw: scan.cells, shapeTexts: related.drawing.texts };
}

/** Cells whose fill may come from elsewhere than their own style: headers of tables, conditional formats. */
function filledElsewhere({ tables, conditionalFormats }: SheetFact): (cell: RawCell) => boolean {
  const headers = tables.flatMap(({ range }) => {
    const table = parseRange(range);
    return table ? [{ ...table, toRow: table.fromRow }] : [];
  });
  const formatted = conditionalFormats.flatMap(({ range }) =>
    range.split(' ').flatMap((each) => parseRange(each) ?? []),
  );
  return ({ row, column }) =>
    [...headers, ...formatted].some((range) => rangeHolds(range, row, column));
}

function withoutFlag({ flags = [], ...cell }: CellFact, flag: string): CellFact {
  const others = flags.filter((each) => each !== flag);
  return others.length > 0 ? { ...cell, flags: others } : cell;
}

function factsOfScan(scan: SheetScan): Partial<SheetFact> {
  return {
    usedRange: scan.bounds ? printRange(scan.bounds) : '',
    cellCount: scan.cellCount,
    formulaCount: scan.formulaCount,
    errorCount: scan.errorCount,
    merged: scan.merged,
    ...(scan.freezePane === undefined ? {} : { freezePane: scan.freezePane }),
    ...(scan.autoFilter === undefined ? {} : { autoFilter: scan.autoFilter }),
    hiddenRows: scan.hiddenRows,
    hiddenColumns: scan.hiddenColumns.map(({ from, to }) =>
      from === to ? columnName(from) : `${columnName(from)}:${columnName(to)}`,
    ),
    validations: scan.validations,
    conditionalFormats: scan.conditionalFormats,
  };
}

function emptySheet(name: string): SheetFact {
  return {
    name,
    state: 'visible',
    usedRange: '',
    cellCount: 0,
    formulaCount: 0,
    errorCount: 0,
    merged: [],
    hiddenRows: [],
    hiddenColumns: [],
    tables: [],
    charts: [],
    comments: [],
    validations: [],
    conditionalFormats: [],
    images: 0,
    cells: [],
  };
}

function sheetState(state: string | undefined): SheetFact['state'] {
  return state === 'hidden' || state === 'veryHidden' ? state : 'visible';
}

async function chartSheetCharts(parts: OfficePackage, part: string): Promise<ChartFact[]> {
  const charts: ChartFact[] = [];
  for (const { type, target } of await relationshipsOf(parts, part)) {
    if (type === 'drawing' && parts.has(target))
      charts.push(...(await readDrawing(parts, target)).charts);
    if (type === 'chart' && parts.has(target)) charts.push(await readChart(parts, target));
  }
  return charts;
}

function definedNames(root: XmlElement): WorkbookFacts['definedNames'] {
  return elements(child(root, 'definedNames') ?? { name: '', attributes: {}, children: [] }).map(
    (element) => ({ name: element.attributes['name'] ?? '', refersTo: textOf(element) }),
  );
}
