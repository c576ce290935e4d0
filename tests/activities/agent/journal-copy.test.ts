import { appendFile, readFile } from 'node:fs/promises';
import { createLostAttemptActivity } from '../../../activities/agent-activities';
import { attemptResolver, type AttemptContext } from '../../../activities/agent/attempt-context';
import { writeGatewayOrders } from '../../../activities/agent/gateway-orders';
import { copyJournal, findCopiedJournal } from '../../../activities/agent/journal-copy';
import { Attempt } from '../../../activities/gateway/attempt';
import { attemptFiles } from '../../../activities/gateway/attempt-files';
import { readAttemptSettings } from '../../../activities/gateway/attempt-settings';
import { AccountGates } from '../../../activities/gateway/account-gate';
import { NO_FAULTS } from '../../../activities/gateway/fault-point';
import { raiseLease } from '../../../activities/gateway/lease';
import { createPlanCache } from '../../../activities/plan-cache';
import { type RecordLostAttemptInput } from '../../../core/activity-contract';
import { storeKeys } from '../../../core/ids';
import { SILENT_LOGGER } from '../../../core/logger';
import { type AttemptRecord } from '../../../core/run';
import { waitUntil } from '../../support/wait-until';
import { delivery, mainRequest, START } from '../gateway/support/harness-requests';
import { scriptedClient, toolReply } from '../gateway/support/scripted-client';
import { AgentWorld, step } from './support/agent-world';

const PRICES = {
  inputPerMillion: 1_000_000,
  cachedInputPerMillion: 1_000_000,
  cacheWritePerMillion: 1_000_000,
  outputPerMillion: 1_000_000,
};

let world: AgentWorld;
let context: AttemptContext;
let gateway: Attempt;

beforeEach(async () => {
  world = await AgentWorld.make({
    harness: 'minimal',
    prices: PRICES,
    timings: { journalCopyMs: 1 },
  });
  const host = { stack: world.stack, hostId: 'gone', sandboxesDir: world.folder };
  const reference = { run: world.run, attempt: 1, hostId: 'gone' };
  context = await attemptResolver(createPlanCache(world.store), host)(reference);
  await writeGatewayOrders(context, 'token');
  const { attemptDir } = context.paths;
  await raiseLease(attemptFiles(attemptDir).lease);
  const modelClient = scriptedClient((_call, number) => toolReply(number));
  gateway = new Attempt(
    attemptDir,
    readAttemptSettings(attemptDir),
    {
      modelClient,
      now: Date.now,
      logger: SILENT_LOGGER,
      faults: NO_FAULTS,
      gates: new AccountGates(),
    },
    undefined,
  );
});
afterEach(async () => {
  gateway.release();
  await world.dispose();
});

const ask = (id: string) => gateway.deliver(delivery(id, mainRequest([...START])));
const journal = () => readFile(attemptFiles(context.paths.attemptDir).journal);

/** The store's parts, one behind the other. */
async function copied(): Promise<Buffer> {
  const found = await findCopiedJournal(world.store, context.reference);
  const parts = await Promise.all(
    (found?.parts ?? []).map(({ sha256 }) => world.store.getBlob('open', sha256)),
  );
  return Buffer.concat(parts);
}

/** An executor's copying, until everything is there. */
async function copyAll(expected: Buffer): Promise<string[]> {
  const stop = new AbortController();
  const problems: string[] = [];
  const copying = copyJournal(context, world.store, stop.signal, (problem) =>
    problems.push(problem),
  );
  try {
    await waitUntil(async () => (await copied()).equals(expected));
  } finally {
    stop.abort();
    await copying;
  }
  return problems;
}

async function recordLost(): Promise<AttemptRecord> {
  const { recordLostAttempt } = createLostAttemptActivity({ store: world.store });
  const input: RecordLostAttemptInput = {
    ...context.reference,
    outcome: 'lost',
    failure: { type: 'SandboxLost', message: 'another host took over' },
  };
  await step(recordLostAttempt, input);
  const { runKey } = world.run;
  return (await world.record<AttemptRecord>(storeKeys.attempt(runKey, 1, 1, 'attempt.json')))!;
}

describe('the copy of a running attempt’s journal', () => {
  it('is continued by the next executor, part behind part', async () => {
    await ask('d1');
    await copyAll(await journal());
    await ask('d2');
    await copyAll(await journal());
    const parts = (await findCopiedJournal(world.store, context.reference))!.parts;
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.at(-1)!.nextOffset).toBe((await journal()).length);
  });

  it('holds whole frames only', async () => {
    await ask('d1');
    const whole = await journal();
    await appendFile(attemptFiles(context.paths.attemptDir).journal, Buffer.from([9, 0, 0, 0, 1]));
    await copyAll(whole);
  });

  it('is tried again after a failure, which is reported', async () => {
    await ask('d1');
    jest.spyOn(world.store, 'putBlob').mockRejectedValueOnce(new Error('the store is away'));
    expect(await copyAll(await journal())).toEqual(['the store is away']);
  });

  it('takes what another executor copied first for its own', async () => {
    await ask('d1');
    const expected = await journal();
    const both = await Promise.all([copyAll(expected), copyAll(expected)]);
    expect(both).toEqual([[], []]);
  });
});

describe('the record of an attempt whose host is gone', () => {
  it('has transcript and traffic from the copied journal, as a lower bound', async () => {
    await ask('d1');
    await ask('d2');
    await copyAll(await journal());
    await ask('d3');
    const record = await recordLost();
    expect(record).toMatchObject({
      outcome: 'lost',
      hostId: 'gone',
      traffic: { steps: 2, upstreamCalls: 2, costMicroUsd: 220, incomplete: true },
    });
    const transcript = await world.store.getBlob('open', record.transcript!.sha256);
    expect(JSON.parse(transcript.toString())).toMatchObject({
      session_id: context.attemptId,
      extra: { incomplete: true, stop_reason: 'lost', model_steps: 2 },
    });
  });

  it('says nothing of traffic that never reached the store', async () => {
    await ask('d1');
    const record = await recordLost();
    expect(record).toMatchObject({ outcome: 'lost', logs: [] });
    expect(record).not.toHaveProperty('traffic');
  });

  it('is written although the copy cannot be read', async () => {
    await ask('d1');
    await copyAll(await journal());
    jest.spyOn(world.store, 'getBlob').mockRejectedValueOnce(new Error('altered'));
    expect(await recordLost()).not.toHaveProperty('traffic');
  });
});
