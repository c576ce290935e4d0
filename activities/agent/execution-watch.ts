import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../core/failure';
import { type GatewayControl } from '../gateway/port';
import { type DiskKind } from '../sandbox/attempt-disk';
import { usedBytes } from '../sandbox/disk-usage';
import { type KillIntent } from '../sandbox/port';
import { type AttemptContext } from './attempt-context';
import { type LaneLink } from './lane-link';
import { LaneWatch } from './lane-watch';
import { letGoIfSuperseded } from './let-go';

export interface WatchTimings {
  /** Between two looks; default 1,000. */
  readonly tickMs?: number;
  /** Longest time without a single model exchange; default 1 hour. A command runs 10 minutes at most. */
  readonly progressDeadlineMs?: number;
}

export interface WatchedAttempt {
  readonly context: AttemptContext;
  readonly gateway: GatewayControl;
  /** Absent where nobody is to be told of provider trouble. */
  readonly lane?: LaneLink;
  readonly epoch: number;
  /** Throws `Failure('WorkerLost')` where this process stood still for so long that another one may be at work. */
  readonly assertAwake: () => void;
  readonly disk: DiskKind;
  /** When the sandbox started, by the host's clock: the same for every executor of the attempt. */
  readonly startedAtMs: number;
  readonly timings: WatchTimings;
  readonly now: () => number;
  /** Trouble that ends nothing, and how the attempt gets on; shown in the Temporal UI. */
  readonly report: (facts: Readonly<Record<string, unknown>>) => void;
}

/** What a watch found: time to stop the sandbox, and why. */
export interface LimitReached {
  readonly intent: KillIntent;
  readonly detail: string;
}

const DISK_LOOK_EVERY_TICKS = 5;
const JOURNAL_LOOK_EVERY_TICKS = 5;
/** After a hold the gateway needs a moment to write down for how long nothing could get on. */
const TICKS_AFTER_HOLD = 3;
/** Renewals within the time that a lease lives. */
const LEASE_RENEWALS = 5;

/**
 * Watches a running sandbox until the signal is aborted: keeps the gateway alive and its lease fresh, and returns when
 * a limit is reached that neither the kernel nor the gateway enforces. Throws `Failure('WorkerLost')` when another
 * executor has taken over.
 */
export async function watchExecution(
  watched: WatchedAttempt,
  signal: AbortSignal,
): Promise<LimitReached | undefined> {
  const { tickMs = 1_000 } = watched.timings;
  const time = new WorkingTime(watched);
  const keeper = new GatewayKeeper(watched);
  const lane = new LaneWatch(watched);
  // Silence counts from when somebody listens: a machine that was suspended has an executor that begins now.
  let heldAtMs = watched.now();
  // What was held while nobody watched, for want of a worker too, may have been let go just now.
  let freeTicks = 0;
  for (let tick = 0; !signal.aborted; tick++) {
    await letGoIfSuperseded(watched);
    keeper.look();
    lane.look(tick);
    if (tick % JOURNAL_LOOK_EVERY_TICKS === 0) await tellLastExchange(watched);
    // While exchanges are held no working time passes, and nothing can get on.
    const held = await watched.gateway.isHeld(watched.context.paths.attemptDir);
    freeTicks = held ? 0 : freeTicks + 1;
    if (held) heldAtMs = watched.now();
    const reached =
      (freeTicks > TICKS_AFTER_HOLD
        ? ((await time.look()) ?? (await progress(watched, heldAtMs)))
        : undefined) ?? (tick % DISK_LOOK_EVERY_TICKS === 0 ? await diskUse(watched) : undefined);
    if (reached !== undefined) return reached;
    await sleep(tickMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

/**
 * Keeps the gateway process running and the attempt's lease young. A gateway that cannot be reached now is no reason to
 * end anything, since requests wait for it in the sandbox; nor may the watch wait while one starts.
 */
class GatewayKeeper {
  private busy = false;
  private hasProblem = false;
  private renewedAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly watched: WatchedAttempt) {}

  look(): void {
    if (this.busy) return;
    this.busy = true;
    this.keep()
      .then(() => {
        // What is over is not shown any more.
        if (this.hasProblem) this.watched.report({ gateway: undefined });
        this.hasProblem = false;
      })
      .catch((error: unknown) => {
        const problem = error instanceof Error ? error.message : String(error);
        this.watched.report({ gateway: problem });
        this.hasProblem = true;
      })
      .finally(() => {
        this.busy = false;
      });
  }

  private async keep(): Promise<void> {
    const { context, gateway, now, assertAwake } = this.watched;
    await gateway.ensureRunning();
    // A lease that ran out while this process stood still is what lets another host begin.
    assertAwake();
    if (now() - this.renewedAtMs < context.plan.timings.leaseMs / LEASE_RENEWALS) return;
    await gateway.renewLease(context.paths.attemptDir);
    this.renewedAtMs = now();
  }
}

/**
 * Working time is what passed since the start, minus what the gateway held exchanges back. Since it is never more than
 * what passed, the gateway is only asked once that is over the limit.
 */
class WorkingTime {
  private waitedMs = 0;

  constructor(private readonly watched: WatchedAttempt) {}

  async look(): Promise<LimitReached | undefined> {
    const { context, gateway, startedAtMs, now } = this.watched;
    const limitMs = context.plan.limits.workingTimeMs;
    if (limitMs === undefined || now() - startedAtMs - this.waitedMs < limitMs) return undefined;
    try {
      this.waitedMs = (await gateway.readLog(context.paths.attemptDir)).waitedMs;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    if (now() - startedAtMs - this.waitedMs < limitMs) return undefined;
    return { intent: 'timeout', detail: `the limit of ${limitMs} ms working time` };
  }
}

/** The gateway writes its journal with every exchange. `undefined` before the first one. */
async function lastExchange({ context }: WatchedAttempt): Promise<Date | undefined> {
  const journal = await stat(join(context.paths.control, 'journal.bin')).catch(() => undefined);
  return journal?.mtime;
}

/** An agent that takes long either talks to its model, or has a tool run for long. */
async function tellLastExchange(watched: WatchedAttempt): Promise<void> {
  const last = await lastExchange(watched);
  if (last !== undefined) watched.report({ lastModelExchange: last.toISOString() });
}

/** No exchange for an hour means a wedged agent. */
async function progress(
  watched: WatchedAttempt,
  heldAtMs: number,
): Promise<LimitReached | undefined> {
  const { startedAtMs, now, timings } = watched;
  const { progressDeadlineMs = 3_600_000 } = timings;
  if (now() - startedAtMs < progressDeadlineMs) return undefined;
  const lastMs = Math.max(startedAtMs, heldAtMs, (await lastExchange(watched))?.getTime() ?? 0);
  if (now() - lastMs < progressDeadlineMs) return undefined;
  return { intent: 'timeout', detail: `no model request for ${progressDeadlineMs} ms` };
}

async function diskUse({ context, disk }: WatchedAttempt): Promise<LimitReached | undefined> {
  const { paths, plan } = context;
  const limit = plan.limits.workspaceBytes;
  if (disk === 'watched' && (await usedBytes(paths.disk, limit)) > limit)
    return { intent: 'disk', detail: `the workspace holds more than ${limit} bytes` };
  return undefined;
}
