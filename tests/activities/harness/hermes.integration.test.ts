import { ConformanceBench } from './support/conformance-bench';

const terminal = (inputTokens: number) => ({
  tools: [{ name: 'terminal', arguments: { command: 'date' } }],
  usage: { inputTokens, outputTokens: 10 },
});

/** What is Hermes' alone; how it ends is in the table that all harnesses share. */
describe('Hermes in its sandbox', () => {
  let bench: ConformanceBench;
  beforeAll(async () => {
    bench = await ConformanceBench.start();
  });
  afterAll(() => bench.dispose());

  it('has its context summarised by requests that are no steps', async () => {
    const { record, transcript } = await bench.run({
      id: 'hermes-summary',
      harness: 'hermes',
      limits: { maxSteps: 18, contextWindowTokens: 130_000 },
      script: {
        turns: [...Array.from({ length: 14 }, () => terminal(1_000)), terminal(125_000)],
        loop: true,
      },
    });
    expect(record).toMatchObject({ stopReason: 'step_cap', traffic: { steps: 18 } });
    const rewritten = transcript.steps.filter(
      ({ extra }) => extra?.['context_management'] !== undefined,
    );
    expect(rewritten.length).toBeGreaterThan(0);
    // One summary for each, and the closing request at the cap.
    expect(record.traffic?.auxiliaryRequests).toBe(rewritten.length + 1);
    const asked = transcript.steps.filter(
      ({ source, extra }) => source === 'user' && extra?.['auxiliary'] === true,
    );
    expect(JSON.stringify(asked)).toContain('summarization agent');
  });
});
