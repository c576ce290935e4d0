import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ARTIFACT_FORMATS,
  ARTIFACT_STATUSES,
  type ArtifactFormat,
  type RenderedArtifact,
} from '../../core/evidence-view';
import { Failure } from '../../core/failure';
import { type ContainerEnd } from './docker';
import { RESULT_FILE, type RendererOutput } from './render/write-result';

const MAX_RECORD_BYTES = 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** The record a renderer left; `undefined` where it left none. Throws `Failure('RenderUnavailable')` on a torn one. */
export async function outputOf(outDir: string): Promise<RendererOutput | undefined> {
  const bytes = await readOutputFile(join(outDir, RESULT_FILE), MAX_RECORD_BYTES);
  if (!bytes) return undefined;
  const output: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
  if (!isOutput(output))
    throw new Failure('RenderUnavailable', `${RESULT_FILE} of the renderer is not a record`);
  return output;
}

/** The shape as far as others build on it; the files that it names are checked when they are read. */
function isOutput(output: unknown): output is RendererOutput {
  if (typeof output !== 'object' || output === null) return false;
  const { v, status, format, counts, facts, warnings, pages } = output as Record<string, unknown>;
  return (
    v === 1 &&
    ARTIFACT_STATUSES.some((known) => known === status) &&
    ARTIFACT_FORMATS.some((known) => known === format) &&
    [counts, facts].every((each) => typeof each === 'object' && each !== null) &&
    Array.isArray(warnings) &&
    Array.isArray(pages)
  );
}

/**
 * A file named by its digest in the out folder. The folder was written where hostile files were read: links
 * are not followed, sizes are bounded, the digest is checked.
 */
export async function outputFile(outDir: string, sha256: string): Promise<Uint8Array> {
  if (!/^[0-9a-f]{64}$/u.test(sha256))
    throw new Failure('RenderUnavailable', `the renderer names a file ${sha256.slice(0, 80)}`);
  const bytes = await readOutputFile(join(outDir, sha256), MAX_FILE_BYTES);
  if (!bytes || createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Failure('RenderUnavailable', `the renderer left no file with digest ${sha256}`);
  return bytes;
}

async function readOutputFile(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat();
      if (size > maxBytes)
        throw new Failure('RenderUnavailable', `${path} has ${size} bytes, over ${maxBytes}`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    return undefined;
  }
}

/** The record of a file whose renderer left none: it took the renderer down. */
export function describeUnrenderable(
  source: Uint8Array,
  format: ArtifactFormat,
  recipe: string,
  end: ContainerEnd,
): RenderedArtifact {
  return {
    v: 1,
    sha256: createHash('sha256').update(source).digest('hex'),
    bytes: source.length,
    format,
    status: 'refused',
    reason: end.reason === '' ? 'the renderer left no record' : end.reason,
    counts: {},
    facts: {},
    warnings: [],
    pages: [],
    rendererRecipe: recipe,
  };
}
