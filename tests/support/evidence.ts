import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatOfName } from '../../activities/evidence/artifact-format';
import { compareArtifacts } from '../../activities/evidence/compare/compare-artifacts';
import { pairedInput } from '../../activities/evidence/compare/pair-inputs';
import { type EvidenceReader } from '../../activities/evidence/port';
import {
  renderArtifact,
  type ArtifactResult,
} from '../../activities/evidence/render/render-artifact';
import { resolveLocator } from '../../activities/evidence/resolve-locator';
import { cellName } from '../../core/cell-range';
import {
  type ArtifactEntry,
  type CellFact,
  type RenderedArtifact,
  type SheetFact,
  type TextSegment,
  type WorkbookFacts,
} from '../../core/evidence-view';

export function evidenceFixture(name: string): string {
  return join(__dirname, '..', 'fixtures', 'evidence', name);
}

/** Reads a fixture in this process: no pages, no PDFs, no recalculation. */
export function readFixture(name: string): Promise<ArtifactResult> {
  return renderArtifact(evidenceFixture(name), formatOfName(name), undefined);
}

/** Reads bytes as if they were a delivered file of that name. */
export async function readBytes(name: string, content: Uint8Array): Promise<ArtifactResult> {
  const folder = await mkdtemp(join(tmpdir(), 'evidence-'));
  try {
    const path = join(folder, 'source');
    await writeFile(path, content);
    return await renderArtifact(path, formatOfName(name), undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface TestArtifact {
  readonly rendered?: Partial<RenderedArtifact>;
  readonly segments?: readonly TextSegment[];
  readonly workbook?: WorkbookFacts;
}

/** Evidence at hand, by artifact (`results/...`, `inputs/...`). */
export function evidenceOf(artifacts: Readonly<Record<string, TestArtifact>>): EvidenceReader {
  const entries = Object.entries(artifacts).map(([artifact, { rendered }]): ArtifactEntry => ({
    artifact,
    origin: artifact.startsWith('results/') ? 'deliverable' : 'input',
    rendered: {
      v: 1,
      sha256: '0'.repeat(64),
      bytes: 100,
      format: formatOfName(artifact),
      status: 'rendered',
      counts: {},
      facts: {},
      warnings: [],
      pages: [],
      rendererRecipe: 'test',
      ...rendered,
    },
  }));
  const reader: EvidenceReader = {
    view: {
      v: 1,
      taskDigest: 'task',
      deliverablesDigest: 'deliverables',
      rendererRecipe: 'test',
      entries,
      refused: [],
    },
    segments: async (artifact) =>
      (artifacts[artifact]?.segments ?? []).map((segment) => ({
        ...segment,
        locator: { ...segment.locator, artifact },
      })),
    workbook: async (artifact) => artifacts[artifact]?.workbook,
    pageImage: async () => undefined,
    resolve: async (locator) => {
      const entry = entries.find(({ artifact }) => artifact === locator.artifact);
      return entry && resolveLocator(locator, entry, reader);
    },
    inputOf: (artifact) => pairedInput(artifact, entries),
    compare: (artifact, input) => compareArtifacts(reader, artifact, input),
    original: async () => new Uint8Array(),
  };
  return reader;
}

/** Evidence of what this process reads of a fixture, under `results/<name>`. */
export async function evidenceOfFixture(name: string): Promise<EvidenceReader> {
  const { rendering, status } = await readFixture(name);
  const { format, counts, facts, segments, workbook } = rendering;
  return evidenceOf({
    [`results/${name}`]: {
      rendered: { format, status, counts, facts },
      segments,
      ...(workbook ? { workbook } : {}),
    },
  });
}

/** A cell's value, or its facts where more is wanted. */
export type TestCell = string | number | boolean | null | Partial<CellFact>;

export function sheetOf(
  name: string,
  rows: readonly (readonly TestCell[])[],
  extra: Partial<SheetFact> = {},
): SheetFact {
  const cells = rows.flatMap((row, rowIndex) =>
    row.flatMap((cell, columnIndex): CellFact[] => {
      if (cell === null) return [];
      const ref = cellName(rowIndex + 1, columnIndex + 1);
      const facts = typeof cell === 'object' ? cell : { value: cell };
      const value = facts.value ?? null;
      return [{ ref, value, shown: value === null ? '' : String(value), ...facts }];
    }),
  );
  return {
    name,
    state: 'visible',
    usedRange: cells.length > 0 ? `A1:${cells.at(-1)?.ref ?? 'A1'}` : '',
    cellCount: cells.length,
    formulaCount: cells.filter(({ formula }) => formula !== undefined).length,
    errorCount: cells.filter(({ error }) => error !== undefined).length,
    merged: [],
    hiddenRows: [],
    hiddenColumns: [],
    tables: [],
    charts: [],
    comments: [],
    validations: [],
    conditionalFormats: [],
    images: 0,
    cells,
    ...extra,
  };
}

/** Evidence with one workbook, `results/book.xlsx`. */
export function workbookEvidence(...sheets: readonly SheetFact[]): EvidenceReader {
  return evidenceOf({
    'results/book.xlsx': {
      workbook: { sheets, definedNames: [], partCounts: {}, warnings: [] },
    },
  });
}

/** Evidence with one text file, a segment per line. */
export function textEvidence(name: string, lines: readonly string[]): EvidenceReader {
  return evidenceOf({
    [`results/${name}`]: {
      segments: lines.flatMap((text, index): TextSegment[] =>
        text === ''
          ? []
          : [
              {
                locator: { artifact: '', kind: 'lines', from: index + 1, to: index + 1 },
                text,
                visibility: 'visible',
              },
            ],
      ),
    },
  });
}
