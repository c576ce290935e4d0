import { AccountGates } from '../../../activities/gateway/account-gate';
import { Attempt } from '../../../activities/gateway/attempt';
import { attemptFiles } from '../../../activities/gateway/attempt-files';
import { readAttemptSettings } from '../../../activities/gateway/attempt-settings';
import { NO_FAULTS } from '../../../activities/gateway/fault-point';
import { readGatewayLog } from '../../../activities/gateway/gateway-control';
import { readHolding, writePause } from '../../../activities/gateway/hold-files';
import { type GatewayAttempt } from '../../../activities/gateway/port';
import { Failure, type FailureType } from '../../../core/failure';
import { DEFAULT_LIMITS } from '../../../core/limits';
import { SILENT_LOGGER } from '../../../core/logger';
import { waitUntil } from '../../support/wait-until';
import { type DataFolder, makeDataFolder } from './support/attempt-folder';
import { delivery, mainRequest, START } from './support/harness-requests';
import { scriptedClient, type ScriptedClient, toolReply } from './support/scripted-client';

const MAIN = mainRequest(START);
/** Twelve hours of holding in twelve seconds, five-second pauses in two milliseconds. */
const SCALED = { probeMs: 2, holdForMs: 12_000, retryForMs: 10 };
const TROUBLES = [
  'ProviderAuth',
  'ModelUnknown',
  'ProviderQuota',
  'ProviderUnavailable',
  'ConfigMissing',
] as const;

function trouble(type: FailureType, status = 500): Failure {
  return new Failure(type, `no: ${type}`, { cause: { tries: 1, status } });
}

describe('an exchange whose account is in trouble', () => {
  let data: DataFolder;
  let gates: AccountGates;
  beforeEach(() => {
    data = makeDataFolder();
    gates = new AccountGates();
  });
  afterEach(() => {
    data.remove();
  });

  function serve(client: ScriptedClient, change: Partial<GatewayAttempt> = {}): Attempt {
    const folder = data.attempt({ ...SCALED, ...change });
    const settings = readAttemptSettings(folder);
    const dependencies = {
      modelClient: client,
      now: Date.now,
      logger: SILENT_LOGGER,
      faults: NO_FAULTS,
      gates,
    };
    return new Attempt(folder, settings, dependencies, 0);
  }
  const holdingOf = (attempt: Attempt) => readHolding(attemptFiles(attempt.attemptDir).holding);

  it.each(TROUBLES)('waits out %s: no step, no end, and the reply in the end', async (type) => {
    let broken = true;
    const client = scriptedClient((_call, number) => {
      if (broken) throw trouble(type);
      return toolReply(number);
    });
    const attempt = serve(client);
    const outcome = attempt.deliver(delivery('a', MAIN));
    await waitUntil(() => client.calls.length > 4);
    expect(holdingOf(attempt)).toMatchObject({ type, message: `no: ${type}` });
    broken = false;
    expect(await outcome).toMatchObject({ status: 200 });
    expect(holdingOf(attempt)).toBeUndefined();
    const log = readGatewayLog(attempt.attemptDir);
    expect(log).toMatchObject({ traffic: { steps: 1, modelRequests: 1 }, trouble: undefined });
    attempt.release();
  });

  it('is no working time, for other requests of the attempt either', async () => {
    let broken = true;
    const client = scriptedClient((_call, number) => {
      if (broken) throw trouble('ProviderQuota', 402);
      return toolReply(number);
    });
    const attempt = serve(client, { limits: { ...DEFAULT_LIMITS, workingTimeMs: 300 } });
    const first = attempt.deliver(delivery('a', MAIN));
    await new Promise((resolve) => setTimeout(resolve, 600));
    const second = attempt.deliver(delivery('b', MAIN));
    await new Promise((resolve) => setImmediate(resolve));
    broken = false;
    gates.tryNow();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    const { waitedMs, end } = readGatewayLog(attempt.attemptDir);
    expect(end).toBeUndefined();
    // Side by side they waited once.
    expect(waitedMs).toBeGreaterThan(500);
    expect(waitedMs).toBeLessThan(1_000);
    attempt.release();
  });

  it('lets one attempt at a time try, and all go when it succeeds', async () => {
    let broken = true;
    let out = 0;
    let mostOut = 0;
    const client = scriptedClient(async (_call, number) => {
      if (!broken) return toolReply(number);
      mostOut = Math.max(mostOut, ++out);
      await new Promise((resolve) => setTimeout(resolve, 1));
      out--;
      throw trouble('ProviderUnavailable');
    });
    const attempts = Array.from({ length: 12 }, (_, n) =>
      serve(client, { attemptId: `attempt-${n}`, probeMs: 20 }),
    );
    const first = attempts[0]!.deliver(delivery('a', MAIN));
    await waitUntil(() => holdingOf(attempts[0]!) !== undefined);
    mostOut = 0;
    const others = attempts.slice(1).map((attempt) => attempt.deliver(delivery('a', MAIN)));
    await waitUntil(() => client.calls.length > 5);
    expect(mostOut).toBe(1);
    broken = false;
    for (const outcome of await Promise.all([first, ...others])) expect(outcome.status).toBe(200);
    for (const attempt of attempts) attempt.release();
  });

  it('tries at once when a person says so', async () => {
    let broken = true;
    const client = scriptedClient((_call, number) => {
      if (broken) throw trouble('ProviderAuth', 401);
      return toolReply(number);
    });
    const attempt = serve(client, { probeMs: 3_600_000, holdForMs: 86_400_000 });
    const outcome = attempt.deliver(delivery('a', MAIN));
    await waitUntil(() => holdingOf(attempt) !== undefined);
    expect(client.calls).toHaveLength(1);
    broken = false;
    gates.tryNow();
    expect(await outcome).toMatchObject({ status: 200 });
    attempt.release();
  });

  it('is lost when it was held as long as may be', async () => {
    const client = scriptedClient(() => {
      throw trouble('ProviderQuota', 402);
    });
    const attempt = serve(client, { holdForMs: 100 });
    expect(await attempt.deliver(delivery('a', MAIN))).toMatchObject({ status: 402 });
    expect(readGatewayLog(attempt.attemptDir).trouble).toMatchObject({ type: 'ProviderQuota' });
    attempt.release();
  });

  it('comes again to the next gateway, neither counted nor taken for a lost call', async () => {
    const client = scriptedClient(() => {
      throw trouble('ProviderUnavailable');
    });
    const attempt = serve(client, { probeMs: 3_600_000 });
    const outcome = attempt.deliver(delivery('a', MAIN));
    outcome.catch(() => undefined);
    await waitUntil(() => holdingOf(attempt) !== undefined);
    attempt.handOver();
    await expect(outcome).rejects.toThrow('handing over');
    attempt.release();
    gates = new AccountGates();
    const next = serve(scriptedClient((_call, number) => toolReply(number)));
    expect(holdingOf(next)).toBeUndefined();
    expect(await next.deliver(delivery('a', MAIN))).toMatchObject({ status: 200 });
    expect(readGatewayLog(next.attemptDir).traffic).toMatchObject({ steps: 1, incomplete: false });
    next.release();
  });

  it('ends with its attempt', async () => {
    const client = scriptedClient(() => {
      throw trouble('ProviderAuth', 401);
    });
    const attempt = serve(client, { probeMs: 3_600_000 });
    const outcome = attempt.deliver(delivery('a', MAIN));
    await waitUntil(() => holdingOf(attempt) !== undefined);
    await attempt.close('closed', 1);
    expect(await outcome).toMatchObject({ status: 402 });
    expect(readGatewayLog(attempt.attemptDir)).toMatchObject({ end: 'closed', trouble: undefined });
    attempt.release();
  });
});

describe('a request that breaks its provider', () => {
  let data: DataFolder;
  beforeEach(() => {
    data = makeDataFolder();
  });
  afterEach(() => {
    data.remove();
  });

  /** Fails on what the agent sends, answers everything small. */
  function serve(status: number): { attempt: Attempt; client: ScriptedClient } {
    const client = scriptedClient(({ body }, number) => {
      if (body['tools'] !== undefined) throw trouble('ProviderUnavailable', status);
      return toolReply(number);
    });
    const folder = data.attempt(SCALED);
    const attempt = new Attempt(
      folder,
      readAttemptSettings(folder),
      {
        modelClient: client,
        now: Date.now,
        logger: SILENT_LOGGER,
        faults: NO_FAULTS,
        gates: new AccountGates(),
      },
      undefined,
    );
    return { attempt, client };
  }

  it('ends as a fault that counts as an attempt, after few tries', async () => {
    const { attempt, client } = serve(500);
    expect(await attempt.deliver(delivery('a', MAIN))).toMatchObject({ status: 402 });
    const log = readGatewayLog(attempt.attemptDir);
    expect(log.trouble).toMatchObject({ type: 'ProviderFault' });
    expect(client.calls.length).toBeLessThan(12);
    // The small calls that showed it are paid, so they are recorded; none is a step.
    expect(log.traffic.steps).toBe(0);
    expect(log.traffic.auxiliaryRequests).toBeGreaterThan(0);
    expect(log.traffic.costMicroUsd).toBe(110 * log.traffic.auxiliaryRequests);
    attempt.release();
  });

  it('is not blamed for "too many requests" while others get through', async () => {
    const { attempt, client } = serve(429);
    const outcome = attempt.deliver(delivery('a', MAIN));
    await waitUntil(() => client.calls.length > 12);
    expect(readGatewayLog(attempt.attemptDir).trouble).toBeUndefined();
    await attempt.close('closed', 1);
    await outcome;
    attempt.release();
  });
});

describe('an attempt that a person has paused', () => {
  it('sends nothing out before it is resumed, and works no time', async () => {
    const data = makeDataFolder();
    const folder = data.attempt();
    const client = scriptedClient((_call, number) => toolReply(number));
    const attempt = new Attempt(
      folder,
      readAttemptSettings(folder),
      {
        modelClient: client,
        now: Date.now,
        logger: SILENT_LOGGER,
        faults: NO_FAULTS,
        gates: new AccountGates(),
      },
      undefined,
    );
    writePause(attemptFiles(folder).pause, 'lunch');
    const outcome = attempt.deliver(delivery('a', MAIN));
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(client.calls).toHaveLength(0);
    // No trouble of the provider's, so the lane has nothing to hear.
    expect(readHolding(attemptFiles(folder).holding)).toBeUndefined();
    writePause(attemptFiles(folder).pause, undefined);
    expect(await outcome).toMatchObject({ status: 200 });
    expect(readGatewayLog(folder).waitedMs).toBeGreaterThan(600);
    attempt.release();
    data.remove();
  });
});
