import {
  type RecordLostAttemptInput,
  type RecordLostAttemptResult,
} from '../../core/activity-contract';
import { Failure } from '../../core/failure';
import { type AttemptRecord } from '../../core/run';
import { type GatewayControl } from '../gateway/port';
import { type Sandbox } from '../sandbox/port';
import { type ObjectStore } from '../store/port';
import { type AttemptContext } from './attempt-context';
import { storeEvidence, type AttemptEvidence } from './attempt-evidence';
import { AttemptRecords } from './attempt-records';
import { copiedEvidence } from './copied-evidence';

/** What only the attempt's own host has. */
export interface LocalAttempt {
  readonly context: AttemptContext;
  readonly sandbox: Sandbox;
  readonly gateway: GatewayControl;
}

/**
 * Writes the end of an attempt that did not end by itself, with its transcript and cost: the whole ones where this is
 * its host, else what its host had copied to the store. An attempt that has its record keeps it.
 */
export async function recordLostAttempt(
  input: RecordLostAttemptInput,
  deps: { readonly store: ObjectStore; readonly now: () => Date },
  local?: LocalAttempt,
): Promise<RecordLostAttemptResult> {
  const { run, attempt, hostId, outcome, failure } = input;
  const records = new AttemptRecords(deps.store, run);
  const known = await records.attempt(attempt);
  const record =
    known ??
    (await records.putAttempt({
      v: 1,
      runKey: run.runKey,
      generation: run.generation,
      attempt,
      hostId,
      outcome,
      ...(outcome === 'cancelled' && { stopReason: 'cancelled' as const }),
      failure,
      ...(await whatIsLeft(input, deps.store, local)),
      pollution: [],
      alteredInputs: [],
      recordedAt: deps.now().toISOString(),
    }));
  return { costMicroUsd: record.traffic?.costMicroUsd };
}

/** Stops what may still run, so that transcript and cost are final; each part that cannot be had is left out. */
async function whatIsLeft(
  input: RecordLostAttemptInput,
  store: ObjectStore,
  local: LocalAttempt | undefined,
): Promise<AttemptEvidence & Pick<AttemptRecord, 'traffic' | 'imageDigest'>> {
  const stopReason = input.outcome === 'cancelled' ? 'cancelled' : 'lost';
  const end = { stopReason, stopDetail: input.failure.message };
  if (local === undefined || (await local.context.state.readIfWhole('reserved')) === undefined)
    return unlessStoreFails(() => copiedEvidence(input, store, end));
  const { context, sandbox, gateway } = local;
  const { attemptId, paths } = context;
  if (context.harness.needsSandbox)
    await sandbox.stop({ attemptId, attemptDir: paths.attemptDir }, 'cancelled');
  const started = await context.state.readIfWhole('started');
  const image =
    started === undefined || started === 'damaged'
      ? undefined
      : { imageDigest: started.imageDigest };
  if (!context.harness.usesModel) return { logs: [], ...image };
  return unlessStoreFails(async () => {
    await gateway.ensureRunning();
    await gateway.close(paths.attemptDir, 'closed', 0);
    const { traffic } = await gateway.readLog(paths.attemptDir);
    return unlessStoreFails(() => storeEvidence(context, { store, gateway }, end, undefined), {
      traffic,
    });
  }, image);
}

/** The record matters more than its transcript: without it no further attempt may begin. */
async function unlessStoreFails(
  read: () => Promise<(AttemptEvidence & Pick<AttemptRecord, 'traffic'>) | undefined>,
  known: Pick<AttemptRecord, 'traffic' | 'imageDigest'> = {},
): Promise<AttemptEvidence & Pick<AttemptRecord, 'traffic' | 'imageDigest'>> {
  try {
    return { logs: [], ...(await read()), ...known };
  } catch (error) {
    if (error instanceof Failure && error.type === 'StoreUnavailable') throw error;
    return { logs: [], ...known };
  }
}
