import { statusOfErrorType } from '../../core/anthropic/error';
import { isObject, type Json, objectsOf, textOf } from '../../core/anthropic/json';
import { isDeeperThan } from '../../core/json-depth';
import { BrokenReply } from './try-fault';

const MOST_LEVELS = 100;

/** Joins the events of a streamed Anthropic message to the message that an unstreamed call would have given. */
export class MessageJoiner {
  private head: Json | undefined;
  private readonly blocks = new Map<number, Record<string, unknown>>();
  /** Text of tool inputs by block; it is parsed when the block is whole. */
  private readonly inputs = new Map<number, string>();
  private end: Json = {};
  private usage: Record<string, unknown> = {};
  private stopped = false;

  add(event: unknown): void {
    if (!isObject(event)) return;
    const index = Number(event['index']);
    switch (event['type']) {
      case 'message_start':
        this.head = isObject(event['message']) ? event['message'] : {};
        this.addUsage(this.head['usage']);
        break;
      case 'content_block_start':
        if (isObject(event['content_block'])) this.blocks.set(index, { ...event['content_block'] });
        break;
      case 'content_block_delta':
        if (isObject(event['delta'])) this.addDelta(index, event['delta']);
        break;
      case 'message_delta':
        if (isObject(event['delta'])) this.end = { ...this.end, ...event['delta'] };
        this.addUsage(event['usage']);
        break;
      case 'message_stop':
        this.stopped = true;
        break;
      case 'error':
        throw streamError(event['error']);
    }
  }

  /** The joined message. Throws `BrokenReply` when the stream broke off before its end. */
  result(): Json {
    if (this.head === undefined) throw new BrokenReply('the stream ended without a reply');
    if (!this.stopped || typeof this.end['stop_reason'] !== 'string')
      throw new BrokenReply('the stream broke off before its end');
    const blocks = [...this.blocks.entries()].sort(([left], [right]) => left - right);
    return {
      ...this.head,
      ...this.end,
      content: blocks.map(([index, block]) => {
        const input = this.inputs.get(index);
        return input === undefined || input === '' ? block : { ...block, input: parsed(input) };
      }),
      ...(Object.keys(this.usage).length === 0 ? {} : { usage: this.usage }),
    };
  }

  private addDelta(index: number, delta: Json): void {
    const block = this.blocks.get(index);
    if (block === undefined) return;
    if (delta['type'] === 'input_json_delta')
      this.inputs.set(index, (this.inputs.get(index) ?? '') + textOf(delta['partial_json']));
    else
      for (const name of ['text', 'thinking', 'signature'])
        if (typeof delta[name] === 'string') block[name] = textOf(block[name]) + delta[name];
    if (delta['type'] === 'citations_delta')
      block['citations'] = [...objectsOf(block['citations']), delta['citation']];
  }

  /** Later counts replace earlier ones: they are sums. */
  private addUsage(usage: unknown): void {
    if (!isObject(usage)) return;
    for (const [name, value] of Object.entries(usage))
      if (value !== null && value !== undefined) this.usage[name] = value;
  }
}

/** A call that was cut off, or is deeper than could be printed again, keeps its text, as a chat completion would. */
function parsed(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input);
    return isDeeperThan(value, MOST_LEVELS) ? input : value;
  } catch {
    return input;
  }
}

function streamError(error: unknown): BrokenReply {
  const given = isObject(error) ? error : {};
  const status = statusOfErrorType(given['type']);
  return new BrokenReply('the stream ended in an error', {
    ...given,
    ...(status === undefined ? {} : { code: status }),
  });
}
