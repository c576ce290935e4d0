import { createHash } from 'node:crypto';
import { cellName, parseCell, parseRange, rangeHolds } from '../../../core/cell-range';
import {
  type ArtifactEntry,
  type ArtifactFormat,
  type CellFact,
  type ResolvedEvidence,
  type SheetFact,
  type TextSegment,
  type WorkbookFacts,
} from '../../../core/evidence-view';
import { type Locator, printLocator } from '../../../core/locator';
import { compareArtifacts } from '../../../activities/evidence/compare/compare-artifacts';
import { pairedInput } from '../../../activities/evidence/compare/pair-inputs';
import { resolveLocator } from '../../../activities/evidence/resolve-locator';
import { type EvidenceReader } from '../../../activities/evidence/port';

export interface FakeArtifact {
  readonly artifact: string;
  readonly format?: ArtifactFormat;
  readonly lines?: readonly string[];
  readonly hiddenLines?: readonly string[];
  readonly sheets?: Readonly<Record<string, readonly (readonly CellContent[])[]>>;
  readonly hiddenSheets?: readonly string[];
  readonly comments?: Readonly<Record<string, string>>;
  /** JPEG bytes by page. */
  readonly pages?: readonly Uint8Array[];
}
type CellContent = string | number | Partial<CellFact> | null;

const digest = (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex');

/** Evidence made of literals: lines, cells and pages, with the port's semantics. */
export function fakeEvidence(artifacts: readonly FakeArtifact[]): EvidenceReader {
  const find = (name: string) => artifacts.find(({ artifact }) => artifact === name);
  const entries = artifacts.map(toEntry);
  const reader: EvidenceReader = {
    view: {
      v: 1,
      taskDigest: digest('task'),
      deliverablesDigest: digest(JSON.stringify(artifacts)),
      rendererRecipe: 'recipe',
      entries,
      refused: [],
    },
    segments: async (name) => segmentsOf(find(name)),
    workbook: async (name) => workbookOf(find(name)),
    pageImage: async (name, page) => find(name)?.pages?.[page - 1],
    resolve: async (locator) =>
      locator.kind === 'comparison'
        ? resolveLocator(locator, entries[0] as ArtifactEntry, reader)
        : resolveIn(find(locator.artifact), locator),
    inputOf: (name) => pairedInput(name, entries),
    compare: (name, input) => compareArtifacts(reader, name, input),
    original: async (name) => Buffer.from((find(name)?.lines ?? []).join('\n')),
  };
  return reader;
}

function toEntry(artifact: FakeArtifact): ArtifactEntry {
  return {
    artifact: artifact.artifact,
    origin: artifact.artifact.startsWith('results/') ? 'deliverable' : 'input',
    rendered: {
      v: 1,
      sha256: digest(JSON.stringify(artifact)),
      bytes: 100,
      format: artifact.format ?? (artifact.sheets ? 'xlsx' : 'text'),
      status: 'rendered',
      counts: { segments: segmentsOf(artifact).length },
      facts: {},
      warnings: [],
      pages: (artifact.pages ?? []).map((bytes, at) => ({
        page: at + 1,
        sha256: digest(bytes),
        bytes: bytes.byteLength,
        widthPixels: 10,
        heightPixels: 10,
      })),
      rendererRecipe: 'recipe',
    },
  };
}

function segmentsOf(artifact: FakeArtifact | undefined): TextSegment[] {
  if (!artifact) return [];
  const texts = [
    ...(artifact.lines ?? []).map((text) => ({ text, visibility: 'visible' as const })),
    ...(artifact.hiddenLines ?? []).map((text) => ({ text, visibility: 'hidden' as const })),
  ];
  const lines = texts.map((entry, at) => ({
    ...entry,
    locator: { artifact: artifact.artifact, kind: 'lines' as const, from: at + 1, to: at + 1 },
  }));
  const rows = Object.entries(artifact.sheets ?? {}).flatMap(([sheet, content]) =>
    content.map((row, at): TextSegment => ({
      locator: { artifact: artifact.artifact, kind: 'cells', sheet, range: `A${at + 1}` },
      text: row.map((cell) => (cell === null ? '' : shownOf(cell))).join(' | '),
      visibility: artifact.hiddenSheets?.includes(sheet) ? 'hidden' : 'visible',
    })),
  );
  return [...lines, ...rows];
}

function workbookOf(artifact: FakeArtifact | undefined): WorkbookFacts | undefined {
  if (!artifact?.sheets) return undefined;
  const sheets = Object.entries(artifact.sheets).map(([name, rows]): SheetFact => {
    const cells = rows.flatMap((row, r) =>
      row.flatMap((cell, c) => (cell === null ? [] : [toCell(cell, cellName(r + 1, c + 1))])),
    );
    return {
      name,
      state: artifact.hiddenSheets?.includes(name) ? 'veryHidden' : 'visible',
      usedRange: 'A1:Z99',
      cellCount: cells.length,
      formulaCount: cells.filter(({ formula }) => formula !== undefined).length,
      errorCount: 0,
      merged: [],
      hiddenRows: [],
      hiddenColumns: [],
      tables: [],
      charts: [],
      comments: Object.entries(artifact.comments ?? {}).map(([ref, text]) => ({
        ref,
        author: 'x',
        text,
      })),
      validations: [],
      conditionalFormats: [],
      images: 0,
      cells,
    };
  });
  return { sheets, definedNames: [], partCounts: { sheets: sheets.length }, warnings: [] };
}

function shownOf(cell: Exclude<CellContent, null>): string {
  return typeof cell === 'object' ? (cell.shown ?? String(cell.value)) : String(cell);
}

function toCell(cell: Exclude<CellContent, null>, ref: string): CellFact {
  const facts = typeof cell === 'object' ? cell : { value: cell };
  return { value: null, ...facts, ref, shown: shownOf(cell) };
}

function resolveIn(
  artifact: FakeArtifact | undefined,
  locator: Locator,
): ResolvedEvidence | undefined {
  if (!artifact) return undefined;
  if (locator.kind === 'cells') return resolveCells(artifact, locator);
  if (locator.kind === 'page') {
    const page = artifact.pages?.[locator.page - 1];
    if (!page) return undefined;
    return { locator, text: '', visibility: 'visible', pageSha256: digest(page) };
  }
  if (locator.kind !== 'lines') return undefined;
  const inside = segmentsOf(artifact).filter(
    (segment) =>
      segment.locator.kind === 'lines' &&
      segment.locator.from >= locator.from &&
      segment.locator.to <= locator.to,
  );
  if (inside.length === 0) return undefined;
  return {
    locator,
    text: inside.map(({ text }) => text).join('\n'),
    visibility: inside.every(({ visibility }) => visibility === 'hidden') ? 'hidden' : 'visible',
  };
}

function resolveCells(
  artifact: FakeArtifact,
  locator: Extract<Locator, { kind: 'cells' }>,
): ResolvedEvidence | undefined {
  const sheet = workbookOf(artifact)?.sheets.find(({ name }) => name === locator.sheet);
  const range = parseRange(locator.range);
  if (!sheet || !range) return undefined;
  const cells = sheet.cells.filter(({ ref }) => {
    const at = parseCell(ref);
    return at !== undefined && rangeHolds(range, at.row, at.column);
  });
  return {
    locator,
    cells,
    text: cells.map(({ shown }) => shown).join('\n'),
    visibility: sheet.state === 'visible' ? 'visible' : 'hidden',
  };
}

export function locatorText(locator: Locator): string {
  return printLocator(locator);
}
