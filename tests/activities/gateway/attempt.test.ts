import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AccountGates } from '../../../activities/gateway/account-gate';
import { Attempt } from '../../../activities/gateway/attempt';
import { attemptFiles } from '../../../activities/gateway/attempt-files';
import { readAttemptSettings } from '../../../activities/gateway/attempt-settings';
import { NO_FAULTS } from '../../../activities/gateway/fault-point';
import { readGatewayLog } from '../../../activities/gateway/gateway-control';
import { type GatewayAttempt } from '../../../activities/gateway/port';
import { Failure } from '../../../core/failure';
import { DEFAULT_LIMITS } from '../../../core/limits';
import { SILENT_LOGGER } from '../../../core/logger';
import { type DataFolder, makeDataFolder } from './support/attempt-folder';
import { delivery, mainRequest, START } from './support/harness-requests';
import {
  scriptedClient,
  type ScriptedClient,
  textReply,
  toolReply,
} from './support/scripted-client';

const SUMMARY = mainRequest(START, { tools: undefined, tool_choice: undefined });
const MAIN = mainRequest(START);

describe('serving one attempt', () => {
  let data: DataFolder;
  let folder: string;
  beforeEach(() => {
    data = makeDataFolder();
  });
  afterEach(() => {
    data.remove();
  });

  function serve(
    client: ScriptedClient,
    change: Partial<GatewayAttempt> = {},
    awayMs?: number,
  ): Attempt {
    folder = data.attempt(change);
    return new Attempt(
      folder,
      readAttemptSettings(folder),
      {
        modelClient: client,
        now: Date.now,
        logger: SILENT_LOGGER,
        faults: NO_FAULTS,
        gates: new AccountGates(),
      },
      awayMs,
    );
  }

  it('says "at least" of an attempt whose journal was damaged, and goes on', async () => {
    const client = scriptedClient((_call, number) => toolReply(number));
    const attempt = serve(client);
    await attempt.deliver(delivery('a', MAIN));
    const whole = statSync(attemptFiles(folder).journal).size;
    await attempt.deliver(delivery('b', mainRequest([...START, ...START])));
    attempt.release();
    const bytes = readFileSync(attemptFiles(folder).journal);
    bytes[whole + 12] = bytes[whole + 12]! ^ 1;
    writeFileSync(attemptFiles(folder).journal, bytes);
    const next = serve(client);
    await next.deliver(delivery('c', MAIN));
    next.release();
    expect(readGatewayLog(folder).traffic).toMatchObject({ steps: 2, incomplete: true });
  });

  it('journals a reply before it answers, and answers the same delivery again unpaid', async () => {
    const client = scriptedClient((_call, number) => toolReply(number));
    const attempt = serve(client);
    const first = await attempt.deliver(delivery('a', MAIN));
    expect(readGatewayLog(folder).traffic.steps).toBe(1);
    expect(await attempt.deliver(delivery('a', MAIN))).toEqual(first);
    attempt.release();
    const restarted = serve(client, {}, 0);
    expect(await restarted.deliver(delivery('a', MAIN))).toEqual(first);
    expect(client.calls).toHaveLength(1);
    restarted.release();
  });

  it('asks the provider again for the same body under a new id', async () => {
    const client = scriptedClient((_call, number) => toolReply(number));
    const attempt = serve(client);
    const first = await attempt.deliver(delivery('a', MAIN));
    const second = await attempt.deliver(delivery('b', MAIN));
    expect(second).not.toEqual(first);
    expect(client.calls).toHaveLength(2);
    attempt.release();
  });

  it('joins a delivery that is in flight', async () => {
    let answer: ((reply: Record<string, unknown>) => void) | undefined;
    const client = scriptedClient(() => new Promise((resolve) => (answer = resolve)));
    const attempt = serve(client);
    const both = [attempt.deliver(delivery('a', MAIN)), attempt.deliver(delivery('a', MAIN))];
    await new Promise((resolve) => setImmediate(resolve));
    answer!(textReply('done'));
    const [one, two] = await Promise.all(both);
    expect(one).toEqual(two);
    expect(client.calls).toHaveLength(1);
    attempt.release();
  });

  it('refuses a known id with another body', async () => {
    const attempt = serve(scriptedClient(() => textReply('x')));
    await attempt.deliver(delivery('a', MAIN));
    const outcome = await attempt.deliver(delivery('a', SUMMARY));
    expect(outcome).toMatchObject({
      status: 400,
      error: { error: { code: 'delivery_id_reused' } },
    });
    attempt.release();
  });

  it('ends at the step cap with 402, one request without tools beyond it, and keeps that over a restart', async () => {
    const client = scriptedClient((_call, number) => toolReply(number));
    const limits = { ...DEFAULT_LIMITS, maxSteps: 2 };
    let attempt = serve(client, { limits });
    for (const id of ['a', 'b'])
      expect(await attempt.deliver(delivery(id, MAIN))).toMatchObject({ status: 200 });
    expect(await attempt.deliver(delivery('c', MAIN))).toMatchObject({
      status: 402,
      error: { error: { type: 'insufficient_quota', code: 'insufficient_quota' } },
    });
    attempt.release();
    attempt = serve(client, { limits }, 0);
    expect(await attempt.deliver(delivery('d', SUMMARY))).toMatchObject({ status: 200 });
    expect(await attempt.deliver(delivery('e', SUMMARY))).toMatchObject({ status: 402 });
    expect(client.calls).toHaveLength(3);
    expect(readGatewayLog(folder)).toMatchObject({
      end: 'step_cap',
      traffic: {
        steps: 2,
        modelRequests: 3,
        auxiliaryRequests: 1,
        upstreamCalls: 3,
        refusedRequests: 2,
      },
    });
    attempt.release();
  });

  it('never lets parallel requests pass the step cap', async () => {
    const client = scriptedClient(async (_call, number) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return toolReply(number);
    });
    const attempt = serve(client, { limits: { ...DEFAULT_LIMITS, maxSteps: 5 } });
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, n) => attempt.deliver(delivery(`p${n}`, MAIN))),
    );
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(client.calls).toHaveLength(5);
    attempt.release();
  });

  it('stops at the cost cap by what the replies really cost', async () => {
    const client = scriptedClient((_call, number) => toolReply(number));
    const attempt = serve(client, { limits: { ...DEFAULT_LIMITS, maxCostMicroUsd: 200 } });
    const statuses = [];
    for (const id of ['a', 'b', 'c'])
      statuses.push((await attempt.deliver(delivery(id, MAIN))).status);
    expect(statuses).toEqual([200, 200, 402]);
    expect(readGatewayLog(folder)).toMatchObject({ end: 'budget', traffic: { costMicroUsd: 220 } });
    attempt.release();
  });

  it.each(['ProviderAuth', 'ModelUnknown', 'ProviderQuota', 'ProviderUnavailable'] as const)(
    'records %s as trouble when it may not be held any longer, tells the harness to stop and calls no more',
    async (type) => {
      const client = scriptedClient(() => {
        throw new Failure(type, 'the account is empty', { cause: { tries: 3 } });
      });
      const attempt = serve(client, { holdForMs: 0 });
      const first = await attempt.deliver(delivery('a', MAIN));
      expect(first).toMatchObject({ status: 402 });
      expect(await attempt.deliver(delivery('b', MAIN))).toMatchObject({ status: 402 });
      expect(await attempt.deliver(delivery('a', MAIN))).toEqual(first);
      expect(client.calls).toHaveLength(1);
      expect(readGatewayLog(folder)).toMatchObject({
        trouble: { type, message: 'the account is empty' },
        traffic: { steps: 0, upstreamCalls: 3 },
      });
      // What the operator reads is not for the agent.
      expect(JSON.stringify(first)).not.toContain('the account is empty');
      attempt.release();
    },
  );

  it('passes a refused request on as the agent’s result', async () => {
    const cause = { status: 400, contentRefused: true, tries: 1 };
    const client = scriptedClient(() => {
      throw new Failure('InvalidInput', 'content policy', { cause });
    });
    const attempt = serve(client);
    expect(await attempt.deliver(delivery('a', MAIN))).toMatchObject({
      status: 400,
      error: { error: { code: 'content_filter' } },
    });
    const log = readGatewayLog(folder);
    expect(log.refused).toBe(true);
    expect(log.trouble).toBeUndefined();
    expect(log.lastError).toEqual({ status: 400, message: 'content policy' });
    attempt.release();
  });

  it.each([
    ['a filtered reply', textReply('', 'content_filter'), { refused: true, emptyReply: true }],
    ['an empty reply', textReply('  '), { refused: false, emptyReply: true }],
    [
      'a cut reply',
      textReply('half', 'length'),
      { refused: false, emptyReply: false, lastFinishReason: 'length' },
    ],
  ])('notes %s', async (_title, reply, expected) => {
    const attempt = serve(scriptedClient(() => reply));
    await attempt.deliver(delivery('a', MAIN));
    expect(readGatewayLog(folder)).toMatchObject(expected);
    attempt.release();
  });

  it('holds calls without a fresh lease and makes them when it is renewed', async () => {
    const client = scriptedClient(() => textReply('x'));
    const attempt = serve(client, { leaseMs: 1_000 });
    const lease = join(folder, 'control', 'lease');
    utimesSync(lease, new Date(0), new Date(0));
    const outcome = attempt.deliver(delivery('a', MAIN));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(client.calls).toHaveLength(0);
    utimesSync(lease, new Date(), new Date());
    expect(await outcome).toMatchObject({ status: 200 });
    expect(readGatewayLog(folder).waitedMs).toBeGreaterThan(0);
    attempt.release();
  });

  it('ends open exchanges after the grace and refuses from then on', async () => {
    const client = scriptedClient(
      (call) =>
        new Promise((_resolve, reject) =>
          call.signal?.addEventListener('abort', () => reject(call.signal?.reason as Error)),
        ),
    );
    const attempt = serve(client);
    const open = attempt.deliver(delivery('a', MAIN));
    await new Promise((resolve) => setImmediate(resolve));
    await attempt.close('timeout', 10);
    expect(await open).toMatchObject({ status: 402 });
    expect(await attempt.deliver(delivery('b', MAIN))).toMatchObject({ status: 402 });
    expect(readGatewayLog(folder)).toMatchObject({ end: 'timeout', traffic: { incomplete: true } });
    attempt.release();
  });

  it('counts a call whose reply was lost with the process, and says that the cost is "at least"', async () => {
    const client = scriptedClient(() => new Promise(() => undefined));
    const attempt = serve(client);
    void attempt.deliver(delivery('a', MAIN));
    await new Promise((resolve) => setImmediate(resolve));
    attempt.release();
    const again = scriptedClient(() => textReply('x'));
    const restarted = serve(again, {}, 1_234);
    expect(await restarted.deliver(delivery('a', MAIN))).toMatchObject({ status: 200 });
    expect(readGatewayLog(folder).traffic).toMatchObject({
      incomplete: true,
      upstreamCalls: 2,
      steps: 1,
    });
    restarted.release();
  });

  it('takes the absence of the gateway for waiting, by the smaller of both words', async () => {
    const client = scriptedClient(() => textReply('x'));
    serve(client).release();
    const attempt = serve(client, {}, 5_000);
    await attempt.deliver({ ...delivery('a', MAIN), waitedMs: 3_000 });
    await attempt.deliver({ ...delivery('b', MAIN), waitedMs: 600_000 });
    // They waited side by side, so the longer wait is all there was.
    const { waitedMs } = readGatewayLog(folder);
    expect(waitedMs).toBeGreaterThanOrEqual(3_000);
    expect(waitedMs).toBeLessThan(4_000);
    attempt.release();
  });

  it('answers nothing that it could not journal, and serves on', async () => {
    const client = scriptedClient((_call, number) =>
      number === 1 ? { ...textReply('x'), unwritable: 1n } : textReply('y'),
    );
    const attempt = serve(client);
    await expect(attempt.deliver(delivery('a', MAIN))).rejects.toThrow('BigInt');
    expect(await attempt.deliver(delivery('a', MAIN))).toMatchObject({ status: 200 });
    expect(client.calls).toHaveLength(2);
    expect(readGatewayLog(folder).traffic).toMatchObject({ steps: 1, incomplete: true });
    attempt.release();
  });
});
