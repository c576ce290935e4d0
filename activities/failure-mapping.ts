import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import { Failure } from '../core/failure';

/** Why an activity was told to stop. Only `cancel` ends what it started; `detach` leaves it for the next executor. */
export type StopCause = 'cancel' | 'detach';

/** What a heartbeating activity may use. */
export interface Heartbeat {
  /** Aborted when the activity has to stop, for whatever cause. */
  readonly signal: AbortSignal;
  /** `undefined` while the activity may go on. */
  stopCause(): StopCause | undefined;
  /** Shown in the Temporal UI from the next beat on, beside what was reported before: references and counts only. */
  report(facts: Readonly<Record<string, unknown>>): void;
  /**
   * Throws `Failure('WorkerLost')` where this process stood still for so long that Temporal may have given the work to
   * another try. To be called right before what the other one would suffer from; where Temporal still waits for this
   * one, it is tried again.
   */
  assertAwake(): void;
}

/**
 * The failure that crosses the activity boundary. `Failure` keeps its type, its retryability and a provider's
 * Retry-After; cancellations pass unchanged; everything unknown stays retryable under its own name.
 */
export function toApplicationFailure(error: unknown): ApplicationFailure | CancelledFailure {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof Failure) {
    const { cause, retryAfterMs } = error.options;
    return ApplicationFailure.create({
      message: error.message,
      type: error.type,
      nonRetryable: !error.retryable,
      ...(cause instanceof Error && { cause }),
      ...(retryAfterMs !== undefined && { nextRetryDelay: retryAfterMs }),
    });
  }
  const known = error instanceof Error ? error : new Error(String(error));
  return ApplicationFailure.create({
    message: known.message,
    type: known.name,
    nonRetryable: false,
    cause: known,
  });
}

/**
 * Runs an activity's work under a heartbeat timer that beats until it ends, whatever the work does.
 * Errors come out as {@link toApplicationFailure} makes them; once the activity was told to stop, an abort comes
 * out as the cancellation it is.
 *
 * @param intervalMs before the first beat and between beats, default 2,000
 * @param now milliseconds since the epoch, default `Date.now`
 */
export async function withHeartbeat<T>(
  work: (heartbeat: Heartbeat) => Promise<T>,
  intervalMs = 2_000,
  now: () => number = Date.now,
): Promise<T> {
  const context = Context.current();
  const signal = context.cancellationSignal;
  const awake = new Wakefulness(context.info.heartbeatTimeoutMs, intervalMs, now);
  let facts: Readonly<Record<string, unknown>> | undefined;
  const beat = () => {
    awake.look();
    context.heartbeat(facts);
  };
  // The first one after an interval: a beat costs the server as much as the activity's end, and most end sooner.
  const timer = setInterval(beat, intervalMs);
  try {
    return await work({
      signal,
      stopCause: () => (signal.aborted ? stopCauseOf(context) : undefined),
      report: (more) => {
        facts = { ...facts, ...more };
      },
      assertAwake: () => awake.assert(),
    });
  } catch (error) {
    if (signal.aborted && isAbort(error))
      throw signal.reason instanceof CancelledFailure
        ? signal.reason
        : new CancelledFailure('the activity was told to stop');
    throw toApplicationFailure(error);
  } finally {
    clearInterval(timer);
  }
}

/** Notices that a process stood still (stopped, its machine suspended) for about as long as silence is borne. */
class Wakefulness {
  private readonly longestMs: number;
  private lookedAtMs: number;
  private sleptMs = 0;

  constructor(
    timeoutMs: number | undefined,
    intervalMs: number,
    private readonly now: () => number,
  ) {
    // Beats are sent some time after they are made, at intervals of their own.
    this.longestMs = Math.max((timeoutMs ?? Infinity) - 2 * intervalMs, 2 * intervalMs);
    this.lookedAtMs = now();
  }

  look(): void {
    const nowMs = this.now();
    this.sleptMs = Math.max(this.sleptMs, nowMs - this.lookedAtMs);
    this.lookedAtMs = nowMs;
  }

  assert(): void {
    this.look();
    if (this.sleptMs <= this.longestMs) return;
    throw new Failure(
      'WorkerLost',
      `this worker stood still for ${Math.round(this.sleptMs / 1000)} s: another try may have this work`,
    );
  }
}

/**
 * `cancelRequested` may come together with other reasons: a worker that was frozen beyond its heartbeat timeout, or
 * whose Temporal database was lost, must not take that for a person's wish.
 */
function stopCauseOf(context: Context): StopCause {
  const details = context.cancellationDetails;
  if (details === undefined) return 'detach';
  const { cancelRequested, timedOut, notFound, workerShutdown, paused, reset } = details;
  return cancelRequested && !(timedOut || notFound || workerShutdown || paused || reset)
    ? 'cancel'
    : 'detach';
}

/** By name: what Node's own timers and sockets throw need not be of this realm. */
function isAbort(error: unknown): boolean {
  if (error instanceof CancelledFailure) return true;
  return (
    typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError'
  );
}
