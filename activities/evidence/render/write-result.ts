import { createHash } from 'node:crypto';
import { readFile, writeFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type PageImage,
  type RenderedArtifact,
  type UnpackedMember,
} from '../../../core/evidence-view';
import { type ArtifactResult } from './render-artifact';

export const RESULT_FILE = 'artifact.json';

/** What the renderer leaves; the recipe is added by who started it. */
export type RendererOutput = Omit<RenderedArtifact, 'rendererRecipe'>;

/**
 * Writes text, workbook and pages under their digests, then `artifact.json` that names them, by rename: a
 * killed renderer leaves either the last whole record or none.
 */
export async function writeResult(
  result: ArtifactResult,
  sourcePath: string,
  outDir: string,
): Promise<void> {
  const { rendering, status, reason } = result;
  const source = await readFile(sourcePath);
  const keep = async (content: Uint8Array): Promise<{ sha256: string; bytes: number }> => {
    const sha256 = digest(content);
    await writeFile(join(outDir, sha256), content);
    return { sha256, bytes: content.length };
  };
  const pages: PageImage[] = [];
  const hidden = rendering.hidden();
  for (const { jpeg, isBlank: _isBlank, ...page } of rendering.pages)
    pages.push({ ...page, ...(await keep(jpeg)) });
  const members: UnpackedMember[] = [];
  for (const { path, content } of rendering.members)
    members.push({ path, ...(await keep(content)) });
  const output: RendererOutput = {
    v: 1,
    sha256: digest(source),
    bytes: source.length,
    format: rendering.format,
    status,
    ...(reason === undefined ? {} : { reason }),
    counts: rendering.counts,
    facts: rendering.facts,
    warnings: rendering.warnings,
    ...(hidden.length > 0 ? { hidden } : {}),
    ...(rendering.segments.length > 0
      ? { text: await keep(Buffer.from(JSON.stringify(rendering.segments))) }
      : {}),
    ...(rendering.workbook
      ? { workbook: await keep(Buffer.from(JSON.stringify(rendering.workbook))) }
      : {}),
    pages,
    ...(members.length > 0 ? { members } : {}),
    ...(rendering.localImages.length > 0 ? { localImages: rendering.localImages } : {}),
  };
  const part = join(outDir, `${RESULT_FILE}.part`);
  await writeFile(part, JSON.stringify(bounded(output)));
  await rename(part, join(outDir, RESULT_FILE));
}

/** A record that its readers take: whatever a file fills it with, its identity, status and files stay. */
function bounded(output: RendererOutput): RendererOutput {
  if (fits(output)) return output;
  const { localImages: _images, hidden, ...rest } = output;
  const facts = Object.fromEntries(
    Object.entries(output.facts).filter(([, value]) => String(value).length <= MAX_FACT_LETTERS),
  );
  const warnings = output.warnings.slice(0, 20).map((each) => each.slice(0, MAX_FACT_LETTERS));
  const small = {
    ...rest,
    facts,
    warnings: [...warnings, 'the record was longer than it may be, and is cut'],
    ...(hidden ? { hidden: hidden.map((each) => ({ ...each, places: [] })) } : {}),
  };
  const { members: _members, ...smallest } = small;
  return fits(small) ? small : smallest;
}

const MAX_FACT_LETTERS = 300;
/** Under what those take who read it. */
const MAX_RECORD_BYTES = 900 * 1024;

function fits(output: RendererOutput): boolean {
  return Buffer.byteLength(JSON.stringify(output)) <= MAX_RECORD_BYTES;
}

function digest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
