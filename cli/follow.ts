import { setMaxListeners } from 'node:events';
import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { ownCommand } from '../config/own-command';
import { formatUsd } from '../core/money';
import {
  type Attached,
  findExecution,
  innermostMessage,
  type SweepHandle,
} from '../workers/sweep-control';
import { etaSeconds, readProgress } from '../workers/sweep-progress';
import { type SweepProgress } from '../workflows/messages';
import { describeSeconds } from './render/duration';
import { escapeText } from './render/escape';

/** Why following ended. */
export type FollowEnd =
  | { readonly kind: 'closed'; readonly progress: SweepProgress }
  | { readonly kind: 'cancelled' | 'terminated' }
  | { readonly kind: 'failed'; readonly message: string }
  /** Open, but nothing goes on before a person helps. */
  | { readonly kind: 'stuck'; readonly progress: SweepProgress }
  | { readonly kind: 'detached' };

const TERMINAL_EVERY_MS = 1_000;
const PLAIN_EVERY_MS = 10_000;
/** A worker that runs answers within milliseconds. */
const ANSWER_MS = 5_000;
/** Between two tries to reach a server that is away. */
const SERVER_AWAY_MS = 1_000;
/** gRPC's DEADLINE_EXCEEDED and UNAVAILABLE. */
const SERVER_AWAY: ReadonlySet<number> = new Set([4, 14]);
/** The launch that ended an execution starts its own within moments. */
const REPLACED_MS = 10_000;
/** A worker that has answered once loads a plan within moments. */
const LOAD_MS = 30_000;
const LOADED_EVERY_MS = 200;
/** A state that may pass by itself has to last this long before following ends. */
const STUCK_FOR_MS = 5_000;

/** Ctrl-C while a sweep is started or followed: the command ends, the sweep goes on. */
export interface Detaching {
  readonly signal: AbortSignal;
  /** Resolves when it happens. */
  readonly happened: Promise<FollowEnd>;
  /** Gives Ctrl-C back its usual meaning. */
  forget(): void;
}

export function detachOnInterrupt(): Detaching {
  const detached = new AbortController();
  const onInterrupt = () => detached.abort();
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  return {
    signal: detached.signal,
    happened: new Promise((resolve) => {
      detached.signal.addEventListener('abort', () => resolve({ kind: 'detached' }));
    }),
    forget: () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onInterrupt);
    },
  };
}

export interface FollowOptions {
  readonly client: Client;
  readonly sweep: string;
  readonly handle: SweepHandle;
  readonly startedAt: Date;
  readonly output: NodeJS.WriteStream;
  /** Says that no model gave the results, where that is so. */
  readonly mark: string;
  /** Ends the following. */
  readonly signal: AbortSignal;
}

type Ending = Pick<FollowOptions, 'client' | 'sweep' | 'handle' | 'startedAt'>;

/** Shows a live line on a terminal, plain lines elsewhere, until the sweep ends, gets stuck, or the signal is aborted. */
export async function followSweep(options: FollowOptions): Promise<FollowEnd> {
  const { output } = options;
  const over = new AbortController();
  const signal = AbortSignal.any([options.signal, over.signal]);
  const ended = untilEnded(options, signal);
  try {
    return await Promise.race([ended, showUntilStuck(options, signal)]);
  } finally {
    over.abort();
    // A call that is left open would go on trying on a connection that is closed by then.
    await ended;
    if (output.isTTY) output.write('\r\u001b[K');
  }
}

/** Until the sweep was let into its cohort and has loaded its plan. Returns its end where it ended before. */
export async function untilLoaded(
  client: Client,
  sweep: string,
  { handle, execution }: Attached,
): Promise<FollowEnd | undefined> {
  const { startedAt } = execution;
  const giveUp = AbortSignal.timeout(LOAD_MS);
  while (!isOver(giveUp)) {
    try {
      const newest = await findExecution(client, sweep);
      if (newest?.firstRunId !== execution.firstRunId || !newest.isOpen)
        return await untilEnded({ client, sweep, handle, startedAt }, giveUp);
    } catch (error) {
      if (!isServerAway(error)) throw error;
    }
    const progress = await readProgress(client, sweep).catch(() => undefined);
    if (progress !== undefined && progress.state !== 'loading') return undefined;
    await new Promise((resolve) => setTimeout(resolve, LOADED_EVERY_MS));
  }
  return undefined;
}

/** Asks again for as long as the server is away: the sweep goes on from its database when it is back. */
async function untilEnded(options: Ending, signal: AbortSignal): Promise<FollowEnd> {
  const { client, handle } = options;
  // Every try to reach a server that is away listens to the signal.
  setMaxListeners(0, signal);
  for (;;) {
    try {
      const progress = await client.withAbortSignal(signal, () => handle.result());
      const end = endOfProgress(progress);
      if (
        end.kind === 'closed' &&
        hasTerminatedRun(progress) &&
        (await isReplaced(options, signal))
      )
        return { kind: 'terminated' };
      return end;
    } catch (error) {
      if (signal.aborted) return { kind: 'detached' };
      if (!isServerAway(error)) return endOfError(error);
      await new Promise((resolve) => setTimeout(resolve, SERVER_AWAY_MS));
    }
  }
}

/**
 * Another launch ends lanes before their sweep; where that takes long, the sweep comes to its own end in between.
 */
export function endOfProgress(progress: SweepProgress): FollowEnd {
  const isTerminated = progress.lanes.some(
    ({ endedLane, reason }) => endedLane === 'failed' && reason === 'Terminated',
  );
  return isTerminated ? { kind: 'terminated' } : { kind: 'closed', progress };
}

/** Another launch ends runs before their lanes; where these were the last ones, the sweep comes to its own end too. */
export function hasTerminatedRun({ lanes }: SweepProgress): boolean {
  return lanes.some(({ lastFailure }) => lastFailure?.includes('Terminated'));
}

/** Whether another execution takes the place of one that has ended; a run that a person ended has none come. */
async function isReplaced(
  { client, sweep, startedAt }: Ending,
  signal: AbortSignal,
): Promise<boolean> {
  for (const giveUpMs = performance.now() + REPLACED_MS; performance.now() < giveUpMs;) {
    const newest = await findExecution(client, sweep);
    if (newest?.isOpen === true || (newest?.startedAt ?? startedAt) > startedAt) return true;
    if (signal.aborted) return false;
    await new Promise((resolve) => setTimeout(resolve, TERMINAL_EVERY_MS));
  }
  return false;
}

function isServerAway(error: unknown): boolean {
  if (isGrpcServiceError(error)) return SERVER_AWAY.has(error.code);
  return error instanceof ServiceError && isServerAway(error.cause);
}

function endOfError(error: unknown): FollowEnd {
  if (error instanceof WorkflowNotFoundError)
    return {
      kind: 'failed',
      message:
        'the Temporal server does not know it any more; run it again, finished runs are kept',
    };
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'CancelledFailure') return { kind: 'cancelled' };
  if (name === 'TerminatedFailure') return { kind: 'terminated' };
  return { kind: 'failed', message: innermostMessage(cause) };
}

async function showUntilStuck(options: FollowOptions, signal: AbortSignal): Promise<FollowEnd> {
  const { client, sweep, output, startedAt } = options;
  let stuckSince: number | undefined;
  let shown = '';
  for (let nextPlainMs = 0; !signal.aborted;) {
    // While server or worker are away there is nothing to show; what runs goes on.
    const progress = await client
      .withDeadline(Date.now() + ANSWER_MS, () => readProgress(client, sweep))
      .catch(() => undefined);
    if (isOver(signal)) break;
    const line =
      progress === undefined
        ? `waiting for a worker to answer; where this lasts, ${ownCommand()} doctor says what is missing`
        : `${progressLine(progress, startedAt, new Date())}${options.mark}`;
    if (output.isTTY) output.write(`\r\u001b[K${escapeText(line)}`);
    else if (performance.now() >= nextPlainMs && line !== shown) {
      output.write(`${escapeText(line)}\n`);
      nextPlainMs = performance.now() + PLAIN_EVERY_MS;
      shown = line;
    }
    if (progress !== undefined && isStuck(progress)) {
      stuckSince ??= performance.now();
      if (performance.now() - stuckSince >= STUCK_FOR_MS) return { kind: 'stuck', progress };
    } else stuckSince = undefined;
    await new Promise((resolve) => setTimeout(resolve, TERMINAL_EVERY_MS));
  }
  return { kind: 'detached' };
}

/** A call, since the compiler takes a signal that was looked at before for unchanged. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

function isStuck(progress: SweepProgress): boolean {
  const { state, lanes } = progress;
  if (state === 'over-budget' || state === 'blocked') return true;
  return state === 'paused' && lanes.every((lane) => lane.running === 0);
}

/** `12/16 done, 4 running, 3 failed; 2.1 runs/min; 5 min left; $1.20` */
export function progressLine(progress: SweepProgress, startedAt: Date, now: Date): string {
  const { lanes, state, reason } = progress;
  const total = (
    field:
      | 'planned'
      | 'running'
      | 'scored'
      | 'incomplete'
      | 'failed'
      | 'cancelled'
      | 'ends'
      | 'notSelected',
  ) => lanes.reduce((sum, lane) => sum + lane[field], 0);
  const planned = total('planned') - total('notSelected');
  const unfinished = (['incomplete', 'failed', 'cancelled'] as const)
    .map((field) => [field, total(field)] as const)
    .filter(([, count]) => count > 0)
    .map(([field, count]) => `, ${count} ${field}`)
    .join('');
  const minutes = (now.getTime() - startedAt.getTime()) / 60_000;
  // A clock that was set back since the start says nothing of how long it took.
  const rate =
    total('ends') === 0 || minutes <= 0 ? '' : `; ${(total('ends') / minutes).toFixed(1)} runs/min`;
  const eta = etaSeconds(progress, startedAt, now);
  const left = eta === undefined ? '' : `; ${describeSeconds(eta)} left`;
  const held = lanes.find((lane) => lane.holding !== undefined);
  const word = state === 'running' && held !== undefined ? 'holding' : state;
  const cause = reason ?? held?.reason;
  const why =
    word === 'running' || word === 'done'
      ? ''
      : `; ${word}${cause === undefined ? '' : ` (${cause})`}`;
  return (
    `${total('scored')}/${planned} scored${unfinished}, ${total('running')} running` +
    `${rate}${left}; ${formatUsd(progress.costMicroUsd)}${why}`
  );
}
