import * as http from 'node:http';
import { join } from 'node:path';
import { shortSocketPath } from '../../../../activities/gateway/socket-path';
import { TOKEN } from './attempt-folder';
import { mainRequest, START } from './harness-requests';

type Json = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface SandboxRequest {
  readonly method?: string;
  readonly path?: string;
  /** `null` sends none. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly deliveryId?: string;
  readonly body?: unknown;
}

/** One HTTP request over the attempt's socket, as the forwarder sends it. */
export function ask(attemptDir: string, given: SandboxRequest): Promise<Answer> {
  const text = typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? '');
  return new Promise((resolve, reject) => {
    const short = shortSocketPath(join(attemptDir, 'run', 'gateway.sock'));
    const request = http.request({
      socketPath: short.path,
      agent: false,
      method: given.method ?? 'POST',
      path: given.path ?? '/v1/chat/completions',
      headers: {
        ...(given.token === null ? {} : { authorization: `Bearer ${given.token ?? TOKEN}` }),
        ...given.headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(given.deliveryId === undefined ? {} : { 'x-startupbench-delivery': given.deliveryId }),
      },
    });
    request.on('close', () => short.release());
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    request.end(text);
  });
}

/** Sends the same delivery until the gateway answers, as the forwarder does; calls `onAbsent` each time it does not. */
export async function deliverAtLeastOnce(
  attemptDir: string,
  request: SandboxRequest,
  onAbsent: () => Promise<void>,
): Promise<Answer> {
  for (;;) {
    try {
      return await ask(attemptDir, request);
    } catch {
      await onAbsent();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** A whole agent loop of `steps` replies; returns the conversation as the harness saw it. */
export async function runAgent(
  attemptDir: string,
  onAbsent: () => Promise<void>,
  afterStep: (step: number) => Promise<void> = async () => undefined,
): Promise<Json[]> {
  const messages: Json[] = [...START];
  for (let step = 0; ; step++) {
    const request = { deliveryId: `delivery-${step}`, body: mainRequest(messages) };
    const answer = await deliverAtLeastOnce(attemptDir, request, onAbsent);
    if (answer.status !== 200) throw new Error(`status ${answer.status}: ${answer.body}`);
    const completion = JSON.parse(answer.body) as { choices: { message: Json }[] };
    const message = completion.choices[0]!.message;
    messages.push(message);
    const calls = (message['tool_calls'] ?? []) as { id: string }[];
    if (calls.length === 0) return messages;
    for (const call of calls)
      messages.push({ role: 'tool', tool_call_id: call.id, content: `output of step ${step}` });
    await afterStep(step);
  }
}
