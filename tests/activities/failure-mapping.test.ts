import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { toApplicationFailure, withHeartbeat } from '../../activities/failure-mapping';
import { Failure, FAILURE_TYPES, NON_RETRYABLE_FAILURES } from '../../core/failure';

describe('toApplicationFailure', () => {
  it.each(FAILURE_TYPES)('keeps the type and the retryability of %s', (type) => {
    const cause = new TypeError('why');
    const failure = toApplicationFailure(new Failure(type, 'what', { cause, retryAfterMs: 1_500 }));
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({
      message: 'what',
      type,
      nonRetryable: NON_RETRYABLE_FAILURES.includes(type),
      nextRetryDelay: 1_500,
      cause,
    });
  });

  it('passes what is Temporal’s own, and keeps the unknown retryable under its name', () => {
    const cancelled = new CancelledFailure('stop');
    const ours = ApplicationFailure.nonRetryable('final', 'ProviderQuota');
    expect(toApplicationFailure(cancelled)).toBe(cancelled);
    expect(toApplicationFailure(ours)).toBe(ours);
    expect(toApplicationFailure(new RangeError('odd'))).toMatchObject({
      type: 'RangeError',
      message: 'odd',
      nonRetryable: false,
    });
    expect(toApplicationFailure('text')).toMatchObject({ message: 'text', nonRetryable: false });
  });
});

describe('withHeartbeat', () => {
  it('beats until the end while the work does nothing, with all that was reported', async () => {
    const environment = new MockActivityEnvironment();
    const beats: unknown[] = [];
    environment.on('heartbeat', (details: unknown) => beats.push(details));
    await environment.run(() =>
      withHeartbeat(async (heartbeat) => {
        heartbeat.report({ step: 2, trouble: 'kept' });
        heartbeat.report({ step: 3 });
        // However slow the machine is.
        while (beats.length < 3) await sleep(10);
      }, 10),
    );
    const atEnd = beats.length;
    expect(atEnd).toBeGreaterThan(2);
    expect(beats.at(-1)).toEqual({ step: 3, trouble: 'kept' });
    await sleep(40);
    expect(beats).toHaveLength(atEnd);
  });

  it('does not beat for work that is over within an interval', async () => {
    const environment = new MockActivityEnvironment();
    const beats: unknown[] = [];
    environment.on('heartbeat', (details: unknown) => beats.push(details));
    await environment.run(() => withHeartbeat(async () => sleep(5), 60_000));
    expect(beats).toEqual([]);
  });

  it.each([
    ['cancel', { cancelRequested: true }],
    ['detach', { cancelRequested: true, timedOut: true }],
    ['detach', { cancelRequested: true, notFound: true }],
    ['detach', { workerShutdown: true }],
    ['detach', { paused: true }],
    ['detach', { reset: true }],
    ['detach', {}],
  ])('says %s for %j, and comes out as the cancellation', async (cause, details) => {
    const environment = new MockActivityEnvironment();
    let seen: unknown;
    const running = environment.run(() =>
      withHeartbeat(async ({ signal, stopCause }) => {
        expect(stopCause()).toBeUndefined();
        try {
          await sleep(10_000, undefined, { signal });
        } finally {
          seen = stopCause();
        }
      }),
    );
    environment.cancel('CANCELLED', new ActivityCancellationDetails(details));
    await expect(running).rejects.toBeInstanceOf(CancelledFailure);
    expect(seen).toBe(cause);
  });

  it('maps an error of the work, also after the activity was told to stop', async () => {
    const environment = new MockActivityEnvironment();
    const running = environment.run(() =>
      withHeartbeat(async ({ signal }) => {
        await sleep(10_000, undefined, { signal }).catch(() => undefined);
        throw new Failure('StoreUnavailable', 'away');
      }),
    );
    environment.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
    await expect(running).rejects.toMatchObject({ type: 'StoreUnavailable', nonRetryable: false });
  });

  it.each([
    [11_000, undefined],
    [11_001, { type: 'WorkerLost', nonRetryable: false }],
  ])('tells a worker that stood still for %i ms by the clock: %j', async (ms, failure) => {
    const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: 15_000 });
    let nowMs = 0;
    const running = environment.run(() =>
      withHeartbeat(
        async ({ assertAwake }) => {
          assertAwake();
          nowMs += ms;
          assertAwake();
          return 'awake';
        },
        2_000,
        () => nowMs,
      ),
    );
    if (failure === undefined) expect(await running).toBe('awake');
    else await expect(running).rejects.toMatchObject(failure);
  });
});
