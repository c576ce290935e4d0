import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatOfName } from '../../activities/evidence/artifact-format';
import {
  type ArtifactResult,
  renderArtifact,
} from '../../activities/evidence/render/render-artifact';
import { outputFile } from '../../activities/evidence/renderer-output';
import { resolveLocator } from '../../activities/evidence/resolve-locator';
import {
  type ArtifactEntry,
  type RenderedArtifact,
  type TextSegment,
  type WorkbookFacts,
} from '../../core/evidence-view';
import { type ReadFile } from './markers';

const ARTIFACT = 'results/x';

/** What was read in this process, addressed as the judge would address it. */
export function readOfResult({ rendering, status }: ArtifactResult): ReadFile {
  const { format, counts, facts, warnings, segments, workbook } = rendering;
  const record = { format, status, counts, facts, warnings };
  return readFileOf(
    { v: 1, sha256: '', bytes: 0, pages: [], rendererRecipe: '', ...record },
    segments,
    workbook,
    (path) => Promise.resolve(rendering.members.find((each) => each.path === path)?.content),
  );
}

/** What a renderer left in its out folder. */
export async function readOfOutput(rendered: RenderedArtifact, outDir: string): Promise<ReadFile> {
  const json = async (part: { readonly sha256: string } | undefined): Promise<unknown> =>
    part && JSON.parse(Buffer.from(await outputFile(outDir, part.sha256)).toString('utf8'));
  return readFileOf(
    rendered,
    ((await json(rendered.text)) ?? []) as TextSegment[],
    (await json(rendered.workbook)) as WorkbookFacts | undefined,
    async (path) => {
      const member = rendered.members?.find((each) => each.path === path);
      return member && (await outputFile(outDir, member.sha256));
    },
  );
}

function readFileOf(
  rendered: RenderedArtifact,
  segments: readonly TextSegment[],
  workbook: WorkbookFacts | undefined,
  memberContent: (path: string) => Promise<Uint8Array | undefined>,
): ReadFile {
  const entry: ArtifactEntry = { artifact: ARTIFACT, origin: 'deliverable', rendered };
  const addressed = segments.map((segment) => ({
    ...segment,
    locator: { ...segment.locator, artifact: ARTIFACT },
  }));
  return {
    record: rendered,
    segments: addressed,
    workbook,
    member: async (path) => {
      const content = await memberContent(path);
      return content && readOfBytes(path, content);
    },
    resolve: (locator) =>
      resolveLocator({ ...locator, artifact: ARTIFACT }, entry, {
        segments: async () => addressed,
        workbook: async () => workbook,
        compare: async () => undefined,
      }),
  };
}

/** A file within another one, read in this process. */
async function readOfBytes(path: string, content: Uint8Array): Promise<ReadFile> {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-member-'));
  try {
    const source = join(folder, 'source');
    await writeFile(source, content);
    return readOfResult(await renderArtifact(source, formatOfName(path), undefined));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
