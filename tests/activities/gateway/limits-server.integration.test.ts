import { readFileSync } from 'node:fs';
import { type GatewayEnd } from '../../../activities/gateway/port';
import { type AttemptLimits, DEFAULT_LIMITS } from '../../../core/limits';
import { serveGateway } from '../../support/served-gateway';
import { mainRequest, START, TOOL } from './support/harness-requests';
import { ask, type SandboxRequest } from './support/sandbox-client';

const MESSAGES = {
  model: 'alias',
  max_tokens: 100,
  tools: [{ name: 'exec', input_schema: TOOL.function.parameters }],
  messages: [{ role: 'user', content: 'Do the task.' }],
};
const PROTOCOLS: [string, SandboxRequest, object][] = [
  [
    'Chat Completions',
    { body: mainRequest(START) },
    { error: { type: 'insufficient_quota', code: 'insufficient_quota' } },
  ],
  [
    'Anthropic’s Messages',
    { path: '/v1/messages', body: MESSAGES },
    { type: 'error', error: { type: 'billing_error' } },
  ],
];
const LIMITS: [GatewayEnd, Partial<AttemptLimits>, RegExp][] = [
  ['step_cap', { maxSteps: 1 }, /limit of 1 model replies with tools/u],
  ['request_cap', { maxModelRequests: 1 }, /limit of 1 model requests/u],
  ['budget', { maxCostMicroUsd: 1 }, /cost limit/u],
  ['tokens', { maxTotalTokens: 1 }, /limit of 1 tokens/u],
  ['timeout', { workingTimeMs: 1 }, /working time/u],
];

describe('a limit of an attempt', () => {
  const gateway = serveGateway();
  const rows = LIMITS.flatMap(([end, limits, text]) =>
    PROTOCOLS.flatMap(([protocol, request, shape]) =>
      [false, true].map((stream) => ({ end, limits, text, protocol, request, shape, stream })),
    ),
  );

  it.each(rows)(
    'answers 402 in the shape of $protocol at $end (stream: $stream), and keeps answering so',
    async ({ end, limits, text, request, shape, stream }) => {
      const folder = await gateway.openAttempt({ limits: { ...DEFAULT_LIMITS, ...limits } });
      const sent = { ...request, body: { ...(request.body as object), stream } };
      if (end === 'timeout') await new Promise((resolve) => setTimeout(resolve, 5));
      else expect((await ask(folder, sent)).status).toBe(200);
      for (let again = 0; again < 2; again++) {
        const refused = await ask(folder, sent);
        expect(refused.status).toBe(402);
        // A stream that has not begun has no events: every client reads the status first.
        expect(refused.headers['content-type']).toBe('application/json');
        const body = JSON.parse(refused.body) as { error: { message: string } };
        expect(body).toMatchObject(shape);
        expect(body.error.message).toMatch(text);
      }
      const log = await gateway.control.readLog(folder);
      expect(log.end).toBe(end);
      expect(log.traffic.modelRequests).toBe(end === 'timeout' ? 0 : 1);
    },
  );

  it('bounds the output of one reply in both protocols, whatever the harness asks', async () => {
    for (const [, request] of PROTOCOLS) {
      const limits = { ...DEFAULT_LIMITS, maxOutputTokensPerReply: 500 };
      const folder = await gateway.openAttempt({ limits });
      const body = { ...(request.body as object), max_tokens: 1_000_000 };
      expect((await ask(folder, { ...request, body })).status).toBe(200);
      const journal = readFileSync(`${folder}/control/journal.bin`, 'utf8');
      expect(journal).toContain('"max_tokens":500');
      expect(journal).not.toContain('1000000');
    }
  });
});
