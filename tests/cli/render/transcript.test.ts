import { printTranscript } from '../../../cli/render/transcript';

const ESCAPE = '\u001b';

describe('printTranscript', () => {
  it('shows messages, calls and results, and obeys none of them', () => {
    const text = printTranscript({
      steps: [
        { step_id: 1, source: 'user', message: `Do it${ESCAPE}[1A` },
        {
          step_id: 2,
          source: 'agent',
          message: [
            { type: 'text', text: 'Now' },
            { type: 'image', source: { path: 'images/a.png' } },
          ],
          tool_calls: [{ function_name: `ex${ESCAPE}ec`, arguments: { command: 'ls\npwd', n: 3 } }],
          observation: { results: [{ content: 'a.txt\nb.txt' }] },
        },
      ],
    });
    expect(text).toBe(
      [
        '--- 1 user',
        'Do it\\u{1b}[1A',
        '--- 2 agent',
        'Now',
        '[image images/a.png]',
        'call ex\\u{1b}ec',
        '  command: ls',
        '           pwd',
        '  n: 3',
        '  = a.txt',
        '    b.txt',
        '',
      ].join('\n'),
    );
  });
});

describe('a long transcript', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`).join('\n');
  const step = { step_id: 1, source: 'agent' };

  it('begins with who it was and how it ended, and marks replies that are no ordinary steps', () => {
    const text = printTranscript({
      agent: { name: 'hermes', version: '0.19.0', model_name: `m${ESCAPE}[2J` },
      steps: [
        {
          ...step,
          message: 'cut',
          metrics: { prompt_tokens: 12, completion_tokens: 3 },
          extra: { finish_reason: 'length', auxiliary: true },
        },
        { ...step, message: 'done', extra: { finish_reason: 'stop' } },
      ],
      extra: { model_steps: 1, stop_reason: 'error', stop_detail: 'out of memory' },
    });
    expect(text).toBe(
      [
        'hermes 0.19.0 with m\\u{1b}[2J, 1 step, error, out of memory',
        '--- 1 agent (auxiliary, no step; ended by length; 12 + 3 tokens)',
        'cut',
        '--- 1 agent',
        'done',
        '',
      ].join('\n'),
    );
  });

  it('shows the two ends of a text of many screens, and short ones whole', () => {
    const shown = (count: number) =>
      printTranscript({ steps: [{ ...step, message: lines(count) }] }).split('\n');
    expect(shown(60)).toHaveLength(62);
    expect(shown(60).join()).not.toContain('not shown');
    expect(shown(1_000)).toHaveLength(55);
    expect(shown(1_000)).toEqual(
      expect.arrayContaining([
        'line 39',
        '[... 948 lines are not shown here; `run files` has the whole transcript]',
        'line 988',
        'line 999',
      ]),
    );
  });
});

describe('a transcript of a real harness', () => {
  const agent = { source: 'agent', llm_call_count: 1 };
  const shown = (...steps: Parameters<typeof printTranscript>[0]['steps']) =>
    printTranscript({ steps }).trimEnd().split('\n');

  it('numbers the steps that the cap counts, and has each result below its call', () => {
    const calls = [
      { tool_call_id: 'a', function_name: 'first', arguments: { n: 1 } },
      { tool_call_id: 'b', function_name: 'second', arguments: {} },
    ];
    const results = [
      { source_call_id: 'b', content: 'of b' },
      { source_call_id: 'a', content: 'of a' },
    ];
    expect(
      shown(
        { step_id: 1, source: 'user', message: 'Go\n\n' },
        { step_id: 2, ...agent, tool_calls: calls, observation: { results } },
        { step_id: 3, ...agent, message: 'summary', extra: { auxiliary: true } },
        { step_id: 4, ...agent, tool_calls: calls.slice(1) },
      ),
    ).toEqual([
      '--- 1 user',
      'Go',
      '--- 2 agent (step 1)',
      'call first',
      '  n: 1',
      '  = of a',
      'call second',
      '  = of b',
      '--- 3 agent (auxiliary, no step)',
      'summary',
      '--- 4 agent (step 2)',
      'call second',
      '  (no result)',
    ]);
  });

  it('opens JSON that wraps lines of text, and leaves other JSON as it is', () => {
    const result = (content: string) =>
      shown({ step_id: 1, ...agent, observation: { results: [{ content }] } }).slice(1);
    const wrapped = { output: `one\n${ESCAPE}two`, exit_code: 0, error: null };
    expect(result(JSON.stringify(wrapped))).toEqual([
      '  = output: one',
      '            \\u{1b}two',
      '    exit_code: 0',
      '    error: null',
    ]);
    for (const raw of ['{"a":12345678901234567890}', '{"a": "b\\n', '{}'])
      expect(result(raw)).toEqual([`  = ${raw}`]);
  });

  it('says a long text once, and shows the two ends of a line without end', () => {
    const text = 'word '.repeat(100).trimEnd();
    const lines = shown(
      { step_id: 1, source: 'user', message: text },
      { step_id: 2, source: 'user', message: `${text}\n` },
      { step_id: 3, source: 'user', message: `a${'-'.repeat(10_000)}z` },
    );
    expect(lines.slice(0, 4)).toEqual(['--- 1 user', text, '--- 2 user', '(the text of 1 again)']);
    expect(lines[5]).toMatch(/^a-{899} \[\.\.\. 8202 characters \.\.\.\] -{899}z$/u);
  });
});
