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
