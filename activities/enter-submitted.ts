import { Failure } from '../core/failure';
import { canonicalJson, storeKeys } from '../core/ids';
import { type DeliverableManifest, type RunResult } from '../core/run';
import { type Submission, type SubmissionIdentity } from '../core/submission';
import { IMPORTED } from '../core/sweep';
import { readJson } from './read-json';
import { type IdentifiedRun } from './run-state';
import { type ObjectStore } from './store/port';

/**
 * Makes a submission's deliverables the result of a run, as storing them after an attempt would: from here on it is
 * judged like any other. Write-once, so doing it twice is doing it once. Throws `Failure('InvalidInput')` where the
 * store's submission is not the planned one, or holds no such run.
 */
export async function enterSubmitted(
  store: ObjectStore,
  run: IdentifiedRun,
  planned: SubmissionIdentity,
  entry: { readonly generation: number; readonly now: Date },
): Promise<void> {
  const key = storeKeys.result(run.runKey, entry.generation);
  if (await store.hasRecord(key)) return;
  const deliverables = await submittedManifest(store, run, planned);
  const result: RunResult = {
    v: 1,
    runKey: run.runKey,
    runId: run.runId,
    generation: entry.generation,
    attempt: 0,
    stopReason: IMPORTED,
    stopDetail: `imported as ${planned.id}: ${planned.product}, ${planned.date}, run by ${planned.operator}`,
    deliverables,
    traffic: undefined,
    modelProvider: IMPORTED,
    recordedAt: entry.now.toISOString(),
  };
  await store.putRecord(key, canonicalJson(result));
}

async function submittedManifest(
  store: ObjectStore,
  run: IdentifiedRun,
  planned: SubmissionIdentity,
): Promise<DeliverableManifest> {
  const submission = await readJson<Submission>(store, storeKeys.submission(planned.id));
  if (submission?.digest !== planned.digest)
    throw new Failure(
      'InvalidInput',
      `${store.description} does not hold submission ${planned.id} as it was planned: import it into this store`,
    );
  const submitted = submission.runs.find(
    ({ task, repetition }) => task === run.task.id && repetition === run.repetition,
  );
  if (submitted === undefined)
    throw new Failure(
      'InvalidInput',
      `submission ${planned.id} has no repetition ${run.repetition} of task ${run.task.id}`,
    );
  const blob = await store.getBlob('open', submitted.manifest.sha256);
  return JSON.parse(Buffer.from(blob).toString('utf8')) as DeliverableManifest;
}
