import { readFileSync } from 'node:fs';
import { DEFAULT_LIMITS } from '../../../core/limits';
import { serveGateway } from '../../support/served-gateway';
import { ask } from './support/sandbox-client';

type Json = Record<string, unknown>;

const REQUEST = {
  model: 'alias',
  max_tokens: 1_000,
  system: [{ type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } }],
  tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: 'Do the task.' }],
};
const PATH = '/v1/messages?beta=true';

describe('the gateway in Anthropic’s form', () => {
  const gateway = serveGateway();
  const openAttempt = (maxSteps = 1_000) =>
    gateway.openAttempt({ limits: { ...DEFAULT_LIMITS, maxSteps } });

  it('streams what it answers unstreamed, and journals it', async () => {
    const folder = await openAttempt();
    const plain = await ask(folder, { path: PATH, body: REQUEST, deliveryId: 'one' });
    const message = JSON.parse(plain.body) as Json;
    expect(message).toMatchObject({
      id: 'msg_one',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'tool_use', name: 'Bash' }],
      stop_reason: 'tool_use',
    });
    const body = { ...REQUEST, stream: true };
    const streamed = await ask(folder, { path: PATH, body, deliveryId: 'two' });
    expect(streamed.headers['content-type']).toContain('text/event-stream');
    const events = streamed.body
      .trim()
      .split('\n\n')
      .map((event) => JSON.parse(event.split('\ndata: ')[1]!) as Json);
    expect(events[0]).toMatchObject({ type: 'message_start', message: { id: 'msg_two' } });
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
    expect(await ask(folder, { path: PATH, body, deliveryId: 'two' })).toMatchObject({
      body: streamed.body,
    });

    const { traffic } = await gateway.control.readLog(folder);
    expect(traffic).toMatchObject({ steps: 2, modelRequests: 2, upstreamCalls: 2, toolCalls: 2 });
    const transcript = readFileSync(await gateway.control.writeTranscript(folder), 'utf8');
    expect(transcript).toContain('system[].cache_control');
    expect(transcript).toContain('You are an agent.');
  });

  it('refuses at the step cap as a matter of billing; a request without tools may follow', async () => {
    const folder = await openAttempt(1);
    expect((await ask(folder, { path: PATH, body: REQUEST })).status).toBe(200);
    const refused = await ask(folder, { path: PATH, body: { ...REQUEST, stream: true } });
    expect(refused.status).toBe(402);
    expect(JSON.parse(refused.body)).toEqual({
      type: 'error',
      error: {
        type: 'billing_error',
        message: 'The limit of 1 model replies with tools is reached.',
      },
    });
    const closing = { ...REQUEST, tools: [] };
    expect((await ask(folder, { path: PATH, body: closing })).status).toBe(200);
    expect((await ask(folder, { path: PATH, body: closing })).status).toBe(402);
  });

  it('counts tokens without a request, and lists the one model', async () => {
    const folder = await openAttempt();
    const path = '/v1/messages/count_tokens?beta=true';
    const counted = await ask(folder, { path, body: REQUEST });
    const { input_tokens: tokens } = JSON.parse(counted.body) as { input_tokens: number };
    expect(tokens).toBeGreaterThan(20);
    expect((await gateway.control.readLog(folder)).traffic.modelRequests).toBe(0);
    const models = await ask(folder, {
      method: 'GET',
      path: '/v1/models',
      headers: { 'anthropic-version': '2023-06-01' },
    });
    expect(JSON.parse(models.body)).toMatchObject({
      data: [{ type: 'model', id: 'sim' }],
      has_more: false,
    });
  });

  it('takes the token as a key too, and says what is wrong in its own form', async () => {
    const folder = await openAttempt();
    const headers = { 'x-api-key': 'attempt-token' };
    expect((await ask(folder, { path: PATH, body: REQUEST, headers, token: null })).status).toBe(
      200,
    );
    const wrong: [Json, number, string][] = [
      [{ path: PATH, body: REQUEST, token: 'guess' }, 401, 'authentication_error'],
      [{ path: PATH, body: '{' }, 400, 'invalid_request_error'],
      [{ path: PATH, body: { messages: [] } }, 400, 'invalid_request_error'],
      [{ path: '/v1/messages/batches', body: REQUEST }, 404, 'not_found_error'],
    ];
    for (const [request, status, type] of wrong) {
      const answer = await ask(folder, request);
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
        status,
        { type: 'error', error: { type } },
      ]);
    }
  });
});
