import { type ProviderRequest } from '../../../activities/models/provider-request';
import { simulatedTurn } from '../../../activities/models/simulated-provider';

const TOOL = {
  name: 'exec',
  parameters: {
    properties: { command: { type: 'string' }, timeout: { type: 'integer' } },
    required: ['command', 'timeout'],
  },
};
const REQUEST: ProviderRequest = {
  purpose: 'agent',
  taskId: 'task',
  repetition: 1,
  subject: undefined,
  itemId: undefined,
  recordings: undefined,
  simulation: { seed: 1, steps: 3, judgeTurns: 3, latencyMs: 0, errorRate: 0 },
  stream: false,
  includeUsage: false,
  turn: 0,
  tools: [TOOL],
  bodyBytes: 400,
  body: {},
};

describe('the simulated model', () => {
  it('calls the first tool with arguments that fit, then is done', () => {
    const turns = [0, 1, 2].map((turn) => simulatedTurn({ ...REQUEST, turn }));
    expect(turns[0]?.tools).toEqual([
      {
        name: 'exec',
        arguments: { command: expect.stringContaining('results/report.md') as string, timeout: 1 },
      },
    ]);
    expect(turns[1]?.tools).toEqual([
      { name: 'exec', arguments: { command: 'echo step 2', timeout: 1 } },
    ]);
    expect(turns[2]).toMatchObject({ tools: [], text: 'Simulated agent: done after 3 steps.' });
  });

  it('judges: looks, reads, then submits a verdict that cites the report', () => {
    const judge = { ...REQUEST, purpose: 'judge', itemId: 'item-1' };
    const names = [0, 1, 2, 3].map((turn) => simulatedTurn({ ...judge, turn }).tools[0]?.name);
    expect(names).toEqual(['list_artifacts', 'read_text', 'submit_verdict', 'submit_verdict']);
    expect(simulatedTurn({ ...judge, turn: 2 }).tools[0]?.arguments).toMatchObject({
      citations: [{ locator: 'results/report.md#lines=1-1', quote: 'Simulated report' }],
    });
  });

  it('always says the same to the same request, and not the same to every item', () => {
    const verdict = (itemId: string) =>
      (
        simulatedTurn({ ...REQUEST, purpose: 'judge', itemId, turn: 2 }).tools[0]?.arguments as {
          pass: boolean;
        }
      ).pass;
    const items = Array.from({ length: 200 }, (_, n) => `item-${n}`);
    const passes = items.map(verdict);
    expect(items.map(verdict)).toEqual(passes);
    const rate = passes.filter(Boolean).length / passes.length;
    expect(rate).toBeGreaterThan(0.45);
    expect(rate).toBeLessThan(0.75);
  });
});
