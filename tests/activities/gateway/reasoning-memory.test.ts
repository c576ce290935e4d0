import { type RepliedFrame } from '../../../activities/gateway/journal-frames';
import { ReasoningMemory } from '../../../activities/gateway/reasoning-memory';

const DETAILS = [{ type: 'reasoning.text', text: 'hm', signature: 's' }];
const CALL = { id: 'a', type: 'function', function: { name: 'exec', arguments: '{"c":"ls"}' } };

function reply(message: object): RepliedFrame {
  return {
    t: 'ended',
    e: 0,
    at: '',
    durationMs: 0,
    waitedMs: 0,
    failedTries: 0,
    outcome: 'reply',
    startedAt: '',
    completion: { choices: [{ message }] },
  };
}

describe('what a model wants back with its calls', () => {
  const memory = new ReasoningMemory();
  memory.note(
    reply({
      reasoning_details: DETAILS,
      tool_calls: [{ ...CALL, extra_content: { google: { thought_signature: 'g' } } }],
    }),
  );

  it('is put back where a harness has dropped it', () => {
    const printed = { ...CALL, function: { name: 'exec', arguments: '{ "c": "ls" }' } };
    const body = {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, tool_calls: [printed] },
      ],
    };
    expect(memory.restore(body)).toEqual({
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          reasoning_details: DETAILS,
          tool_calls: [{ ...printed, extra_content: { google: { thought_signature: 'g' } } }],
        },
      ],
    });
  });

  it.each([
    ['another call under the same id', { ...CALL, function: { name: 'exec', arguments: '{}' } }],
    ['an unknown id', { ...CALL, id: 'b' }],
  ])('does not go to %s', (_title, call) => {
    const body = { messages: [{ role: 'assistant', tool_calls: [call] }] };
    expect(memory.restore(body)).toBe(body);
  });

  it('does not replace what the harness kept', () => {
    const own = [{ type: 'reasoning.text', text: 'own', signature: 'o' }];
    const call = { ...CALL, extra_content: {} };
    const body = { messages: [{ role: 'assistant', reasoning_details: own, tool_calls: [call] }] };
    expect(memory.restore(body)).toBe(body);
  });

  it('is the latest reply’s when an id comes again', () => {
    const later = new ReasoningMemory();
    later.note(reply({ reasoning_details: DETAILS, tool_calls: [CALL] }));
    later.note(reply({ tool_calls: [CALL] }));
    const body = { messages: [{ role: 'assistant', tool_calls: [CALL] }] };
    expect(later.restore(body)).toBe(body);
  });
});

const assistant = (message: object) => ({ role: 'assistant', ...message });
const restored = (memory: ReasoningMemory, ...messages: object[]) =>
  memory.restore({ messages })['messages'];

describe('reasoning in plain text', () => {
  it.each(['reasoning_content', 'reasoning'])(
    'goes back under its name with its calls, which some providers refuse without it (%s)',
    (name) => {
      const memory = new ReasoningMemory();
      memory.note(reply({ [name]: 'hm', tool_calls: [CALL] }));
      const bare = assistant({ content: null, tool_calls: [CALL] });
      expect(restored(memory, bare)).toEqual([{ ...bare, [name]: 'hm' }]);
    },
  );

  it('goes back where it was empty, since it may not be missing', () => {
    const memory = new ReasoningMemory();
    memory.note(reply({ reasoning_content: '', tool_calls: [CALL] }));
    const bare = assistant({ tool_calls: [CALL] });
    expect(restored(memory, bare)).toEqual([{ ...bare, reasoning_content: '' }]);
  });

  it.each([{ reasoning_content: 'own' }, { reasoning: 'own' }, { reasoning_details: DETAILS }])(
    'is not said twice where a harness kept %j',
    (own) => {
      const memory = new ReasoningMemory();
      memory.note(reply({ reasoning_content: 'hm', tool_calls: [CALL] }));
      const kept = assistant({ ...own, tool_calls: [CALL] });
      expect(restored(memory, kept)).toEqual([kept]);
    },
  );

  it('is not sent beside the signed form of the same', () => {
    const memory = new ReasoningMemory();
    memory.note(reply({ reasoning_content: 'hm', reasoning_details: DETAILS, tool_calls: [CALL] }));
    const bare = assistant({ tool_calls: [CALL] });
    expect(restored(memory, bare)).toEqual([{ ...bare, reasoning_details: DETAILS }]);
  });

  it('stays away from replies without calls, where no provider asks for it', () => {
    const memory = new ReasoningMemory();
    memory.note(reply({ content: 'words', reasoning_content: 'hm' }));
    const bare = assistant({ content: 'words' });
    expect(restored(memory, bare)).toEqual([bare]);
  });
});

describe('signed reasoning of a reply without calls', () => {
  const other = [{ type: 'reasoning.text', text: 'so', signature: 't' }];
  const words = (content: unknown) => assistant({ content });

  it('goes back to its words, in whatever form a harness prints them', () => {
    const memory = new ReasoningMemory();
    memory.note(reply({ content: 'Half of\n', reasoning_details: DETAILS }));
    for (const said of [words('Half of'), words([{ type: 'text', text: 'Half of\n' }])])
      expect(restored(memory, said)).toEqual([{ ...said, reasoning_details: DETAILS }]);
    expect(restored(memory, words('Half'))).toEqual([words('Half')]);
    expect(restored(memory, { role: 'user', content: 'Half of' })).toEqual([
      { role: 'user', content: 'Half of' },
    ]);
  });

  it('goes to equal words in the order in which they were said, and nowhere when one is missing', () => {
    const memory = new ReasoningMemory();
    memory.note(reply({ content: 'on', reasoning_details: DETAILS }));
    memory.note(reply({ content: 'on', reasoning_details: other }));
    expect(restored(memory, words('on'), words('on'))).toEqual([
      { ...words('on'), reasoning_details: DETAILS },
      { ...words('on'), reasoning_details: other },
    ]);
    expect(restored(memory, words('on'))).toEqual([words('on')]);
  });

  it('does not take the place of the reasoning of a reply with calls', () => {
    const memory = new ReasoningMemory();
    memory.note(reply({ content: 'on', reasoning_details: DETAILS }));
    const calling = assistant({ content: 'on', tool_calls: [CALL] });
    expect(restored(memory, calling)).toEqual([calling]);
  });
});
