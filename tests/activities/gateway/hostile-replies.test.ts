import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { AccountGates } from '../../../activities/gateway/account-gate';
import { Attempt } from '../../../activities/gateway/attempt';
import { readAttemptSettings } from '../../../activities/gateway/attempt-settings';
import { render } from '../../../activities/gateway/exchange-outcome';
import { NO_FAULTS } from '../../../activities/gateway/fault-point';
import { readGatewayLog } from '../../../activities/gateway/gateway-control';
import { BadRequest } from '../../../activities/gateway/request-filter';
import { writeTranscript } from '../../../activities/gateway/transcript-files';
import { transcriptSchema } from '../../../activities/gateway/transcript-schema';
import { createModelClient } from '../../../activities/models/model-client';
import { type AccountProtocol } from '../../../core/account';
import { SILENT_LOGGER } from '../../../core/logger';
import { scriptedAccount } from '../models/support/scripted-account';
import { type DataFolder, makeDataFolder, SETTINGS } from './support/attempt-folder';
import { delivery, mainRequest, START } from './support/harness-requests';

type Json = Record<string, unknown>;

const USAGE = { prompt_tokens: 10, completion_tokens: 5, input_tokens: 10, output_tokens: 5 };
const TARGET = { name: 'exec', arguments: '{"command":"ls"}' };
/** A good reply of each protocol, whole, and as the events of a stream. */
const GOOD: Readonly<Record<'openai' | 'anthropic' | 'openai-responses', [Json, Json[]]>> = {
  openai: [
    {
      id: 'c',
      model: 'm',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'I look.',
            reasoning_content: 'hm',
            reasoning_details: [{ type: 'reasoning.text', format: 'x', index: 0, text: 'hm' }],
            tool_calls: [{ id: 'a', type: 'function', function: TARGET, extra_content: {} }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { ...USAGE, prompt_tokens_details: { cached_tokens: 1 } },
    },
    [
      { id: 'c', choices: [{ index: 0, delta: { role: 'assistant', content: 'I ' } }] },
      { choices: [{ index: 0, delta: { content: 'look.', reasoning_content: 'hm' } }] },
      { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'a', function: TARGET }] } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage: USAGE },
    ],
  ],
  anthropic: [
    {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text: 'I look.', citations: [] },
        { type: 'tool_use', id: 'a', name: 'exec', input: { command: 'ls' }, caller: {} },
      ],
      stop_reason: 'tool_use',
      stop_details: { type: 'refusal' },
      usage: { ...USAGE, output_tokens_details: { thinking_tokens: 1 } },
    },
    [
      { type: 'message_start', message: { id: 'm', type: 'message', model: 'm', usage: USAGE } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'a' } },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{' },
      },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: USAGE },
      { type: 'message_stop' },
    ],
  ],
  'openai-responses': [
    {
      id: 'r',
      status: 'completed',
      model: 'm',
      output: [
        { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'message', content: [{ type: 'output_text', text: 'I look.' }], phase: 'x' },
        { type: 'function_call', call_id: 'a', ...TARGET },
      ],
      usage: { ...USAGE, input_tokens_details: { cached_tokens: 1 } },
    },
    [
      { type: 'response.output_item.done', output_index: 0, item: { type: 'reasoning', id: 'rs' } },
      {
        type: 'response.output_item.done',
        output_index: 1,
        item: { type: 'function_call', call_id: 'a', ...TARGET },
      },
      {
        type: 'response.completed',
        response: { id: 'r', status: 'completed', model: 'm', output: [], usage: USAGE },
      },
    ],
  ],
};

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 'constructor', '__proto__', -1, 1e308, 0.5, [], {}),
  fc.constantFrom<unknown>(
    [null],
    [[]],
    [{}],
    { a: [] },
    [1],
    '\ud800',
    '\u0000',
    'x'.repeat(100_000),
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
/** Where, by a walk down whatever is there, and what is put there. */
const change = fc.record({ walk: fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }), junk });

function changed(value: unknown, walk: readonly number[], put: unknown): unknown {
  const [step, ...rest] = walk;
  if (step === undefined || typeof value !== 'object' || value === null) return put;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Json;
  const names = Object.keys(copy);
  const name = names[step % Math.max(1, names.length)] ?? '0';
  copy[name] = changed(copy[name], rest, put);
  return copy;
}

describe('replies of a hostile provider', () => {
  let data: DataFolder;
  let number = 0;
  beforeEach(() => {
    data = makeDataFolder();
  });
  afterEach(() => {
    data.remove();
  });

  /** Two requests of an agent whose provider answers with this text; what its journal and its transcript say. */
  async function serve(protocol: AccountProtocol, streaming: boolean, body: string): Promise<void> {
    const account = { ...scriptedAccount({ name: 'lab', protocol, apiKey: 'k' }), streaming };
    const type = streaming ? 'text/event-stream' : 'application/json';
    const client = createModelClient({
      accounts: [account],
      fetch: async () => new Response(body, { headers: { 'content-type': type } }),
      clock: { now: Date.now, sleep: async () => undefined },
    });
    const { model } = SETTINGS;
    const folder = data.attempt({
      attemptId: `attempt-${number++}`,
      model: { ...model, account: 'lab', provider: protocol },
      retryForMs: 0,
      holdForMs: 0,
    });
    const settings = readAttemptSettings(folder);
    const rest = {
      now: Date.now,
      logger: SILENT_LOGGER,
      faults: NO_FAULTS,
      gates: new AccountGates(),
    };
    const attempt = new Attempt(folder, settings, { modelClient: client, ...rest }, undefined);
    try {
      const first = await attempt.deliver(delivery('a', mainRequest(START)));
      for (const form of ['chat-completions', 'messages'] as const)
        for (const stream of [true, false])
          expect(render(first, { protocol: form, stream, includeUsage: true }, 'a').body).not.toBe(
            '',
          );
      const [choice] = ('completion' in first ? first.completion['choices'] : []) as [Json?];
      const said = (choice?.['message'] ?? { role: 'assistant', content: 'x' }) as Json;
      const again = [...START, { ...said, role: 'assistant' }, { role: 'user', content: 'y' }];
      // What a provider said wrong may be a bad request when a harness says it again.
      const repeat = async () => attempt.deliver(delivery('b', mainRequest(again)));
      await repeat().catch((error: unknown) => {
        if (!(error instanceof BadRequest)) throw error;
      });
    } finally {
      attempt.release();
    }
    const { traffic } = readGatewayLog(folder);
    expect(traffic.usage.inputTokens).toBeGreaterThanOrEqual(0);
    expect(traffic.costMicroUsd ?? 0).toBeGreaterThanOrEqual(0);
    transcriptSchema.parse(JSON.parse(readFileSync(writeTranscript(folder), 'utf8')));
  }

  const cases = Object.entries(GOOD).flatMap(([protocol, replies]) =>
    replies.map((reply, at) => [protocol as AccountProtocol, at === 1, reply] as const),
  );
  const printed = (streaming: boolean, reply: unknown): string =>
    streaming
      ? (reply as unknown[]).map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
      : JSON.stringify(reply);

  it.each(cases)(
    'are taken or refused, whatever is wrong in them (%s, streamed: %s)',
    async (...given) => {
      const [protocol, streaming, reply] = given;
      await serve(protocol, streaming, printed(streaming, reply));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
          const bad = changes.reduce<unknown>(
            (value, { walk, junk: put }) => changed(value, walk, put),
            reply,
          );
          await serve(
            protocol,
            streaming,
            printed(streaming, Array.isArray(reply) && !Array.isArray(bad) ? [bad] : bad),
          );
        }),
        { numRuns: 25, seed: 7 },
      );
    },
  );

  it.each(cases)('are no trouble however deep they are (%s, streamed: %s)', async (...given) => {
    const [protocol, streaming, reply] = given;
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const body = printed(streaming, reply).replace(/"(?:I look\.|hm|rs|look\.)"/u, deep);
    expect(body).toContain(deep);
    await serve(protocol, streaming, body);
  });
});
