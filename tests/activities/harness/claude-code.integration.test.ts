import { ConformanceBench } from './support/conformance-bench';

const bash = (command: string, inputTokens = 1_000) => ({
  tools: [{ name: 'Bash', arguments: { command, description: 'x' } }],
  usage: { inputTokens, outputTokens: 10 },
});

/** What is Claude Code's alone; how it ends is in the table that all harnesses share. */
describe('Claude Code in its sandbox', () => {
  let started: Promise<ConformanceBench> | undefined;
  const bench = () => (started ??= ConformanceBench.start());
  afterAll(async () => (await started)?.dispose());

  it('counts no summary of its conversation as a step, and offers it no tools', async () => {
    const result = await (
      await bench()
    ).run({
      id: 'claude-summary',
      harness: 'claude-code',
      limits: { maxSteps: 6, contextWindowTokens: 100_000 },
      script: { turns: [bash('date'), bash('date', 50_000), bash('date', 95_000)], loop: true },
    });
    const { traffic } = result.record;
    expect(result.record.stopReason).toBe('step_cap');
    expect(traffic?.steps).toBe(6);
    expect(traffic?.auxiliaryRequests).toBeGreaterThan(0);
    const summaries = result.transcript.steps.filter(({ extra, source }) => {
      const dropped = (extra?.['dropped'] ?? []) as readonly string[];
      return source === 'agent' && dropped.includes('tools of a request for a summary');
    });
    expect(summaries).toHaveLength(traffic?.auxiliaryRequests ?? -1);
  });
});
