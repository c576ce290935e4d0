import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type StoreDeliverablesResult } from '../../core/activity-contract';
import { Failure } from '../../core/failure';
import { canonicalJson } from '../../core/ids';
import { type AttemptRecord, type DeliverableManifest, type RunResult } from '../../core/run';
import { type FileReference } from '../../core/task';
import { mapConcurrently } from '../read-json';
import { collectFiles, DEFAULT_COLLECTION_LIMITS, withCollected } from '../sandbox/collect-results';
import { workspaceChanges } from '../sandbox/workspace-changes';
import { readAgentEnd, type RecordedEnd } from './agent-end';
import { type AttemptContext } from './attempt-context';
import { storeEvidence, type EvidenceDeps } from './attempt-evidence';
import { AttemptRecords } from './attempt-records';
import { readPrepared } from './prepare-workspace';

export interface StoreDeliverablesDeps extends EvidenceDeps {
  readonly now: () => Date;
}

const UPLOADS_AT_ONCE = 4;

/**
 * Puts what an ended attempt left into the store: deliverables, transcript, logs, then the records, the run's result
 * last. Idempotent: what is recorded stays, and a result that another attempt wrote first is the run's result.
 */
export async function storeDeliverables(
  context: AttemptContext,
  deps: StoreDeliverablesDeps,
): Promise<StoreDeliverablesResult> {
  const { attempt, run } = context.reference;
  const records = new AttemptRecords(deps.store, run);
  const known = await records.result();
  if (known !== undefined) return resultOf(known);
  const recorded = (await records.attempt(attempt)) ?? (await recordEnd(context, deps, records));
  const manifest = await records.deliverables(attempt);
  if (recorded.outcome !== 'ended' || manifest === undefined)
    throw new Failure(
      'Superseded',
      `attempt ${attempt} of ${run.runId} is recorded as ${recorded.outcome}; it delivers nothing any more`,
    );
  return resultOf(await records.putResult(runResult(context, recorded, manifest, deps.now())));
}

async function recordEnd(
  context: AttemptContext,
  deps: StoreDeliverablesDeps,
  records: AttemptRecords,
): Promise<AttemptRecord> {
  const { reference, paths } = context;
  const ended = await readAgentEnd(context);
  const prepared = await readPrepared(context);
  if (ended === undefined || prepared === undefined)
    throw new Failure(
      'SandboxLost',
      `the folder of attempt ${context.attemptId} is not on this host`,
    );
  await records.putDeliverables(reference.attempt, await collect(context, deps));
  const { pollution, alteredInputs } = await workspaceChanges(paths.workspace, prepared.inputs);
  const { stopReason, stopDetail } = ended.end;
  const end = { stopReason, ...(stopDetail !== undefined && { stopDetail }) };
  const evidence = await storeEvidence(context, deps, end, ended.nativeTranscript);
  return records.putAttempt({
    v: 1,
    runKey: reference.run.runKey,
    generation: reference.run.generation,
    attempt: reference.attempt,
    hostId: reference.hostId,
    outcome: 'ended',
    ...end,
    ...factsOf(ended),
    ...evidence,
    pollution,
    alteredInputs,
    recordedAt: deps.now().toISOString(),
  });
}

function factsOf(ended: RecordedEnd): Partial<AttemptRecord> {
  return {
    ...(ended.exit !== undefined && { exit: ended.exit }),
    ...(ended.imageDigest !== undefined && { imageDigest: ended.imageDigest }),
    traffic: ended.traffic,
  };
}

async function collect(
  context: AttemptContext,
  { store }: StoreDeliverablesDeps,
): Promise<DeliverableManifest> {
  const root = join(context.paths.workspace, 'results');
  const { fileBytes, workspaceBytes } = context.plan.limits;
  const found = await collectFiles(root, {
    ...DEFAULT_COLLECTION_LIMITS,
    maxFileBytes: fileBytes,
    maxTotalBytes: workspaceBytes,
  });
  const gone: { path: string; reason: string }[] = [];
  const stored = await mapConcurrently(
    found.files,
    UPLOADS_AT_ONCE,
    async ({ path, components }) => {
      const blob = await withCollected(root, components, (open) => store.putBlobFile('open', open));
      if (blob === undefined) gone.push({ path, reason: 'cannot be read' });
      return blob && { path, ...blob };
    },
  );
  const files = stored.filter((file) => file !== undefined).sort(byPath);
  return {
    v: 1,
    files,
    refused: [...found.refused, ...gone],
    truncated: found.truncated,
    digest: deliverablesDigest(files),
  };
}

/** sha256 over the canonical list of path and content, in the order of the paths. */
export function deliverablesDigest(files: readonly FileReference[]): string {
  const list = [...files].sort(byPath).map(({ path, sha256 }) => [path, sha256]);
  return createHash('sha256').update(canonicalJson(list)).digest('hex');
}

function byPath(left: FileReference, right: FileReference): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}

function runResult(
  context: AttemptContext,
  record: AttemptRecord,
  deliverables: DeliverableManifest,
  now: Date,
): RunResult {
  return {
    v: 1,
    runKey: record.runKey,
    runId: context.reference.run.runId,
    generation: record.generation,
    attempt: record.attempt,
    stopReason: record.stopReason ?? 'error',
    ...(record.stopDetail !== undefined && { stopDetail: record.stopDetail }),
    deliverables,
    traffic: record.traffic,
    modelProvider: context.lane.model.provider,
    recordedAt: now.toISOString(),
  };
}

function resultOf(result: RunResult): StoreDeliverablesResult {
  return {
    deliverablesDigest: result.deliverables.digest,
    deliverableCount: result.deliverables.files.length,
    stopReason: result.stopReason,
    costMicroUsd: result.traffic?.costMicroUsd,
  };
}
