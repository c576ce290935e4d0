import { parseCell, parseRange, rangeHolds } from '../../core/cell-range';
import {
  type ArtifactEntry,
  type CellFact,
  type ResolvedEvidence,
  type SheetFact,
  type TextSegment,
  type Visibility,
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
  reader: Pick<EvidenceReader, 'segments' | 'workbook'>,
): Promise<ResolvedEvidence | undefined> {
  if (locator.kind === 'cells') return resolveCells(locator, reader);
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
  }
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
  const from = locator.from ?? 1;
  const to = locator.from === undefined ? Infinity : (locator.to ?? locator.from);
  const found = segments.filter(
    ({ locator: place }) =>
      place.kind === 'page' &&
      place.page === locator.page &&
      (place.from ?? 1) <= to &&
      (place.to ?? place.from ?? Infinity) >= from,
  );
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
  const seen = segments.filter(({ visibility }) => visibility === 'visible');
  const [shown, visibility]: [readonly TextSegment[], Visibility] =
    seen.length > 0 ? [seen, 'visible'] : [segments, 'hidden'];
  return { locator, text: shown.map(({ text }) => text).join('\n'), visibility };
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
