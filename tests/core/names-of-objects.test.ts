import { chatToolChoice, messagesToolChoice } from '../../core/anthropic/chat-tools';
import { messageFromCompletion } from '../../core/anthropic/reply';
import { formatsOf } from '../../core/report/formats';
import { statusOfResponseError } from '../../core/responses/error';

/** Names that every object answers to: from a model, a harness or a file they are unknown words. */
describe.each(['constructor', 'toString', '__proto__'])('%s', (name) => {
  test('as a file extension is code', () => {
    expect(formatsOf([`results/plan.${name}`])).toEqual(['code']);
  });

  test('as an error code has no status', () => {
    expect(statusOfResponseError(name)).toBeUndefined();
  });

  test('as a tool choice is dropped, or becomes the usual one', () => {
    const dropped = new Set<string>();
    expect(chatToolChoice({ type: name }, dropped)).toEqual({});
    expect([...dropped]).toEqual(['tool_choice']);
    expect(messagesToolChoice({ tool_choice: name })).toEqual({ type: 'auto' });
  });

  test('as a finish reason ends the turn', () => {
    const completion = { choices: [{ message: { content: 'a' }, finish_reason: name }] };
    expect(messageFromCompletion(completion, 'id').stop_reason).toBe('end_turn');
  });
});
