import { createHarness, harnessIdentity } from '../../../activities/harness/registry';
import { HARNESS_NAMES } from '../../../core/sweep';
import { ConformanceBench } from './support/conformance-bench';
import { type End, replied, ROWS } from './support/conformance-rows';
import { HARNESSES, NAMES } from './support/harness-facts';
import { type ConformanceResult } from './support/scripted-run';

jest.setTimeout(600_000);

function expectEnd(result: ConformanceResult, { stop, steps, requests }: End): void {
  const { record, transcript, providerReplies } = result;
  const lost = typeof stop === 'object';
  const outcome = lost ? 'lost' : stop === 'cancelled' ? 'cancelled' : 'ended';
  expect(record).toMatchObject({ outcome, traffic: { steps, modelRequests: requests } });
  expect(record.stopReason).toBe(lost ? undefined : stop);
  if (lost) expect(record.failure?.type).toBe(stop.lost);
  expect(providerReplies).toBe(lost ? requests - 1 : requests);
  expect(replied(result)).toHaveLength(providerReplies);
  expect(transcript.extra).toMatchObject({
    stop_reason: lost ? 'lost' : stop,
    model_steps: steps,
  });
}

describe('every sandboxed harness, as it is, against the real gateway and a scripted provider', () => {
  // Tests that run side by side do not wait for beforeAll.
  let started: Promise<ConformanceBench> | undefined;
  const bench = () => (started ??= ConformanceBench.start());
  afterAll(async () => (await started)?.dispose());

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
        const result = await (await bench()).run(scripted);
        expectEnd(result, row.ends[harness]);
        row.check?.(result, harness);
        const { litter, ownLog } = HARNESSES[harness];
        expect(result.record.pollution.filter((path) => !litter.test(path))).toEqual([]);
        const endedByItself = result.record.exit?.exitCode === 0;
        const stopped = row.ends[harness].stop === 'timeout';
        expect(result.native !== undefined).toBe(
          (ownLog !== 'none' && endedByItself) || (ownLog === 'as it goes' && stopped),
        );
      },
    );
  });
});
