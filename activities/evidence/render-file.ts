import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArtifactFormat, type RenderedArtifact } from '../../core/evidence-view';
import { canonicalJson, storeKeys } from '../../core/ids';
import { type FileReference } from '../../core/task';
import { type ObjectStore, type StoreScope } from '../store/port';
import { type Renderer } from './port';
import { readRecord } from './read-record';
import { type LeaseTimings, onceUnderLease } from './render-lease';
import { outputFile } from './renderer-output';
import { RenderingsUnderWay } from './renderings-under-way';

export interface EvidenceDependencies {
  readonly store: ObjectStore;
  readonly renderer: Renderer;
  /** Writable folder on this host, visible to the Docker daemon under the same path. */
  readonly scratchDir: string;
  /** Shared by all that render in this process. @default no sharing beyond what the store has */
  readonly underWay?: RenderingsUnderWay;
  /** How processes that share the store wait for each other's renderings. */
  readonly leaseTimings?: LeaseTimings;
}

interface FileToRender {
  readonly file: FileReference;
  readonly format: ArtifactFormat;
  readonly scope: StoreScope;
}

/**
 * One file's record: from the store, from whoever is rendering it at this moment, in this process or in another one
 * that shares the store, or rendered now. Throws what store and renderer throw.
 */
export async function renderedArtifact(
  deps: EvidenceDependencies,
  wanted: FileToRender,
  signal: AbortSignal | undefined,
): Promise<RenderedArtifact> {
  const { store, renderer, underWay = new RenderingsUnderWay() } = deps;
  const { format, file } = wanted;
  const key = storeKeys.rendered(renderer.recipe, format, file.sha256);
  const folder = storeKeys.renderClaims(renderer.recipe, format, file.sha256);
  const find = (): Promise<RenderedArtifact | undefined> => readRecord(store, key);
  const make = (): Promise<RenderedArtifact> => renderFile(deps, wanted, key, signal);
  const once = async (): Promise<RenderedArtifact> =>
    (await find()) ??
    (renderer.isQuick === true
      ? make()
      : onceUnderLease(store, { folder, find, make }, signal, deps.leaseTimings));
  return underWay.once(key, once, signal);
}

/** A process that was taken for dead may be at the same file: the second record is dropped for the first one. */
async function renderFile(
  { store, renderer, scratchDir }: EvidenceDependencies,
  { file, format, scope }: FileToRender,
  key: string,
  signal: AbortSignal | undefined,
): Promise<RenderedArtifact> {
  const folder = await mkdtemp(join(scratchDir, 'render-'));
  try {
    const job = { sourcePath: join(folder, 'source'), outDir: join(folder, 'out'), format };
    await store.getBlobToFile(scope, file.sha256, job.sourcePath);
    const rendered = await renderer.render(signal ? { ...job, signal } : job);
    // The file's identity is the store's word, not the container's.
    const record = { ...rendered, sha256: file.sha256, bytes: file.bytes };
    const parts = [rendered.text, rendered.workbook, ...rendered.pages];
    for (const part of [...parts, ...(rendered.members ?? [])])
      if (part) await store.putBlob('sealed', await outputFile(job.outDir, part.sha256));
    const outcome = await store.putRecord(key, canonicalJson(record));
    return outcome === 'created'
      ? record
      : ((await readRecord<RenderedArtifact>(store, key)) ?? record);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
