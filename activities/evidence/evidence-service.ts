import { mkdir } from 'node:fs/promises';
import {
  type ArtifactEntry,
  type ArtifactFormat,
  type EvidenceView,
  type RenderedArtifact,
} from '../../core/evidence-view';
import { Failure } from '../../core/failure';
import { canonicalJson, storeKeys } from '../../core/ids';
import { memberArtifact, parentArtifact } from '../../core/locator';
import { type DeliverableManifest } from '../../core/run';
import { type FileReference, type PlannedTask } from '../../core/task';
import { type ObjectStore, type StoreScope } from '../store/port';
import { formatOfName, languageOfName } from './artifact-format';
import { fitRecord } from './fit-record';
import { withImages } from './local-images';
import { readRecord } from './read-record';
import { type EvidenceDependencies, renderedArtifact } from './render-file';

export { type EvidenceDependencies } from './render-file';

/** Artifacts of one run that are rendered at once. */
const AT_ONCE = 2;
/** Files rendered per run and origin; what is beyond is listed with that reason. */
const MAX_RENDERED = 200;
/** Files listed per run and origin; the number of those beyond is stated. */
const MAX_LISTED = 1_000;
/** Archives within archives that are opened. */
const MAX_NESTING = 2;

export interface BuildViewInput {
  readonly task: Pick<PlannedTask, 'digest' | 'files'>;
  readonly deliverables: DeliverableManifest;
  readonly signal?: AbortSignal;
}

export interface BuiltView {
  readonly viewKey: string;
  readonly view: EvidenceView;
}

/**
 * Renders a run's deliverables and the task's pristine inputs and writes the view; what the store already
 * has by content digest and renderer recipe is taken from there. Throws what store and renderer throw.
 */
export async function buildView(
  deps: EvidenceDependencies,
  { task, deliverables, signal }: BuildViewInput,
): Promise<BuiltView> {
  const { store, renderer } = deps;
  const viewKey = storeKeys.view(task.digest, deliverables.digest, renderer.recipe);
  const known = await readView(store, viewKey);
  if (known) return { viewKey, view: known };
  await mkdir(deps.scratchDir, { recursive: true });
  const results = selectFiles(deliverables.files, 'results', 'deliverable');
  const inputs = selectFiles(task.files, 'inputs', 'input');
  const entries = [
    ...(await renderAll(deps, results.listed, signal)),
    ...(await renderAll(deps, inputs.listed, signal)),
  ];
  const fitted = fitRecord(withImages(entries));
  const unlisted = results.beyond + inputs.beyond + fitted.leftOut;
  const view: EvidenceView = {
    v: 1,
    taskDigest: task.digest,
    deliverablesDigest: deliverables.digest,
    rendererRecipe: renderer.recipe,
    entries: fitted.entries,
    refused: [
      ...deliverables.refused,
      ...(unlisted > 0 ? [{ path: '', reason: `${unlisted} more files are not listed` }] : []),
    ],
  };
  const outcome = await store.putRecord(viewKey, canonicalJson(view));
  return {
    viewKey,
    view: outcome === 'created' ? view : ((await readView(store, viewKey)) ?? view),
  };
}

/** Throws `Failure('InvalidInput')` when the store has no such view. */
export async function loadView(store: ObjectStore, viewKey: string): Promise<EvidenceView> {
  const view = await readView(store, viewKey);
  if (!view)
    throw new Failure('InvalidInput', `no evidence view ${viewKey} in ${store.description}`);
  return view;
}

function readView(store: ObjectStore, key: string): Promise<EvidenceView | undefined> {
  return readRecord(store, key);
}

interface ListedFile {
  readonly artifact: string;
  readonly origin: ArtifactEntry['origin'];
  readonly file: FileReference;
  readonly isRendered: boolean;
}

/**
 * Renders files and then what they hold, level by level: members of archives are files of their own, each behind
 * its archive, down to `MAX_NESTING` and together no more than the files of one origin may be.
 */
async function renderAll(
  deps: EvidenceDependencies,
  files: readonly ListedFile[],
  signal: AbortSignal | undefined,
): Promise<ArtifactEntry[]> {
  const behind = new Map<string, ArtifactEntry[]>();
  let level = files;
  let room = MAX_RENDERED - files.filter(({ isRendered }) => isRendered).length;
  const top = await renderLevel(deps, level, 'open', signal);
  let entries: readonly ArtifactEntry[] = top;
  for (let depth = 0; depth < MAX_NESTING && entries.length > 0; depth++) {
    level = entries.flatMap((entry) => membersOf(entry));
    level = level.slice(0, MAX_LISTED).map((file) => ({ ...file, isRendered: room-- > 0 }));
    entries = await renderLevel(deps, level, 'sealed', signal);
    for (const entry of entries) {
      const parent = parentArtifact(entry.artifact)?.artifact ?? '';
      behind.set(parent, [...(behind.get(parent) ?? []), entry]);
    }
  }
  const withMembers = (entry: ArtifactEntry): ArtifactEntry[] => [
    entry,
    ...(behind.get(entry.artifact) ?? []).flatMap(withMembers),
  ];
  return top.flatMap(withMembers);
}

function renderLevel(
  deps: EvidenceDependencies,
  files: readonly ListedFile[],
  scope: StoreScope,
  signal: AbortSignal | undefined,
): Promise<ArtifactEntry[]> {
  return mapInOrder(files, (file) => renderEntry(deps, file, scope, signal));
}

function membersOf({ artifact, origin, rendered }: ArtifactEntry): ListedFile[] {
  return (rendered.members ?? []).map(({ path, sha256, bytes }) => ({
    artifact: memberArtifact(artifact, path),
    origin,
    file: { path, sha256, bytes },
    isRendered: true,
  }));
}

function selectFiles(
  files: readonly FileReference[],
  prefix: string,
  origin: ArtifactEntry['origin'],
): { readonly listed: ListedFile[]; readonly beyond: number } {
  const listed = files.slice(0, MAX_LISTED).map((file, index) => ({
    artifact: `${prefix}/${file.path}`,
    origin,
    file,
    isRendered: index < MAX_RENDERED,
  }));
  return { listed, beyond: files.length - listed.length };
}

async function renderEntry(
  deps: EvidenceDependencies,
  { artifact, origin, file, isRendered }: ListedFile,
  scope: StoreScope,
  signal: AbortSignal | undefined,
): Promise<ArtifactEntry> {
  signal?.throwIfAborted();
  const format = formatOfName(file.path);
  const rendered = isRendered
    ? await renderedArtifact(deps, { file, format, scope }, signal)
    : notRendered(file, format, deps.renderer.recipe);
  const language = rendered.format === 'code' ? languageOfName(file.path) : undefined;
  return { artifact, origin, rendered, ...(language === undefined ? {} : { language }) };
}

function notRendered(
  file: FileReference,
  format: ArtifactFormat,
  rendererRecipe: string,
): RenderedArtifact {
  return {
    v: 1,
    sha256: file.sha256,
    bytes: file.bytes,
    format,
    status: 'refused',
    reason: `only the first ${MAX_RENDERED} files are rendered`,
    counts: {},
    facts: {},
    warnings: [],
    pages: [],
    rendererRecipe,
  };
}

async function mapInOrder<Input, Result>(
  inputs: readonly Input[],
  work: (input: Input) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(inputs.length);
  const queue = inputs.entries();
  const lane = async (): Promise<void> => {
    for (const [index, input] of queue) results[index] = await work(input);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}
