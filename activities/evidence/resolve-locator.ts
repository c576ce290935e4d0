import { parseCell, parseRange, rangeHolds } from '../../core/cell-range';
import {
  type ArtifactEntry,
  type CellFact,
  type ResolvedEvidence,
  type SheetFact,
  type TextSegment,
  type Visibility,
  slideSource,
} from '../../core/evidence-view';
import { type Locator } from '../../core/locator';
import { type EvidenceReader } from './port';

type LocatorOf<Kind extends Locator['kind']> = Extract<Locator, { readonly kind: Kind }>;

/**
 * What a locator of this artifact points at; `undefined` where nothing is. A place that holds visible and
 * hidden text resolves to its visible text; one that holds only hidden text resolves to that, marked hidden.
 */
export async function resolveLocator(
  locator: Locator,
  entry: ArtifactEntry,
  reader: Pick<EvidenceReader, 'segments' | 'workbook' | 'compare'>,
): Promise<ResolvedEvidence | undefined> {
  if (locator.kind === 'cells') return resolveCells(locator, reader);
  if (locator.kind === 'comparison') return resolveComparison(locator, reader);
  const segments = await reader.segments(locator.artifact);
  switch (locator.kind) {
    case 'file':
      return fromSegments(locator, segments) ?? { locator, text: '', visibility: 'visible' };
    case 'lines':
      return fromSegments(locator, overlapping(segments, locator)) ?? emptyLine(locator, entry);
    case 'page':
      return resolvePage(locator, entry, segments);
    case 'paragraph':
      return fromSegments(locator, overlapping(segments, locator));
    case 'table':
      return fromSegments(
        locator,
        segments.filter(
          ({ locator: place }) =>
            place.kind === 'table' &&
            place.table === locator.table &&
            (locator.row === undefined || place.row === locator.row) &&
            (locator.column === undefined || place.column === locator.column),
        ),
      );
    case 'slide':
      return resolveSlide(locator, entry, segments);
    case 'notebook':
      return resolveNotebook(locator, entry, segments);
    case 'object':
      return fromSegments(
        locator,
        segments.filter(
          ({ locator: place }) =>
            place.kind === 'object' &&
            place.object === locator.object &&
            place.number === locator.number &&
            place.part === locator.part,
        ),
      );
    case 'member':
      return fromSegments(
        locator,
        segments.filter(
          ({ locator: place }) =>
            place.kind === 'member' &&
            place.member === locator.member &&
            place.entry === locator.entry,
        ),
      );
  }
}

/** Our own statement, of the files or of one part; nothing for a part that neither file has. */
async function resolveComparison(
  locator: LocatorOf<'comparison'>,
  reader: Pick<EvidenceReader, 'compare'>,
): Promise<ResolvedEvidence | undefined> {
  const comparison = await reader.compare(locator.artifact, locator.input);
  const found =
    locator.part === undefined
      ? comparison
      : comparison?.parts.find(({ part }) => part === locator.part);
  return found && { locator, text: found.statement, visibility: 'visible' };
}

/** What stands on a slide, or at the narrower place; the whole slide also has its page's image. */
function resolveSlide(
  locator: LocatorOf<'slide'>,
  entry: ArtifactEntry,
  segments: readonly TextSegment[],
): ResolvedEvidence | undefined {
  const found = segments.filter(
    ({ locator: place }) =>
      place.kind === 'slide' &&
      place.slide === locator.slide &&
      (locator.shape === undefined || place.shape === locator.shape) &&
      // Without a part, a shape is what it shows, and the whole slide is all that belongs to it.
      (place.part === locator.part ||
        (locator.part === undefined && locator.shape === undefined)) &&
      (locator.row === undefined || place.row === locator.row) &&
      (locator.column === undefined || place.column === locator.column) &&
      linesMeet(locator, place),
  );
  const { shape, part, row, column, from } = locator;
  const isWhole = [shape, part, row, column, from].every((field) => field === undefined);
  const page = isWhole
    ? entry.rendered.pages.find(({ source }) => source === slideSource(locator.slide))
    : undefined;
  const isSlide =
    isWhole && locator.slide >= 1 && locator.slide <= (entry.rendered.counts['slides'] ?? 0);
  const resolved =
    fromSegments(locator, found) ??
    (isSlide ? { locator, text: '', visibility: 'visible' as const } : undefined);
  return resolved && { ...resolved, ...(page ? { pageSha256: page.sha256 } : {}) };
}

/** A cell with its outputs, one output, or lines of either. An empty cell is there. */
function resolveNotebook(
  locator: LocatorOf<'notebook'>,
  entry: ArtifactEntry,
  segments: readonly TextSegment[],
): ResolvedEvidence | undefined {
  const hasLines = locator.from !== undefined;
  const found = segments.filter(
    ({ locator: place }) =>
      place.kind === 'notebook' &&
      place.cell === locator.cell &&
      (place.output === locator.output || (locator.output === undefined && !hasLines)) &&
      linesMeet(locator, place),
  );
  const isCell =
    locator.output === undefined &&
    !hasLines &&
    locator.cell >= 1 &&
    locator.cell <= (entry.rendered.counts['cells'] ?? 0);
  return (
    fromSegments(locator, found) ??
    (isCell ? { locator, text: '', visibility: 'visible' } : undefined)
  );
}

interface Lines {
  readonly from?: number;
  readonly to?: number;
}

/** Whether the wanted lines, or all where none are named, hold some of the place's. */
function linesMeet(wanted: Lines, place: Lines): boolean {
  if (wanted.from === undefined) return true;
  const to = wanted.to ?? wanted.from;
  return (place.from ?? 1) <= to && (place.to ?? place.from ?? Infinity) >= wanted.from;
}

/** Segments whose numbers meet the range, of lines or of one part's paragraphs. */
function overlapping(
  segments: readonly TextSegment[],
  range: LocatorOf<'lines'> | LocatorOf<'paragraph'>,
): TextSegment[] {
  return segments.filter(({ locator: place }) => {
    if (place.kind !== 'lines' && place.kind !== 'paragraph') return false;
    if (place.kind !== range.kind || partOf(place) !== partOf(range)) return false;
    return place.from <= range.to && place.to >= range.from;
  });
}

function partOf(locator: LocatorOf<'lines'> | LocatorOf<'paragraph'>): string {
  return locator.kind === 'paragraph' ? locator.part : '';
}

/** An empty line has no segment, but it is there. */
function emptyLine(
  locator: LocatorOf<'lines'>,
  entry: ArtifactEntry,
): ResolvedEvidence | undefined {
  const lines = entry.rendered.counts['lines'] ?? 0;
  const exists = locator.from >= 1 && locator.from <= locator.to && locator.from <= lines;
  return exists ? { locator, text: '', visibility: 'visible' } : undefined;
}

function resolvePage(
  locator: LocatorOf<'page'>,
  entry: ArtifactEntry,
  segments: readonly TextSegment[],
): ResolvedEvidence | undefined {
  const pageSha256 = entry.rendered.pages.find(({ page }) => page === locator.page)?.sha256;
  const ofPage = segments.filter(
    ({ locator: place }) =>
      place.kind === 'page' && place.page === locator.page && linesMeet(locator, place),
  );
  // What belongs to a page as a whole (raw order, OCR) is at a line only where no line is.
  const lines = ofPage.filter(
    ({ locator: place }) => place.kind === 'page' && place.from !== undefined,
  );
  const found = locator.from === undefined || lines.length === 0 ? ofPage : lines;
  const resolved =
    fromSegments(locator, found) ??
    (pageSha256 !== undefined && locator.from === undefined
      ? { locator, text: '', visibility: 'visible' as const }
      : undefined);
  return resolved && { ...resolved, ...(pageSha256 === undefined ? {} : { pageSha256 }) };
}

function fromSegments(
  locator: Locator,
  segments: readonly TextSegment[],
): ResolvedEvidence | undefined {
  if (segments.length === 0) return undefined;
  const textOf = (visibility: Visibility): string[] =>
    segments.filter((each) => each.visibility === visibility).map(({ text }) => text);
  const [seen, hidden] = [textOf('visible'), textOf('hidden')];
  if (seen.length === 0) return { locator, text: hidden.join('\n'), visibility: 'hidden' };
  return {
    locator,
    text: seen.join('\n'),
    visibility: 'visible',
    ...(hidden.length > 0 ? { hiddenText: hidden.join('\n') } : {}),
  };
}

async function resolveCells(
  locator: LocatorOf<'cells'>,
  reader: Pick<EvidenceReader, 'workbook'>,
): Promise<ResolvedEvidence | undefined> {
  const workbook = await reader.workbook(locator.artifact);
  const sheet = workbook?.sheets.find(({ name }) => name === locator.sheet);
  const range = parseRange(locator.range);
  if (!sheet || !range) return undefined;
  const isUnseen = unseenCells(sheet);
  const all = sheet.cells.filter(({ ref }) => {
    const place = parseCell(ref);
    return place !== undefined && rangeHolds(range, place.row, place.column);
  });
  const seen = all.filter((cell) => !isUnseen(cell));
  const isHidden = sheet.state !== 'visible' || (all.length > 0 && seen.length === 0);
  const cells = isHidden ? all : seen;
  return {
    locator,
    text: rowsOf(cells).join('\n'),
    visibility: isHidden ? 'hidden' : 'visible',
    cells,
  };
}

/** Whether a reader cannot see a cell: hidden row or column, white or tiny letters. */
function unseenCells(sheet: SheetFact): (cell: CellFact) => boolean {
  const rows = new Set(sheet.hiddenRows);
  const columns = sheet.hiddenColumns.map((name) =>
    parseRange(name.includes(':') ? name : `${name}:${name}`),
  );
  return ({ ref, flags }) => {
    const place = parseCell(ref);
    if (!place) return false;
    return (
      flags?.includes('unseen') === true ||
      rows.has(place.row) ||
      columns.some((range) => range && rangeHolds(range, place.row, place.column))
    );
  };
}

/** Shown texts, a line per row, as the text segments have them. */
function rowsOf(cells: readonly CellFact[]): string[] {
  const rows = new Map<number, string[]>();
  for (const cell of cells) {
    const row = parseCell(cell.ref)?.row ?? 0;
    const line = rows.get(row) ?? [];
    line.push(cell.shown);
    rows.set(row, line);
  }
  return [...rows.values()].map((line) => line.join(' | '));
}
