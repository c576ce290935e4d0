import { filterRequest } from '../../../../activities/gateway/request-filter';
import { type Delivery } from '../../../../activities/gateway/attempt';
import { createHash } from 'node:crypto';

type Json = Record<string, unknown>;

export const TOOL = {
  type: 'function',
  function: {
    name: 'exec',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
    },
  },
};

/** A main-loop request of a harness; further fields replace these. */
export function mainRequest(messages: readonly Json[], change: Json = {}): Json {
  return {
    model: 'alias',
    messages,
    tools: [TOOL],
    tool_choice: 'auto',
    max_tokens: 1_000,
    ...change,
  };
}

export const START: readonly Json[] = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: 'Do the task.' },
];

export function delivery(id: string, request: Json): Delivery {
  const body = JSON.stringify(request);
  return {
    id,
    bodySha256: createHash('sha256').update(body).digest('hex'),
    request: filterRequest(JSON.parse(body), 32_768),
    waitedMs: 0,
  };
}
