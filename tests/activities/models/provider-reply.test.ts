import { toCompletion } from '../../../activities/models/provider-reply';

const FACTS = { model: 'scripted', turnNumber: 3, bodyBytes: 400 };
const call = (text: string) => ({ name: 'exec', arguments: { command: text } });

describe('a reply of our own providers', () => {
  it.each([
    [{ text: 'done', tools: [] }, 'stop'],
    [{ text: undefined, tools: [call('ls')] }, 'tool_calls'],
    [{ text: '', tools: [], finish: 'content_filter' as const }, 'content_filter'],
    [{ text: 'half a sen', tools: [], finish: 'length' as const }, 'length'],
  ])('of %j ends with %s', (turn, reason) => {
    expect(toCompletion(turn, FACTS).choices[0]?.finish_reason).toBe(reason);
  });

  it('that was cut off ends in the middle of its last call', () => {
    const turn = { text: undefined, tools: [call('one'), call('two')], finish: 'length' as const };
    const { message } = toCompletion(turn, FACTS).choices[0]!;
    const texts = (message.tool_calls ?? []).map((made) => made.function.arguments);
    expect(texts).toEqual(['{"command":"one"}', '{"command']);
  });
});
