import {
  type CellFlag,
  type ControlFact,
  type EmbeddedFact,
  type HiddenCause,
  type RangeGroup,
  type SheetFact,
  type SlicerFact,
  type WorkbookFacts,
} from './evidence-view';

/** A thing in a workbook that is no cell, under the number that its locator has, as one line of text. */
export interface WorkbookObject {
  readonly object: string;
  readonly number: number;
  readonly text: string;
  /** Set where a reader of the workbook does not see it. */
  readonly cause?: HiddenCause;
}

/** Characters of one object's text; what is longer is cut, and says so. */
const MAX_TEXT = 4_000;

/** All of a sheet's objects, each kind numbered from 1. The first one, `sheet:1`, is the sheet's own facts. */
export function objectsOfSheet(sheet: SheetFact): WorkbookObject[] {
  const hiddenSheet = sheet.state === 'visible' ? undefined : ('hidden-sheet' as const);
  const drawn = [...(sheet.pictures ?? []), ...(sheet.shapes ?? [])];
  const objects = [
    ...numbered('sheet', [sheetLine(sheet)]),
    ...numbered('formulas', groupLine('formulas', sheet.formulas)),
    ...numbered('number-formats', groupLine('number formats', sheet.numberFormats)),
    ...numbered('looks', groupLine('looks', sheet.looks)),
    ...numbered('table', sheet.tables.map(tableLine)),
    ...numbered('pivot', (sheet.pivots ?? []).map(pivotLine)),
    ...numbered('chart', sheet.charts.map(chartLine)),
    ...numbered(
      'comment',
      sheet.comments.map(
        ({ ref, author, text, note }) =>
          `comment at ${ref} by ${author || 'nobody named'}${note === undefined ? '' : ` (${note})`}: ${text}`,
      ),
    ),
    ...numbered(
      'validation',
      sheet.validations.map(({ range, rule }) => `validation of ${range}: ${rule}`),
    ),
    ...numbered(
      'conditional-format',
      sheet.conditionalFormats.map(({ range, rule }) => `conditional format of ${range}: ${rule}`),
    ),
    ...numbered(
      'link',
      (sheet.links ?? []).map(({ ref, target }) => `link at ${ref} to ${target}`),
    ),
    ...numbered('image', (sheet.pictures ?? []).map(drawnLine('image'))),
    ...numbered('shape', (sheet.shapes ?? []).map(drawnLine('shape'))),
    ...numbered(
      'sparkline',
      (sheet.sparklines ?? []).map(
        ({ ref, type, source }) => `${type} sparkline at ${ref} of ${source}`,
      ),
    ),
    ...numbered('slicer', (sheet.slicers ?? []).map(slicerLine)),
    ...numbered('control', (sheet.controls ?? []).map(controlLine)),
    ...numbered('embedded-object', (sheet.embedded ?? []).map(embeddedLine)),
    ...numbered('protection', sheet.protection === undefined ? [] : [sheet.protection]),
  ];
  const alternative = numbered(
    'alternative-text',
    drawn.map(({ name, alternativeText = '' }) =>
      alternativeText === '' ? '' : `${name}: ${alternativeText}`,
    ),
  ).filter(({ text }) => text !== '');
  const unseen = new Map<string, string | undefined>(
    [
      ...(sheet.pictures ?? []).map((each, at) => [`image:${at + 1}`, each.unseen] as const),
      ...(sheet.shapes ?? []).map((each, at) => [`shape:${at + 1}`, each.unseen] as const),
    ].filter(([, cause]) => cause !== undefined),
  );
  return [
    ...objects.map((each): WorkbookObject => {
      const cause: HiddenCause | undefined =
        hiddenSheet ?? (unseen.has(`${each.object}:${each.number}`) ? 'off-page' : undefined);
      // That a sheet is hidden is a fact about the file, and no words of the sheet.
      return cause === undefined || each.object === 'sheet' ? each : { ...each, cause };
    }),
    ...alternative.map((each) => ({ ...each, cause: 'alternative-text' as const })),
  ];
}

/** What belongs to the whole workbook. */
export function objectsOfWorkbook(workbook: WorkbookFacts): WorkbookObject[] {
  const names = workbook.definedNames.map(
    ({ name, refersTo, scope }) =>
      `defined name ${name} = ${refersTo}${scope === undefined ? '' : ` on sheet ${scope}`}`,
  );
  return [
    ...numbered('name', names).map((each) =>
      workbook.definedNames[each.number - 1]?.isHidden === true
        ? { ...each, cause: 'hidden-text' as const }
        : each,
    ),
    ...numbered('protection', workbook.protection === undefined ? [] : [workbook.protection]),
    ...numbered(
      'external-link',
      (workbook.externalLinks ?? []).map((target) => `external link to ${target}`),
    ),
    ...numbered(
      'macros',
      workbook.macros === undefined ? [] : [`macros: ${workbook.macros.join(', ') || 'yes'}`],
    ),
  ];
}

function numbered(object: string, texts: readonly string[]): WorkbookObject[] {
  return texts.map((text, index) => ({
    object,
    number: index + 1,
    text:
      text.length <= MAX_TEXT
        ? text
        : `${text.slice(0, MAX_TEXT)} [${text.length - MAX_TEXT} more characters]`,
  }));
}

/** State, extent, counts and layout of a sheet, without its name: the locator has that. */
export function sheetLine(sheet: SheetFact): string {
  const list = (name: string, entries: readonly (string | number)[], total = entries.length) =>
    entries.length === 0
      ? []
      : [`${name} ${entries.slice(0, 20).join(' ')}${total > 20 ? ` and ${total - 20} more` : ''}`];
  const unlisted = Object.entries(sheet.unlisted ?? {});
  const total = (name: string, count: number): number => count + (sheet.unlisted?.[name] ?? 0);
  return [
    sheet.state,
    sheet.usedRange === '' ? 'empty' : `used range ${sheet.usedRange}`,
    `${sheet.cellCount} cells`,
    `${sheet.formulaCount} formulas`,
    `${sheet.errorCount} errors`,
    ...(sheet.freezePane === undefined ? [] : [`freeze pane ${sheet.freezePane}`]),
    ...(sheet.autoFilter === undefined ? [] : [`auto filter ${sheet.autoFilter}`]),
    ...(sheet.filterCriteria ?? []),
    ...list('merged', sheet.merged, total('merged ranges', sheet.merged.length)),
    ...list('hidden rows', sheet.hiddenRows, total('hidden rows', sheet.hiddenRows.length)),
    ...list('hidden columns', sheet.hiddenColumns),
    ...(sheet.charts.length > 0 ? [`${sheet.charts.length} charts`] : []),
    ...(sheet.images > 0 ? [`${sheet.images} images`] : []),
    ...flagCounts(sheet),
    ...(sheet.view ?? []),
    ...Object.entries(sheet.otherParts ?? {}).map(([kind, count]) => `${count} ${kind} not read`),
    ...unlisted.map(([name, count]) => `${count} more ${name} are not listed`),
  ].join(', ');
}

const FLAG_WORDS: Readonly<Record<CellFlag, string>> = {
  stale: 'stale results',
  'calculated-on-opening': 'results that programs calculate when they open the file, and show',
  volatile: 'results of the moment',
  'number-as-text': 'numbers stored as text',
  'constant-among-formulas': 'constants among formulas',
  unseen: 'cells not visible to a reader',
  unlocked: 'unlocked cells',
  'too-narrow': 'numbers shown as ### in too narrow columns (estimated)',
  'cut-off': 'texts cut off at the next cell (estimated)',
};

function flagCounts(sheet: SheetFact): string[] {
  const refs = new Map<CellFlag, string[]>();
  for (const { ref, flags = [] } of sheet.cells)
    for (const flag of flags) {
      const list = refs.get(flag) ?? [];
      if (list.push(ref) === 1) refs.set(flag, list);
    }
  return Object.entries(FLAG_WORDS).flatMap(([flag, words]) => {
    const list = refs.get(flag as CellFlag) ?? [];
    if (list.length === 0) return [];
    const more = list.length > 10 ? ' ...' : '';
    return [`${list.length} ${words}: ${list.slice(0, 10).join(' ')}${more}`];
  });
}

/** `formulas C4:G4 =B4*2; ...`, one line for all groups of a kind. */
function groupLine(kind: string, groups: readonly RangeGroup[] | undefined): string[] {
  if (!groups || groups.length === 0) return [];
  const texts = groups.map(({ what, ranges }) => (ranges === '' ? what : `${ranges} ${what}`));
  return [`${kind}: ${texts.join('; ')}`];
}

function tableLine({
  name,
  range,
  columns,
  hasTotals,
  style,
}: SheetFact['tables'][number]): string {
  return [
    `table ${name} ${range}`,
    ...(columns && columns.length > 0 ? [`columns ${columns.join(', ')}`] : []),
    ...(hasTotals === true ? ['totals row'] : []),
    ...(style === undefined ? [] : [`style ${style}`]),
  ].join('; ');
}

function pivotLine(pivot: NonNullable<SheetFact['pivots']>[number]): string {
  const list = (name: string, entries: readonly string[] | undefined) =>
    entries && entries.length > 0 ? [`${name} ${entries.join(', ')}`] : [];
  return [
    `pivot table ${pivot.name} at ${pivot.range}`,
    `source ${pivot.source}`,
    ...list('rows', pivot.rows),
    ...list('columns', pivot.columns),
    ...list('filters', pivot.filters),
    ...list('values', pivot.values),
    ...list('fields', pivot.fields),
  ].join('; ');
}

const at = (anchor: string | undefined): string => (anchor === undefined ? '' : ` at ${anchor}`);

function slicerLine({ kind, name, caption, source, selected, anchor }: SlicerFact): string {
  return [
    `${kind} ${name}${at(anchor)}, caption "${caption}", by ${source}`,
    selected ? `lets through ${selected.join(', ') || 'nothing'}` : 'lets through everything',
  ].join('; ');
}

function controlLine({ type, name, text, anchor, details }: ControlFact): string {
  const words = text === undefined ? '' : ` "${text}"`;
  return [`${type} ${name}${words}${at(anchor)}`, ...details].join('; ');
}

function embeddedLine({ program, file, anchor }: EmbeddedFact): string {
  return `embedded object of ${program}${at(anchor)} ${file}`;
}

/** Also for charts of other formats. */
export function chartLine(chart: SheetFact['charts'][number]): string {
  return [
    `${chart.type} chart "${chart.title}"${chart.anchor === undefined ? '' : ` at ${chart.anchor}`}`,
    ...(chart.axes && chart.axes.length > 0 ? [`axes ${chart.axes.join(', ')}`] : []),
    ...chart.series,
    ...(chart.points ?? []).map((points) => `data ${points}`),
    ...(chart.details ?? []),
  ].join('; ');
}

function drawnLine(kind: string): (drawn: NonNullable<SheetFact['shapes']>[number]) => string {
  return ({ name, anchor, text, unseen }) =>
    `${kind} ${name} at ${anchor}${unseen === undefined ? '' : ` (${unseen})`}${text === undefined || text === '' ? '' : `: ${text}`}`;
}
