import { type TranscriptStep } from '../../../activities/gateway/transcript-schema';
import { createHarness, harnessIdentity } from '../../../activities/harness/registry';
import { HARNESS_NAMES } from '../../../core/sweep';
import { ConformanceBench } from './support/conformance-bench';
import { ROWS } from './support/conformance-rows';
import { judgedByHarbor } from './support/harbor-model';
import { HARNESSES, NAMES } from './support/harness-facts';
import { type End, replied } from './support/row-parts';
import { interruptible, whatIsLeft } from './support/undisturbed';
import { type ConformanceResult, type ScriptedRun } from './support/scripted-run';

jest.setTimeout(600_000);

function expectEnd(result: ConformanceResult, { stop, steps, requests }: End): void {
  const { record, transcript, providerReplies } = result;
  const lost = typeof stop === 'object';
  const outcome = lost ? 'lost' : stop === 'cancelled' ? 'cancelled' : 'ended';
  expect(record).toMatchObject({ outcome, traffic: { steps } });
  expect(record.stopReason).toBe(lost ? undefined : stop);
  if (lost) expect(record.failure?.type).toBe(stop.lost);
  // While it holds a request, the gateway asks by itself whether the provider works again.
  const checks = replied(result).filter(isCheck).length;
  expect(checks === 0 || lost).toBe(true);
  expect((record.traffic?.modelRequests ?? 0) - checks).toBe(requests);
  expect(providerReplies - checks).toBe(lost ? requests - 1 : requests);
  expect(replied(result)).toHaveLength(providerReplies);
  expect(transcript.extra).toMatchObject({
    stop_reason: lost ? 'lost' : stop,
    model_steps: steps,
  });
}

/** On a bench of its own. */
async function alone(scripted: ScriptedRun): Promise<ConformanceResult> {
  const bench = await ConformanceBench.start();
  try {
    return await bench.run(scripted);
  } finally {
    await bench.dispose();
  }
}

function isCheck({ extra }: TranscriptStep): boolean {
  return String(extra?.['delivery_id']).startsWith('account-check-');
}

describe('every sandboxed harness, as it is, against the real gateway and a scripted provider', () => {
  // Tests that run side by side do not wait for beforeAll.
  let started: Promise<ConformanceBench> | undefined;
  const bench = () => (started ??= ConformanceBench.start());
  afterAll(async () => (await started)?.dispose());
  const transcripts: string[] = [];

  it('leaves none out', () => {
    const sandboxed = HARNESS_NAMES.filter(
      (name) => createHarness(harnessIdentity(name, () => 'recipe')).needsSandbox,
    );
    expect([...NAMES].sort()).toEqual([...sandboxed].sort());
  });

  describe.each(NAMES)('%s', (harness) => {
    it.concurrent.each(ROWS.map((row, index) => [row.title, row, index] as const))(
      '%s',
      async (_title, row, index) => {
        const scripted = { id: `row-${index}-${harness}`, harness, ...row.run(harness) };
        const result = await (row.alone ? alone(scripted) : (await bench()).run(scripted));
        transcripts.push(result.transcriptText);
        expectEnd(result, row.ends[harness]);
        row.check?.(result, harness);
        const { litter, ownLog } = HARNESSES[harness];
        expect(result.record.pollution.filter((path) => !litter.test(path))).toEqual([]);
        // Whoever does not end by itself is not asked.
        if (result.record.outcome === 'ended')
          expect(result.record.exit?.network).toEqual({ refusedConnections: 0, namesAsked: [] });
        const endedByItself = result.record.exit?.exitCode === 0;
        const stopped = row.ends[harness].stop === 'timeout';
        // Whoever is stopped has a second to write, which a busy machine may not give it before it is forced.
        if (stopped && result.record.exit?.signal === 'SIGKILL') return;
        expect(result.native !== undefined).toBe(
          (ownLog !== 'none' && endedByItself) || (ownLog === 'as it goes' && stopped),
        );
      },
    );

    it.concurrent('does not notice that worker and gateway are killed in mid-run', async () => {
      const [disturbed, twin] = await Promise.all([
        alone({
          ...interruptible(harness),
          id: `killed-${harness}`,
          killed: true,
          faults: [{ match: { turn: 1 }, stall: true }],
        }),
        (await bench()).run({ ...interruptible(harness), id: `twin-${harness}` }),
      ]);
      expect(whatIsLeft(disturbed)).toEqual(whatIsLeft(twin));
      expectEnd(disturbed, { stop: 'completed', steps: 3, requests: 3 });
      // The one call that was under way.
      expect(disturbed.record.traffic?.upstreamCalls).toBeLessThanOrEqual(4);
    });
  });

  it('leaves transcripts that the model of the format’s own project takes, all of them', async () => {
    expect(transcripts).toHaveLength(NAMES.length * ROWS.length);
    expect(await judgedByHarbor(transcripts)).toEqual([]);
  });
});
