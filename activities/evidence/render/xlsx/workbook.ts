import { createHash } from 'node:crypto';
import {
  type ChartFact,
  type SheetFact,
  type WorkbookFacts,
} from '../../../../core/workbook-facts';
import { type OfficePackage } from '../package';
import { type Relationship, contentTypes, relationshipsOf } from '../relationships';
import { type Rendering, Unreadable } from '../rendering';
import { type XmlElement, child, elements, parseXml, textOf } from '../xml';
import { cutText } from './bounded-list';
import { Colors, readColors } from './colors';
import { readDrawing } from './drawing';
import { readExternalLinks, readMacros } from './external-parts';
import { ListingBudget } from './listing-budget';
import { countParts, warnOfMissedParts } from './part-counts';
import { type SheetContext, readSheet } from './read-sheet';
import { orLeftOut, sideRelations } from './read-tree';
import { readSharedStrings } from './shared-strings';
import { readPeople } from './sheet-relations';
import { isOn } from './sheet-layout';
import { readStyles } from './styles';
import { readSlicerCaches } from './slicers';

export interface ReadWorkbook {
  readonly facts: WorkbookFacts;
  readonly date1904: boolean;
}

const MAX_SHEETS = 1_000;
const MAX_NAMES = 2_000;
const MAX_REFERS_TO = 1_000;

/**
 * Reads a workbook from its package parts in its own order of sheets. A broken sheet part makes the file
 * unreadable; anything else that is odd becomes a warning or a truncation. Throws `Unreadable`.
 */
export async function readWorkbook(
  parts: OfficePackage,
  rendering: Rendering,
): Promise<ReadWorkbook> {
  const part = await mainPart(parts);
  const root = parseXml(part, await parts.read(part));
  const relations = await relationshipsOf(parts, part);
  const date1904 = isOn(child(root, 'workbookPr')?.attributes['date1904']);
  let missingStrings = 0;
  const context = await contextOf(parts, part, relations, rendering, {
    caches: await readSlicerCaches(parts, root, relations, rendering),
    date1904,
    onMissingString: () => {
      missingStrings++;
    },
  });
  const sheets = await readSheets(parts, root, relations, context, rendering);
  if (missingStrings > 0)
    rendering.warn(
      `${missingStrings} times a cell names a shared text that the file does not have`,
    );
  const { cut, unmoved } = context.budget;
  if (cut > 0) rendering.truncate(`${cut} long texts or formulas of cells are cut`);
  if (unmoved > 0)
    rendering.truncate(`${unmoved} shared formulas are not written out for their cells`);
  const counts = await countParts(parts, await contentTypes(parts), rendering);
  warnOfMissedParts(counts, sheets, rendering);
  const protection = protectionOf(root);
  const externalLinks = await readExternalLinks(parts, relations, rendering);
  const macros = counts['macros'] ? await readMacros(parts, relations) : undefined;
  if (macros) rendering.facts['macros'] = true;
  if (externalLinks.length > 0) rendering.facts['externalLinks'] = externalLinks.length;
  const facts: WorkbookFacts = {
    sheets,
    definedNames: definedNames(root, sheets, rendering),
    ...(protection === undefined ? {} : { protection }),
    ...(externalLinks.length > 0 ? { externalLinks } : {}),
    ...(macros === undefined ? {} : { macros }),
    partCounts: counts,
    ...(isOn(child(root, 'calcPr')?.attributes['fullCalcOnLoad'])
      ? { calculatesOnOpening: true }
      : {}),
    warnings: [],
  };
  return { facts, date1904 };
}

async function contextOf(
  parts: OfficePackage,
  part: string,
  relations: readonly Relationship[],
  rendering: Rendering,
  given: Pick<SheetContext, 'caches' | 'date1904' | 'onMissingString'>,
): Promise<SheetContext> {
  const targetOf = (type: string): string | undefined =>
    relations.find((each) => each.type === type && !each.external)?.target;
  const truncate = (reason: string): void => rendering.truncate(reason);
  const colors =
    (await orLeftOut(rendering, () => readColors(parts, targetOf('theme')))) ?? new Colors();
  const styles =
    (await orLeftOut(rendering, () => readStyles(parts, targetOf('styles'), colors, truncate))) ??
    (await readStyles(parts, undefined, colors, truncate));
  const richTexts = new Map<number, string>();
  const rich = { colors, texts: richTexts };
  return {
    ...given,
    strings: await readSharedStrings(parts, targetOf('sharedStrings'), truncate, rich),
    richTexts,
    styles,
    budget: new ListingBudget(),
    people: await readPeople(parts, part, rendering),
    look: {
      differential: (index) => styles.differential(index),
      color: (attributes) => colors.of(attributes),
    },
    hash: () => createHash('sha256'),
  };
}

/** The workbook part: named by the package's relationships, wherever it lies. */
export async function mainPart(parts: OfficePackage): Promise<string> {
  const relation = (await relationshipsOf(parts, '')).find(
    ({ type, external }) => type === 'officeDocument' && !external,
  );
  if (!relation || !parts.has(relation.target))
    throw new Unreadable('corrupt', 'the package has no main document part');
  return relation.target;
}

async function readSheets(
  parts: OfficePackage,
  root: XmlElement,
  relations: readonly Relationship[],
  context: SheetContext,
  rendering: Rendering,
): Promise<SheetFact[]> {
  const listed = elements(child(root, 'sheets') ?? root, 'sheet');
  if (listed.length > MAX_SHEETS)
    rendering.truncate(`${listed.length - MAX_SHEETS} more sheets are not read`);
  const sheets: SheetFact[] = [];
  const read = new Set<string>();
  for (const { attributes } of listed.slice(0, MAX_SHEETS)) {
    const name = attributes['name'] ?? '';
    if (sheets.some((sheet) => sheet.name === name))
      rendering.warn(`two sheets are named ${name}: a locator names the first`);
    const relation = relations.find(({ id }) => id === attributes['r:id']);
    const part = partOf(name, relation, parts, read, rendering);
    const own = { name, state: sheetState(attributes['state']) };
    const isChart = relation?.type === 'chartsheet';
    const content =
      part === undefined ? {} : await readContent(part, isChart, parts, context, rendering);
    const sheet: SheetFact = { ...EMPTY_SHEET, ...content, ...own };
    sheets.push(sheet);
    noteUnlisted(sheet, rendering);
  }
  return sheets;
}

/** The sheet's part, unless it has none or another sheet has it already. */
function partOf(
  name: string,
  relation: Relationship | undefined,
  parts: OfficePackage,
  read: Set<string>,
  rendering: Rendering,
): string | undefined {
  if (!relation || relation.external || !parts.has(relation.target)) {
    rendering.warn(`sheet ${name} has no part in the package`);
    return undefined;
  }
  if (read.has(relation.target)) {
    rendering.warn(`sheet ${name} has the part of another sheet and is not read again`);
    return undefined;
  }
  read.add(relation.target);
  return relation.target;
}

async function readContent(
  part: string,
  isChart: boolean,
  parts: OfficePackage,
  context: SheetContext,
  rendering: Rendering,
): Promise<Partial<SheetFact>> {
  return isChart
    ? { charts: await chartSheetCharts(parts, part, rendering), view: ['chart sheet'] }
    : readSheet(parts, part, context, rendering);
}

function noteUnlisted(sheet: SheetFact, rendering: Rendering): void {
  const cells = sheet.cellCount - sheet.cells.length;
  if (cells > 0) rendering.truncate(`${cells} cells of sheet ${sheet.name} are not listed`);
  for (const [list, count] of Object.entries(sheet.unlisted ?? {}))
    rendering.truncate(`${count} more ${list} of sheet ${sheet.name} are not listed`);
}

const EMPTY_SHEET: SheetFact = {
  name: '',
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

function sheetState(state: string | undefined): SheetFact['state'] {
  return state === 'hidden' || state === 'veryHidden' ? state : 'visible';
}

async function chartSheetCharts(
  parts: OfficePackage,
  part: string,
  rendering: Rendering,
): Promise<ChartFact[]> {
  const charts: ChartFact[] = [];
  for (const { type, target } of await sideRelations(parts, part, rendering))
    if (type === 'drawing' && parts.has(target))
      charts.push(...(await readDrawing(parts, target, rendering)).charts);
  return charts;
}

function definedNames(
  root: XmlElement,
  sheets: readonly SheetFact[],
  rendering: Rendering,
): WorkbookFacts['definedNames'] {
  const list = child(root, 'definedNames');
  const names = list ? elements(list, 'definedName') : [];
  if (names.length > MAX_NAMES)
    rendering.truncate(`${names.length - MAX_NAMES} more defined names are not listed`);
  return names.slice(0, MAX_NAMES).map((element) => {
    const { name = '', localSheetId, hidden } = element.attributes;
    const scope = localSheetId === undefined ? undefined : sheets[Number(localSheetId)]?.name;
    return {
      name,
      refersTo: cutText(textOf(element), MAX_REFERS_TO),
      ...(scope === undefined ? {} : { scope }),
      // Programs hide names of their own, such as a filter's range.
      ...(isOn(hidden) && !name.startsWith('_xlnm.') ? { isHidden: true } : {}),
    };
  });
}

function protectionOf(root: XmlElement): string | undefined {
  const attributes = child(root, 'workbookProtection')?.attributes;
  if (!attributes) return undefined;
  const locked = [
    ...(isOn(attributes['lockStructure']) ? ['structure'] : []),
    ...(isOn(attributes['lockWindows']) ? ['windows'] : []),
  ];
  if (locked.length === 0) return undefined;
  const hasPassword = Object.keys(attributes).some((name) => /password|hashValue/iu.test(name));
  return `workbook protection of ${locked.join(' and ')} with${hasPassword ? '' : 'out'} a password`;
}
