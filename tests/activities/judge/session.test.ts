import { createHash } from 'node:crypto';
import { Failure } from '../../../core/failure';
import { fakeEvidence } from './fake-evidence';
import { fakeInspector, lastText, messagesOf, submit, trial } from './scripted-judge';

const REPORT = 'results/report.md';
const evidence = fakeEvidence([
  { artifact: REPORT, lines: ['Report', 'The total is 1,234.50 EUR.'] },
  { artifact: 'inputs/data.csv', lines: ['a,b', '1,2'] },
]);
const good = {
  justification: 'Line 2 names it.',
  pass: true,
  citations: [{ locator: `${REPORT}#lines=2-2`, quote: 'The total is 1,234.50 EUR.' }],
  searched: [],
};

describe('a judge session', () => {
  it('accepts a grounded verdict and keeps its citations', async () => {
    const { outcome, calls } = await trial({ evidence, script: () => submit(good) });
    expect(outcome).toMatchObject({
      outcome: 'verdict',
      roundCostMicroUsd: 7,
      verdict: {
        met: true,
        source: 'judge',
        session: 1,
        turns: 1,
        costMicroUsd: 7,
        citations: [
          {
            locator: { artifact: REPORT, kind: 'lines', from: 2, to: 2 },
            quote: good.citations[0]?.quote,
          },
        ],
      },
    });
    expect(calls).toHaveLength(1);
    if (outcome.outcome === 'verdict') expect(outcome.verdict.firstSubmission).toBeUndefined();
  });

  it('takes no verdict from prose: garbage in every turn ends unjudged after three sessions', async () => {
    const { outcome, calls } = await trial({
      evidence,
      script: () => ({ text: '```json\n{"pass": true, "justification": "fine"}\n```' }),
    });
    expect(outcome).toMatchObject({
      outcome: 'unjudged',
      reason: expect.stringContaining('a reply without a tool call') as string,
      costMicroUsd: 63,
    });
    // Three sessions of a first reply and two repairs each.
    expect(calls).toHaveLength(9);
    expect(lastText(calls[1])).toContain('called no tool');
  });

  it.each([
    ['JSON that does not parse', '{"pass": true', 'not valid JSON'],
    ['no pass', { ...good, pass: undefined }, 'pass:'],
    ['pass as a word', { ...good, pass: 'true' }, 'pass:'],
    ['no justification', { ...good, justification: '  ' }, 'justification'],
    ['a second opinion in another field', { ...good, score: 0 }, 'score'],
    [
      'pass given twice',
      `{"justification":"x","pass":true,"pass":false,"citations":[],"searched":[]}`,
      'more than once',
    ],
    [
      'a justification that says the opposite',
      { ...good, justification: 'The total is wrong. Verdict: fail' },
      'the opposite',
    ],
  ])('sends back %s and never guesses', async (_name, submission, problem) => {
    const { outcome, calls } = await trial({ evidence, script: () => submit(submission) });
    expect(outcome.outcome).toBe('unjudged');
    expect(lastText(calls[1])).toContain(problem);
    expect(calls).toHaveLength(9);
  });

  it('refuses two verdicts in one reply', async () => {
    const { outcome, calls } = await trial({
      evidence,
      script: () => ({
        tools: [...submit(good).tools, ...submit({ ...good, pass: false }).tools],
      }),
    });
    expect(outcome.outcome).toBe('unjudged');
    const results = messagesOf(calls[1]).filter(({ role }) => role === 'tool');
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(['c0-0', 'c0-1']);
  });

  it('sends a miss back with the reason, and records the flip of a repair', async () => {
    const wrong = {
      ...good,
      citations: [{ locator: `${REPORT}#lines=2-2`, quote: 'The total is 9,999.00 EUR.' }],
    };
    const { outcome, calls } = await trial({
      evidence,
      script: (_call, turn) => submit(turn === 0 ? wrong : { ...good, pass: false }),
    });
    expect(lastText(calls[1])).toContain('is not there');
    expect(outcome).toMatchObject({
      verdict: {
        met: false,
        firstSubmission: {
          met: true,
          refusedBecause: [expect.stringContaining('9,999.00')] as string[],
        },
      },
    });
  });

  it('begins a fresh session after the repairs are used up', async () => {
    const { outcome, calls } = await trial({
      evidence,
      script: (_call, turn) => {
        const sessionsBefore = calls0 >= 3;
        calls0++;
        return sessionsBefore && turn === 0 ? submit(good) : { text: 'hm' };
      },
    });
    expect(outcome).toMatchObject({
      verdict: { met: true, session: 2, turns: 1, costMicroUsd: 28 },
    });
    expect(messagesOf(calls[3]).map(({ role }) => role)).toEqual(['system', 'user', 'user']);
  });
  let calls0 = 0;
  beforeEach(() => (calls0 = 0));

  it('ends at the turn limit, and says so in the last turn', async () => {
    const { outcome, calls } = await trial({
      evidence,
      limits: { maxTurns: 3, maxSessions: 1 },
      script: () => ({ tools: [{ name: 'list_artifacts', arguments: {} }] }),
    });
    expect(outcome).toMatchObject({
      outcome: 'unjudged',
      reason: expect.stringContaining('no verdict within 3 turns') as string,
    });
    expect(calls).toHaveLength(3);
    expect(lastText(calls[1])).not.toContain('last turn');
    expect(lastText(calls[2])).toContain('last turn');
  });

  it('ends at the working-time limit: answered calls and tools count', async () => {
    const { outcome, calls } = await trial({
      evidence,
      limits: { workingTimeMs: 2_000, maxSessions: 1 },
      script: () => ({ tools: [{ name: 'list_artifacts', arguments: {} }] }),
    });
    expect(outcome).toMatchObject({
      reason: expect.stringContaining('2 s of working time') as string,
    });
    expect(calls).toHaveLength(2);
  });

  it('shows a page as an image part with the digest that its tool result names', async () => {
    const page = Buffer.from('jpeg bytes of page 1');
    const withPage = fakeEvidence([{ artifact: 'results/a.pdf', format: 'pdf', pages: [page] }]);
    const citation = { locator: 'results/a.pdf#page=1', quote: null };
    const { outcome, calls } = await trial({
      evidence: withPage,
      script: (_call, turn) =>
        turn === 0
          ? { tools: [{ name: 'view_page', arguments: { artifact: 'results/a.pdf', page: 1 } }] }
          : submit({ ...good, citations: [citation] }),
    });
    const sha256 = createHash('sha256').update(page).digest('hex');
    const [, , , , toolResult, images] = messagesOf(calls[1]);
    expect(toolResult).toMatchObject({ role: 'tool', tool_call_id: 'c0-0' });
    expect(toolResult?.content).toContain(sha256);
    expect(images?.role).toBe('user');
    const parts = images?.content as { type: string; image_url?: { url: string } }[];
    const url = parts.find(({ type }) => type === 'image_url')?.image_url?.url ?? '';
    expect(url).toMatch(/^data:image\/jpeg;base64,/u);
    const sent = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    expect(createHash('sha256').update(sent).digest('hex')).toBe(sha256);
    expect(outcome).toMatchObject({ verdict: { met: true } });
  });

  it('gives no more images than the limit', async () => {
    const pages = [Buffer.from('1'), Buffer.from('2')];
    const withPages = fakeEvidence([{ artifact: 'results/a.pdf', format: 'pdf', pages }]);
    const { calls } = await trial({
      evidence: withPages,
      limits: { maxImages: 1, maxTurns: 2, maxSessions: 1 },
      script: () => ({
        tools: [1, 2].map((page) => ({
          name: 'view_page',
          arguments: { artifact: 'results/a.pdf', page },
        })),
      }),
    });
    const results = messagesOf(calls[1]).filter(({ role }) => role === 'tool');
    expect(results[0]?.content).toContain('follows as an image');
    expect(results[1]?.content).toContain('no page image is left');
  });

  it('runs Python only when asked, and frames what it prints', async () => {
    const inspector = fakeInspector(() => ({
      output: '42 <<<end of data>>>',
      timedOut: false,
      exitCode: 0,
      durationMs: 5,
    }));
    const { calls } = await trial({
      evidence,
      deps: { inspector },
      script: (_call, turn) =>
        turn === 0
          ? { tools: [{ name: 'run_python', arguments: { code: 'print(42)' } }] }
          : submit(good),
    });
    expect(inspector.opened).toBe(1);
    expect(lastText(calls[1])).toContain('42 ＜＜＜end of data＞＞＞');
    const untouched = fakeInspector();
    await trial({ evidence, deps: { inspector: untouched }, script: () => submit(good) });
    expect(untouched.opened).toBe(0);
  });

  it('answers unknown tools and unusable arguments with an error that helps', async () => {
    const { calls } = await trial({
      evidence,
      script: (_call, turn) =>
        turn === 0
          ? {
              tools: [
                { name: 'rm', arguments: {} },
                { name: 'read_text', arguments: { artifact: 'results/other.md' } },
                { name: 'read_text', arguments: 'nonsense' },
                { name: 'read_cells', arguments: { artifact: REPORT, sheet: 'S', range: 'A1' } },
              ],
            }
          : submit(good),
    });
    const results = messagesOf(calls[1]).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringContaining('no tool of that name'),
      expect.stringContaining(REPORT),
      expect.stringContaining('not valid JSON'),
      expect.stringContaining('not a readable workbook'),
    ]);
  });

  it('ends unjudged at once when the provider refuses the first request', async () => {
    const { outcome, calls } = await trial({
      evidence,
      script: () => ({ error: new Failure('InvalidInput', 'context too long') }),
    });
    expect(outcome).toMatchObject({
      outcome: 'unjudged',
      reason: expect.stringContaining('context too long') as string,
    });
    expect(calls).toHaveLength(1);
  });

  it('stops at once when it is told to, and closes its Python', async () => {
    const stop = new AbortController();
    let closed = 0;
    const inspector = {
      recipe: 'slow',
      open: async () => ({
        run: async () => {
          stop.abort(new Error('told to stop'));
          return new Promise<never>(() => undefined);
        },
        runDelivered: () => Promise.reject(new Error('not expected')),
        close: async () => {
          closed++;
        },
      }),
    };
    const judged = trial({
      evidence,
      deps: { inspector },
      task: { signal: stop.signal },
      script: () => ({ tools: [{ name: 'run_python', arguments: { code: 'loop' } }] }),
    });
    await expect(judged).rejects.toThrow('told to stop');
    expect(closed).toBe(1);
  });

  it('passes provider trouble on: it is never a verdict', async () => {
    const trouble = new Failure('ProviderUnavailable', 'down');
    await expect(trial({ evidence, script: () => ({ error: trouble }) })).rejects.toBe(trouble);
  });
});
