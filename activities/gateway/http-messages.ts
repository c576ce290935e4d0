import type * as http from 'node:http';
import { type Duplex } from 'node:stream';
import { anthropicError } from '../../core/anthropic/error';
import { chatError } from '../../core/chat-completion';
import { type HttpAnswer } from './exchange-outcome';
import { type HarnessProtocol } from './request-filter';

export const MAX_BODY_BYTES = 64 * 1024 ** 2;
const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES;

/** The whole body, or undefined when it is too large. Rejects when the sender goes away in the middle. */
export function readBody(request: http.IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const gone = () => {
      reject(new Error('the sender went away'));
    };
    // It may have gone while the request waited for its turn: then no event comes any more.
    if (request.destroyed) {
      gone();
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
    // After the end this says nothing new; before it, what is not read yet is lost even when all of it had arrived.
    request.on('close', gone);
  });
}

/** Reads what is left of the body and forgets it; breaks off when that is too much. */
function discardBody(request: http.IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let left = MAX_DISCARDED_BYTES;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.destroy();
    });
    for (const event of ['end', 'error', 'close']) request.once(event, resolve);
    request.resume();
  });
}

/** Why a request is not taken, before anything is known of what it asks. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly code: string;
}

/** Answers once the body is read away: a sender that still writes would take the closed connection for an outage. */
export async function refuse(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  protocol: HarnessProtocol,
  { status, message, code }: Refusal,
): Promise<void> {
  response.shouldKeepAlive = false;
  await discardBody(request);
  const error =
    protocol === 'messages'
      ? anthropicError(status, message)
      : chatError(message, 'invalid_request_error', code);
  send(response, { status, contentType: 'application/json', body: JSON.stringify(error) });
}

export function send(response: http.ServerResponse, answer: HttpAnswer): void {
  if (response.destroyed) return;
  response.writeHead(answer.status, {
    'content-type': answer.contentType,
    'content-length': Buffer.byteLength(answer.body),
  });
  response.end(answer.body);
}

const STATUS_OF_FAULT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  }),
);

/**
 * What Node's server cannot read as a request. One that did not come whole in time gets no answer: it may have waited
 * for room for its body here, and the forwarder sends it again, while a 408 would become the agent's fault.
 */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_FAULT.get(error.code ?? '') ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
