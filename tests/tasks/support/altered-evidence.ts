import { compareArtifacts } from '../../../activities/evidence/compare/compare-artifacts';
import { resolveLocator } from '../../../activities/evidence/resolve-locator';
import { type EvidenceReader } from '../../../activities/evidence/port';
import { parseRange } from '../../../core/cell-range';
import { type CellFact, type TextSegment, type WorkbookFacts } from '../../../core/evidence-view';
import { type Locator } from '../../../core/locator';

/** The same evidence with other words at the cited place: every letter, digit and value there is changed. */
export function alterAt(reader: EvidenceReader, cited: Locator): EvidenceReader {
  return withContent(reader, {
    segments: (artifact, segments) =>
      artifact !== cited.artifact
        ? segments
        : segments.map((segment) =>
            isWithin(segment.locator, cited)
              ? { ...segment, text: otherWords(segment.text) }
              : segment,
          ),
    workbook: (artifact, facts) =>
      artifact !== cited.artifact || cited.kind !== 'cells' ? facts : alterCells(facts, cited),
  });
}

/** The same evidence with one more line at the end of an artifact. */
export function addLine(reader: EvidenceReader, artifact: string, text: string): EvidenceReader {
  return withContent(reader, {
    segments: (name, segments) => {
      const last = segments.at(-1);
      if (name !== artifact || last === undefined) return segments;
      return [...segments, { locator: last.locator, visibility: 'visible', text }];
    },
    workbook: (_, facts) => facts,
  });
}

function withContent(
  reader: EvidenceReader,
  change: {
    segments(artifact: string, segments: readonly TextSegment[]): readonly TextSegment[];
    workbook(artifact: string, facts: WorkbookFacts): WorkbookFacts;
  },
): EvidenceReader {
  const altered: EvidenceReader = {
    ...reader,
    segments: async (artifact) => change.segments(artifact, await reader.segments(artifact)),
    workbook: async (artifact) => {
      const facts = await reader.workbook(artifact);
      return facts === undefined ? undefined : change.workbook(artifact, facts);
    },
    compare: (artifact, input) => compareArtifacts(altered, artifact, input),
    resolve: async (locator) => {
      const entry = reader.view.entries.find((one) => one.artifact === locator.artifact);
      return entry === undefined ? undefined : resolveLocator(locator, entry, altered);
    },
  };
  return altered;
}

function isWithin(place: Locator, cited: Locator): boolean {
  if (place.kind === 'page' && cited.kind === 'page') {
    const from = place.from ?? 0;
    return place.page === cited.page && from >= (cited.from ?? 0) && from <= (cited.to ?? Infinity);
  }
  if (place.kind === 'lines' && cited.kind === 'lines')
    return place.from >= cited.from && place.to <= cited.to;
  if (place.kind === 'paragraph' && cited.kind === 'paragraph')
    return place.part === cited.part && place.from >= cited.from && place.to <= cited.to;
  if (place.kind === 'table' && cited.kind === 'table')
    return (
      place.table === cited.table &&
      (cited.row === undefined || place.row === cited.row) &&
      (cited.column === undefined || place.column === cited.column)
    );
  return false;
}

function alterCells(
  facts: WorkbookFacts,
  cited: Extract<Locator, { kind: 'cells' }>,
): WorkbookFacts {
  const range = parseRange(cited.range);
  if (range === undefined) throw new Error(`${cited.range} is no range`);
  const cells = (all: readonly CellFact[]) =>
    all.map((cell) => {
      const at = parseRange(cell.ref);
      const inside =
        at !== undefined &&
        at.fromRow >= range.fromRow &&
        at.toRow <= range.toRow &&
        at.fromColumn >= range.fromColumn &&
        at.toColumn <= range.toColumn;
      return inside ? otherCell(cell) : cell;
    });
  return {
    ...facts,
    sheets: facts.sheets.map((sheet) =>
      sheet.name === cited.sheet ? { ...sheet, cells: cells(sheet.cells) } : sheet,
    ),
  };
}

function otherCell({ formula, cached, recalculated, ...cell }: CellFact): CellFact {
  return {
    ...cell,
    value: cell.value === null ? null : otherValue(cell.value),
    shown: otherWords(cell.shown),
    ...(formula === undefined ? {} : { formula: `${formula}+1` }),
    ...(cached === undefined ? {} : { cached: otherValue(cached) }),
    ...(recalculated === undefined ? {} : { recalculated: otherValue(recalculated) }),
  };
}

function otherValue(value: string | number | boolean): string | number | boolean {
  if (typeof value === 'number') return value + 1;
  return typeof value === 'string' ? otherWords(value) : !value;
}

/** Same length, other letters and digits. */
function otherWords(text: string): string {
  return text
    .replace(/[0-9]/gu, (digit) => String((Number(digit) + 1) % 10))
    .replace(/\p{Script=Han}/gu, '某')
    .replace(/[a-yA-Y]/gu, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1));
}
