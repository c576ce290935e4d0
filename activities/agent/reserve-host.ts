import { mkdir } from 'node:fs/promises';
import { type AttemptReference, type ReserveHostInput } from '../../core/activity-contract';
import { Failure } from '../../core/failure';
import { type AttemptUse } from '../sandbox/attempt-use';
import { type HostSlots } from '../sandbox/host-slots';
import { type ObjectStore } from '../store/port';
import { type AttemptContext, type HostIdentity, type ResolveAttempt } from './attempt-context';
import { AttemptRecords, type AttemptClaim } from './attempt-records';
import { recordLostAttempt } from './lost-attempt';

export interface ReserveHostDeps extends HostIdentity {
  readonly store: ObjectStore;
  readonly slots: HostSlots;
  readonly resolve: ResolveAttempt;
  /** What this process works on: an attempt that is taken up is not removed at that moment. */
  readonly use: AttemptUse;
  /** Waits while this host's disk is too full for another attempt. */
  readonly waitForDiskSpace: (signal: AbortSignal) => Promise<void>;
  /** Throws where another try may have been given this work. */
  readonly assertAwake: () => void;
  readonly now: () => Date;
}

/** How often another host's open claim is looked at within its time of grace. */
const LOOKS_AT_FOREIGN_CLAIM = 8;

/**
 * Finds the attempt that this host shall make: one that it has claimed before and that never got its end (its
 * container may be running), one that has ended but whose result was never written, or the next free number.
 *
 * @param waitedMs since the activity was first scheduled: for that long an open claim is left to the host that has it
 */
export async function reserveHost(
  input: ReserveHostInput,
  deps: ReserveHostDeps,
  signal: AbortSignal,
  waitedMs: number,
): Promise<AttemptReference> {
  const { run, previous } = input;
  const records = new AttemptRecords(deps.store, run);
  for (let attempt = 1; ; attempt++) {
    const reference: AttemptReference = { run, attempt, hostId: deps.hostId };
    const recorded = await records.attempt(attempt);
    if (recorded !== undefined) {
      const unfinished = recorded.outcome === 'ended' && (await records.result()) === undefined;
      if (unfinished) return reference;
      continue;
    }
    const context = await deps.resolve(reference);
    const claim =
      (await records.claim(attempt)) ?? (await claimFree(context, deps, records, signal));
    if (claim.hostId === deps.hostId) {
      if (context.harness.needsSandbox) deps.slots.take(context.attemptId);
      await deps.use.hold(context.attemptId, () => makeFolder(context, deps.now()));
      return reference;
    }
    deps.slots.release(context.attemptId);
    // The workflow that names a silent host's attempt records its loss itself.
    if (previous?.attempt === attempt) continue;
    const graceMs = context.plan.timings.hostSilenceMs;
    if (waitedMs < graceMs)
      throw new Failure(
        'DockerUnavailable',
        `attempt ${attempt} of ${run.runId} is claimed by host ${claim.hostId}; left to it for ${Math.round(graceMs / 1000)} s`,
        { retryAfterMs: Math.ceil(graceMs / LOOKS_AT_FOREIGN_CLAIM) },
      );
    // The claim may be that of the try which took this one's place, and its agent at work.
    assertStillAsked(deps, signal);
    await recordLostAttempt(
      {
        ...reference,
        hostId: claim.hostId,
        outcome: 'lost',
        failure: {
          type: 'SandboxLost',
          message: `host ${claim.hostId} did not take its attempt up again; host ${deps.hostId} makes the next`,
        },
      },
      deps,
    );
  }
}

/** Takes a slot, then the number; returns whose claim it has become. */
async function claimFree(
  context: AttemptContext,
  deps: ReserveHostDeps,
  records: AttemptRecords,
  signal: AbortSignal,
): Promise<AttemptClaim> {
  if (context.harness.needsSandbox) {
    await deps.waitForDiskSpace(signal);
    await deps.slots.takeWhenFree(context.attemptId, signal);
  }
  const { run, attempt } = context.reference;
  try {
    assertStillAsked(deps, signal);
    return await records.putClaim({
      v: 1,
      runKey: run.runKey,
      generation: run.generation,
      attempt,
      hostId: deps.hostId,
      claimedAt: deps.now().toISOString(),
    });
  } catch (error) {
    deps.slots.release(context.attemptId);
    throw error;
  }
}

function assertStillAsked({ assertAwake }: ReserveHostDeps, signal: AbortSignal): void {
  signal.throwIfAborted();
  assertAwake();
}

/** The folder with its labels and whose it is now: what the reaper knows the attempt by. */
async function makeFolder(context: AttemptContext, now: Date): Promise<void> {
  await mkdir(context.paths.control, { recursive: true, mode: 0o700 });
  const record = { labels: context.labels, at: now.toISOString() };
  await context.state.write('reserved', record);
  await context.state.addOwner(record);
}
