import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type LimitReached,
  type WatchedAttempt,
  watchExecution,
} from '../../../activities/agent/execution-watch';

const HOUR_MS = 3_600_000;
const LIMIT_MS = 2 * HOUR_MS;

describe('the watch over an attempt that a person had paused for three hours', () => {
  let folder: string;
  const reported: unknown[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watch-'));
    mkdirSync(join(folder, 'control'));
    writeFileSync(join(folder, 'control', 'journal.bin'), '');
    // The last thing written: that the exchange waits.
    utimesSync(join(folder, 'control', 'journal.bin'), 60, 60);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** What happens at each look, from the first one on. */
  async function watch(
    looks: readonly { readonly held: boolean; readonly waitedMs: number; readonly nowMs: number }[],
  ): Promise<LimitReached | undefined> {
    const stop = new AbortController();
    let at = 0;
    const look = () => looks[Math.min(at, looks.length - 1)]!;
    const watched = {
      context: {
        plan: { limits: { workingTimeMs: LIMIT_MS }, timings: { leaseMs: 1_000 } },
        reference: { run: {} },
        paths: { attemptDir: folder, control: join(folder, 'control'), disk: folder },
        state: { epoch: async () => 1 },
      },
      gateway: {
        ensureRunning: async () => undefined,
        renewLease: async () => undefined,
        isHeld: async () => {
          const { held } = look();
          if (++at >= looks.length) stop.abort();
          return held;
        },
        readLog: async () => ({ waitedMs: look().waitedMs }),
      },
      epoch: 1,
      assertAwake: () => undefined,
      disk: 'mounted',
      startedAtMs: 0,
      timings: { tickMs: 1 },
      now: () => look().nowMs,
      report: (facts: unknown) => reported.push(facts),
    } as unknown as WatchedAttempt;
    return watchExecution(watched, stop.signal);
  }
  const at = (held: boolean, waitedMs: number, nowMs: number) => ({ held, waitedMs, nowMs });
  const free = (count: number, nowMs: number) =>
    Array.from({ length: count }, () => at(false, 3 * HOUR_MS, nowMs));
  const paused = [at(true, 0, HOUR_MS), at(true, 0, 3 * HOUR_MS)];

  it('does not end it before the gateway has written down how long that was, nor for its silence', async () => {
    const justFreed = [at(false, 0, 3 * HOUR_MS), at(false, 0, 3 * HOUR_MS)];
    expect(await watch([...paused, ...justFreed, ...free(6, 3 * HOUR_MS)])).toBeUndefined();
  });

  it('nor when that went on just before this watch began', async () => {
    const justFreed = Array.from({ length: 3 }, () => at(false, 0, 3 * HOUR_MS));
    expect(await watch([...justFreed, at(true, 0, 3 * HOUR_MS)])).toBeUndefined();
  });

  it('nor where the whole machine was suspended, and nobody has listened since', async () => {
    const waited = Array.from({ length: 8 }, () => at(false, 2 * HOUR_MS, 3 * HOUR_MS));
    expect(await watch([...waited, at(true, 0, 3 * HOUR_MS)])).toBeUndefined();
  });

  it('tells when the agent and its model last exchanged something', async () => {
    await watch(free(2, HOUR_MS));
    expect(reported.at(-1)).toEqual({ lastModelExchange: '1970-01-01T00:01:00.000Z' });
  });

  it('ends it for a silence of an hour, and at its working time, after that', async () => {
    const silent = await watch([...paused, ...free(8, 3 * HOUR_MS), ...free(8, 4.5 * HOUR_MS)]);
    expect(silent?.detail).toContain('no model request');
    const over = await watch([...paused, ...free(8, 3 * HOUR_MS), ...free(8, 5.5 * HOUR_MS)]);
    expect(over).toEqual({ intent: 'timeout', detail: `the limit of ${LIMIT_MS} ms working time` });
  });
});

it('no longer shows a problem of the gateway that is over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  const stop = new AbortController();
  let facts: Readonly<Record<string, unknown>> = {};
  const shown: unknown[] = [];
  let looks = 0;
  const watched = {
    context: {
      plan: { limits: {}, timings: { leaseMs: 1_000 } },
      reference: { run: {} },
      paths: { attemptDir: folder, control: folder, disk: folder },
      state: { epoch: async () => 1 },
    },
    gateway: {
      ensureRunning: async () => {
        if (++looks < 3) throw new Error('the gateway did not start');
        if (looks === 5) stop.abort();
      },
      renewLease: async () => undefined,
      isHeld: async () => false,
    },
    epoch: 1,
    assertAwake: () => undefined,
    disk: 'mounted',
    startedAtMs: 0,
    timings: { tickMs: 1 },
    now: () => 0,
    // As the heartbeat does it.
    report: (more: Readonly<Record<string, unknown>>) => {
      facts = { ...facts, ...more };
      shown.push(JSON.parse(JSON.stringify(facts)));
    },
  } as unknown as WatchedAttempt;
  await watchExecution(watched, stop.signal);
  rmSync(folder, { recursive: true });
  const trouble = { gateway: 'the gateway did not start' };
  expect(shown).toEqual([trouble, trouble, {}]);
});
