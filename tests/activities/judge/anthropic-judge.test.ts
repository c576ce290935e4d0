import { isObject, objectsOf } from '../../../core/anthropic/json';
import { messagesFromChat } from '../../../core/anthropic/messages-from-chat';
import { fakeEvidence } from './fake-evidence';
import { submit, trial } from './scripted-judge';

const REPORT = 'results/report.md';
const evidence = fakeEvidence([{ artifact: REPORT, lines: ['Report', 'The total is 7 EUR.'] }]);
const verdict = (quote: string) =>
  submit({
    justification: 'Line 2 names it.',
    pass: true,
    citations: [{ locator: `${REPORT}#lines=2-2`, quote }],
    searched: [],
  });

describe('a judge over an account that speaks Anthropic’s Messages', () => {
  it('loses nothing of its requests, and every call is followed by its result', async () => {
    const { outcome, calls } = await trial({
      evidence,
      script: (_call, turn) =>
        [
          {
            text: 'I look.',
            tools: [
              { name: 'list_artifacts', arguments: {} },
              { name: 'read_text', arguments: { artifact: REPORT } },
            ],
          },
          { text: 'no tool at all' },
          verdict('not in the report'),
        ][turn] ?? verdict('The total is 7 EUR.'),
    });
    expect(outcome.outcome).toBe('verdict');
    expect(calls).toHaveLength(4);
    for (const { body } of calls) {
      const { body: request, dropped } = messagesFromChat(body);
      expect(dropped).toEqual([]);
      const turns = objectsOf(request['messages']);
      turns.forEach((turn, index) => {
        expect(turn['role']).toBe(index % 2 === 0 ? 'user' : 'assistant');
        const made = idsOf(turn, 'tool_use', 'id');
        if (made.length === 0) return;
        const next = turns[index + 1] ?? {};
        expect(idsOf(next, 'tool_result', 'tool_use_id')).toEqual(made);
        const types = objectsOf(next['content']).map(({ type }) => type);
        expect(types.slice(0, made.length)).toEqual(made.map(() => 'tool_result'));
      });
      expect(objectsOf(request['tools']).every((tool) => isObject(tool['input_schema']))).toBe(
        true,
      );
    }
  });
});

function idsOf(turn: Readonly<Record<string, unknown>>, type: string, name: string): unknown[] {
  return objectsOf(turn['content'])
    .filter((block) => block['type'] === type)
    .map((block) => block[name]);
}
