import { existsSync, readFileSync } from 'node:fs';
import * as http from 'node:http';
import { attemptFiles, processFiles } from '../../../activities/gateway/attempt-files';
import { controlRequest } from '../../../activities/gateway/control-request';
import { readJournalSince } from '../../../activities/gateway/gateway-control';
import { shortSocketPath } from '../../../activities/gateway/socket-path';
import { type Transcript } from '../../../activities/gateway/transcript-schema';
import { waitUntil } from '../../support/wait-until';
import { type GatewayBench, startGatewayBench } from './support/gateway-bench';
import { SETTINGS, TOKEN } from './support/attempt-folder';
import { mainRequest, START } from './support/harness-requests';
import { deliverAtLeastOnce, runAgent } from './support/sandbox-client';

const STEPS = 12;

function simulated(latencyMs: number) {
  const simulation = { seed: 5, steps: STEPS, judgeTurns: 1, latencyMs, errorRate: 0 };
  return { model: { ...SETTINGS.model, simulation } };
}

/** What each step of a transcript says, without times. */
function story(path: string): unknown[] {
  const transcript = JSON.parse(readFileSync(path, 'utf8')) as Transcript;
  return transcript.steps
    .filter(({ extra }) => extra?.['error'] === undefined)
    .map(({ source, message, tool_calls, observation }) => ({
      source,
      message,
      tool_calls,
      observation,
    }));
}

describe('a gateway that dies', () => {
  let bench: GatewayBench;
  let undisturbed: unknown[];
  let conversation: unknown[];

  beforeAll(async () => {
    const calm = await startGatewayBench();
    const folder = calm.attempt(simulated(0));
    const control = calm.control();
    await control.open(folder);
    conversation = await runAgent(folder, async () => undefined);
    undisturbed = story(await control.writeTranscript(folder));
    expect(calm.provider.calls().total).toBe(STEPS);
    await calm.stop();
  });
  beforeEach(async () => {
    bench = await startGatewayBench();
  });
  afterEach(async () => {
    await bench.stop();
  });

  it.each([
    // Moment, exchange, calls at the provider beyond the minimum.
    ['before-upstream', 1, 0],
    ['before-upstream', 7, 0],
    ['after-upstream', 1, 1],
    ['after-upstream', 5, 1],
    ['torn-journal', 1, 1],
    ['torn-journal', 9, 1],
    ['after-journal', 1, 0],
    ['after-journal', 4, 0],
    ['after-journal', STEPS, 0],
  ])(
    '%s in exchange %i: the same replies, %i calls too many',
    async (moment, exchange, extraCalls) => {
      const folder = bench.attempt(simulated(0));
      const doomed = bench.control({ STARTUPBENCH_FAULT: `gateway:${moment}:${exchange}` });
      await doomed.open(folder);
      const firstPid = await bench.gatewayPid();
      const control = bench.control();
      let absences = 0;
      const seen = await runAgent(folder, async () => {
        absences++;
        await control.ensureRunning();
      });
      expect(absences).toBeGreaterThan(0);
      expect(await bench.gatewayPid()).not.toBe(firstPid);
      expect(seen).toEqual(conversation);
      expect(bench.provider.calls().total).toBe(STEPS + extraCalls);
      expect(story(await control.writeTranscript(folder))).toEqual(undisturbed);
      expect((await control.readLog(folder)).traffic).toMatchObject({
        steps: STEPS,
        incomplete: moment === 'before-upstream' || extraCalls > 0,
      });
    },
  );

  it('by SIGKILL at five moments of one run: at most the call in flight is repeated each time', async () => {
    const folder = bench.attempt(simulated(20));
    const control = bench.control();
    await control.open(folder);
    let kills = 0;
    const seen = await runAgent(
      folder,
      () => control.ensureRunning(),
      async (step) => {
        if (step % 2 !== 0 || kills === 5) return;
        const pid = await bench.gatewayPid();
        // 0 to 24 ms into the next exchange, seeded by the step: while it is sent, called or answered.
        setTimeout(() => process.kill(pid, 'SIGKILL'), (step * 13) % 25);
        kills++;
      },
    );
    expect(kills).toBe(5);
    expect(seen).toEqual(conversation);
    const { total } = bench.provider.calls();
    expect(total).toBeGreaterThanOrEqual(STEPS);
    expect(total).toBeLessThanOrEqual(STEPS + kills);
    expect(story(await control.writeTranscript(folder))).toEqual(undisturbed);
  });

  it('hands over when asked: the open exchange ends, nothing is called twice', async () => {
    const folder = bench.attempt(simulated(100));
    const control = bench.control();
    await control.open(folder);
    const firstPid = await bench.gatewayPid();
    const { controlSocket } = processFiles(bench.dataDir);
    const seen = await runAgent(
      folder,
      () => control.ensureRunning(),
      async (step) => {
        if (step === 3)
          setTimeout(() => void controlRequest(controlSocket, 'POST', '/drain', {}, 60_000), 30);
      },
    );
    expect(await bench.gatewayPid()).not.toBe(firstPid);
    expect(seen).toEqual(conversation);
    expect(bench.provider.calls().total).toBe(STEPS);
  });

  it('hands over what a killed worker waited for: the call in flight is answered and not made again', async () => {
    const folder = bench.attempt(simulated(3_000));
    const control = bench.control();
    await control.open(folder);
    const firstPid = await bench.gatewayPid();
    const short = shortSocketPath(attemptFiles(folder).socket);
    const body = JSON.stringify(mainRequest(START));
    const client = http.request({
      ...{ socketPath: short.path, agent: false, method: 'POST', path: '/v1/chat/completions' },
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-length': Buffer.byteLength(body),
        'x-startupbench-delivery': 'first',
      },
    });
    client.on('error', () => undefined);
    client.end(body);
    await waitUntil(() => bench.provider.calls().mostAtOnce === 1);
    client.destroy();
    short.release();
    await controlRequest(processFiles(bench.dataDir).controlSocket, 'POST', '/drain', {}, 60_000);
    await control.ensureRunning();
    const answer = await deliverAtLeastOnce(
      folder,
      { body: mainRequest(START), deliveryId: 'first' },
      () => control.ensureRunning(),
    );
    expect(answer.status).toBe(200);
    expect(await bench.gatewayPid()).not.toBe(firstPid);
    expect(bench.provider.calls().total).toBe(1);
  });

  it('does not outlive its data folder', async () => {
    const own = await startGatewayBench();
    await own.control().ensureRunning();
    const pid = await own.gatewayPid();
    own.remove();
    await waitUntil(() => !existsSync(`/proc/${pid}`));
    await own.stop();
  });

  it('leaves a journal whose parts can be copied while it is written', async () => {
    const folder = bench.attempt(simulated(0));
    await bench.control().open(folder);
    const parts: Buffer[] = [];
    let offset = 0;
    const copy = async () => {
      const { bytes, nextOffset } = readJournalSince(folder, offset);
      parts.push(Buffer.from(bytes));
      offset = nextOffset;
    };
    await runAgent(folder, async () => undefined, copy);
    await copy();
    expect(Buffer.concat(parts)).toEqual(readFileSync(`${folder}/control/journal.bin`));
  });
});
