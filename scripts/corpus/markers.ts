import { parseRange } from '../../core/cell-range';
import {
  type RenderedArtifact,
  type TextSegment,
  type WorkbookFacts,
} from '../../core/evidence-view';
import { type Locator, parseLocator, printLocator } from '../../core/locator';
import { type ResolvedEvidence } from '../../core/evidence-view';
import { type LocatedFile, type Marker } from './listing';

/** What was read of one file. */
export interface ReadFile {
  readonly record: Pick<RenderedArtifact, 'counts' | 'facts' | 'warnings'>;
  readonly segments: readonly TextSegment[];
  readonly workbook: WorkbookFacts | undefined;
  resolve(locator: Locator): Promise<ResolvedEvidence | undefined>;
  /** What is read of a file within it; `undefined` where none of that path is handed out. */
  member(path: string): Promise<ReadFile | undefined>;
}

/** What is wrong with the view of a file, a sentence each; empty when every marker and count is as listed. */
export async function faultsOf(file: LocatedFile, read: ReadFile): Promise<string[]> {
  const faults = Object.entries(file.counts ?? {}).flatMap(([name, expected]) => {
    const found = read.record.counts[name] ?? 0;
    return found === expected ? [] : [`${name}: ${found} counted, ${expected} are there`];
  });
  for (const marker of file.markers) faults.push(...(await faultsOfMarker(marker, read)));
  return faults;
}

async function faultsOfMarker(whole: Marker, read: ReadFile): Promise<string[]> {
  const { member, ...marker } = whole;
  const { text, locator, where } = marker;
  if (member !== undefined) {
    const inner = await read.member(member);
    return inner
      ? faultsOfMarker(marker, inner)
      : [`${text}: ${member} is not read as a file of its own`];
  }
  switch (where) {
    case 'workbook':
      return once(marker, JSON.stringify(factsWithoutCells(read.workbook)));
    case 'record':
      return once(marker, JSON.stringify(read.record));
    case 'present':
      return read.segments.some((segment) => segment.text.includes(text))
        ? []
        : [`${text}: nowhere in the text`];
    case 'formula':
      return faultsOfFormula(marker, read);
    default: {
      const holding = read.segments.filter((segment) => segment.text.includes(text));
      const faults = faultsOfPlaces(marker, holding);
      if (faults.length > 0) return faults;
      const places = new Set([locator, ...holding.map((each) => fragmentOf(each.locator))]);
      return (
        await Promise.all([...places].map((place) => unresolved(marker, place, read)))
      ).flat();
    }
  }
}

function factsWithoutCells(workbook: WorkbookFacts | undefined): unknown {
  return (
    workbook && { ...workbook, sheets: workbook.sheets.map((sheet) => ({ ...sheet, cells: [] })) }
  );
}

function once({ text }: Marker, json: string | undefined): string[] {
  const quoted = JSON.stringify(text).slice(1, -1);
  const times = Math.max((json ?? '').split(text).length, (json ?? '').split(quoted).length) - 1;
  return times === 1 ? [] : [`${text}: ${times} times among the facts`];
}

async function faultsOfFormula(marker: Marker, read: ReadFile): Promise<string[]> {
  const cells = (read.workbook?.sheets ?? []).flatMap((sheet) =>
    sheet.cells.filter(({ formula }) => formula?.includes(marker.text)),
  );
  if (cells.length !== 1) return [`${marker.text}: in the formulas of ${cells.length} cells`];
  const found = await read.resolve(locatorOf(marker.locator));
  return found?.cells?.some(({ formula }) => formula?.includes(marker.text)) === true
    ? []
    : [`${marker.text}: ${marker.locator} does not lead to its formula`];
}

/** Wrong number of places, wrong place, wrong visibility or wrong label. */
function faultsOfPlaces(marker: Marker, holding: readonly TextSegment[]): string[] {
  const { text, locator, labels, visibility = 'visible' } = marker;
  const places = holding.map((each) => `${fragmentOf(each.locator)} ${each.label ?? ''}`.trim());
  const expected = [locator, ...(marker.also ?? [])];
  if (holding.length !== (labels?.length ?? expected.length))
    return [`${text}: ${holding.length} times (${places.join(', ')}); expected at ${locator}`];
  if (
    labels &&
    String(holding.map(({ label }) => label ?? '').sort()) !== String([...labels].sort())
  )
    return [`${text}: labelled ${places.join(', ')}; expected ${labels.join(', ')}`];
  return holding.flatMap((segment) => {
    if (segment.visibility !== visibility) return [`${text}: ${segment.visibility}`];
    if (segment.text.split(text).length !== 2) return [`${text}: more than once in one segment`];
    return expected.some((place) => covers(segment.locator, locatorOf(place)))
      ? []
      : [`${text}: at ${fragmentOf(segment.locator)}; expected at ${expected.join(', ')}`];
  });
}

async function unresolved(marker: Marker, place: string, read: ReadFile): Promise<string[]> {
  const printed = printLocator(locatorOf(place));
  const parsed = parseLocator(printed);
  if (!parsed) return [`${marker.text}: ${printed} cannot be parsed`];
  const found = await read.resolve(parsed);
  if (found?.text.includes(marker.text) === true) return [];
  return found && sharesAddress(marker, place, read)
    ? []
    : [`${marker.text}: ${place} does not resolve to it`];
}

/**
 * Hidden words whose address is that of something seen, which it resolves to: properties of the whole file, words
 * on a page, hidden runs of a paragraph. They are found as text, with that address.
 */
function sharesAddress({ visibility }: Marker, place: string, { segments }: ReadFile): boolean {
  if (visibility !== 'hidden') return false;
  if (place === 'file' || place.startsWith('page=')) return true;
  return segments.some(
    (each) => each.visibility === 'visible' && fragmentOf(each.locator) === place,
  );
}

/** Whether the place of a segment is, or holds, the expected one. */
function covers(place: Locator, expected: Locator): boolean {
  if (place.kind === 'cells' && expected.kind === 'cells') {
    const [outer, inner] = [parseRange(place.range), parseRange(expected.range)];
    if (!outer || !inner || place.sheet !== expected.sheet) return false;
    return (
      [outer.fromRow <= inner.fromRow, outer.toRow >= inner.toRow].every(Boolean) &&
      [outer.fromColumn <= inner.fromColumn, outer.toColumn >= inner.toColumn].every(Boolean)
    );
  }
  if (place.kind === 'page' && expected.kind === 'page' && expected.from === undefined)
    return place.page === expected.page;
  return fragmentOf(place) === fragmentOf(expected);
}

function locatorOf(fragment: string): Locator {
  const locator = parseLocator(`results/x#${fragment}`);
  if (!locator) throw new Error(`the listing has a locator that cannot be parsed: ${fragment}`);
  return locator;
}

function fragmentOf(locator: Locator): string {
  return printLocator({ ...locator, artifact: 'x' }).slice(2);
}
