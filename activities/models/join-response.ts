import { isObject, type Json, textOf } from '../../core/anthropic/json';
import { statusOfResponseError } from '../../core/responses/error';
import { BrokenReply, HttpFault } from './try-fault';

const ENDS = ['response.completed', 'response.incomplete', 'response.failed'];

/**
 * Reads the events of a streamed response. The last event holds all of it; some servers leave its list of items
 * empty there, so the items are also kept as each one was done.
 */
export class ResponseJoiner {
  private readonly items = new Map<number, Json>();
  private end: Json | undefined;

  add(event: unknown): void {
    if (!isObject(event)) return;
    const type = textOf(event['type']);
    if (type === 'error') throw responseFault(isObject(event['error']) ? event['error'] : event);
    if (type === 'response.output_item.done' && isObject(event['item']))
      this.items.set(Number(event['output_index']), event['item']);
    else if (ENDS.includes(type) && isObject(event['response'])) this.end = event['response'];
  }

  /** The whole response. Throws `BrokenReply` when the stream broke off before its end, `HttpFault` for errors. */
  result(): Json {
    if (this.end === undefined) throw new BrokenReply('the stream broke off before its end');
    const { output } = this.end;
    const whole = Array.isArray(output) && output.length > 0;
    const items = [...this.items.entries()].sort(([left], [right]) => left - right);
    return checkedResponse(
      whole ? this.end : { ...this.end, output: items.map(([, item]) => item) },
    );
  }
}

/** `reply` when it is a response that has ended well or was cut off. */
export function checkedResponse(reply: Json): Json {
  const { error, status } = reply;
  if (isObject(error)) throw responseFault(error);
  if (!Array.isArray(reply['output']))
    throw new BrokenReply('the provider answered 200 with something that is no response');
  // Servers of other vendors may leave the status out.
  if (status !== undefined && status !== 'completed' && status !== 'incomplete')
    throw new BrokenReply(`the response ended as "${textOf(status).slice(0, 40)}"`);
  return reply;
}

/** An error that came under status 200, as the answer that it would have been. */
function responseFault(error: Json): Error {
  const status = statusOfResponseError(error['code']);
  const message = textOf(error['message']) || 'the response failed';
  return status === undefined
    ? new BrokenReply(message, error)
    : new HttpFault(status, new Headers(), error, message);
}
