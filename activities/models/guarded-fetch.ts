import { lookup as dnsLookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { isPublicAddress } from '../../core/public-address';

/** Thrown by the guarded fetch, with the reason in `code`. */
export class FetchRefused extends Error {
  constructor(
    readonly code: 'PRIVATE_ADDRESS' | 'REDIRECT' | 'INACTIVE' | 'TOO_LARGE',
    message: string,
  ) {
    super(message);
    this.name = 'FetchRefused';
  }
}

export interface GuardedFetchOptions {
  readonly allowPrivateAddresses: boolean;
  /** Sockets open at once; calls beyond wait. */
  readonly maxSockets: number;
  /** Bytes of one reply. @default 67108864 (64 MiB) */
  readonly maxReplyBytes?: number;
  readonly lookup?: LookupFunction;
}

/** The request options that the guarded fetch reads, on top of fetch's own. */
export interface GuardedRequest {
  /** Ends the request when no byte comes or goes for this long. */
  readonly inactivityTimeoutMs?: number;
}

const DEFAULT_MAX_REPLY_BYTES = 64 * 1024 ** 2;
const STATUS_WITHOUT_BODY = new Set([101, 204, 205, 304]);

/** Looks a name up once and connects to what was found, so that a second answer cannot slip in a private address. */
function guardedLookup(lookup: LookupFunction, allowPrivate: boolean): LookupFunction {
  if (allowPrivate) return lookup;
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, address, family) => {
      if (error !== null) {
        callback(error, address, family);
        return;
      }
      const found = typeof address === 'string' ? [address] : address.map((entry) => entry.address);
      const bad = found.find((each) => !isPublicAddress(each));
      callback(bad === undefined ? null : privateAddressError(hostname, bad), address, family);
    });
  };
}

function privateAddressError(host: string, address: string): FetchRefused {
  return new FetchRefused(
    'PRIVATE_ADDRESS',
    `${host} has the private address ${address}; set allowPrivateAddresses: true for this account if that is meant`,
  );
}

/**
 * `fetch` over Node's own HTTP client for calls to one account: follows no redirect, connects to private addresses
 * only where allowed, keeps connections, and has an inactivity limit in bytes (comments in a stream count as life).
 * Bodies must be strings.
 */
export function createGuardedFetch(options: GuardedFetchOptions): typeof fetch {
  const agentOptions = {
    keepAlive: true,
    maxSockets: options.maxSockets,
    scheduling: 'lifo',
  } as const;
  const agents = { http: new http.Agent(agentOptions), https: new https.Agent(agentOptions) };
  const lookup = guardedLookup(options.lookup ?? dnsLookup, options.allowPrivateAddresses);

  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const literal = url.hostname.replace(/^\[|\]$/gu, '');
    if (!options.allowPrivateAddresses && isIP(literal) !== 0 && !isPublicAddress(literal))
      throw privateAddressError(url.hostname, literal);
    const secure = url.protocol === 'https:';
    const request = (secure ? https : http).request(url, {
      method: init?.method ?? 'GET',
      headers: outgoingHeaders(init),
      agent: secure ? agents.https : agents.http,
      lookup,
      ...(init?.signal ? { signal: init.signal } : {}),
    });
    return send(request, init ?? {}, url, options.maxReplyBytes ?? DEFAULT_MAX_REPLY_BYTES);
  };
}

function outgoingHeaders(init: RequestInit | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  const given = init?.headers;
  if (given instanceof Headers)
    given.forEach((value, name) => {
      headers[name] = value;
    });
  else Object.assign(headers, given);
  if (typeof init?.body === 'string')
    headers['content-length'] = String(Buffer.byteLength(init.body));
  return headers;
}

function send(
  request: http.ClientRequest,
  init: RequestInit,
  url: URL,
  maxReplyBytes: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const inactivityMs = (init as GuardedRequest).inactivityTimeoutMs;
    if (inactivityMs !== undefined)
      request.setTimeout(inactivityMs, () => {
        const text = `the provider sent nothing for ${inactivityMs} ms`;
        request.destroy(new FetchRefused('INACTIVE', text));
      });
    request.on('error', reject);
    request.on('response', (message) => {
      const status = message.statusCode ?? 0;
      if (status >= 300 && status < 400 && status !== 304) {
        message.resume();
        const text = `${url.origin} answered with a redirect (${status}); redirects are refused`;
        reject(new FetchRefused('REDIRECT', text));
        return;
      }
      resolve(toResponse(message, status, maxReplyBytes));
    });
    request.end(typeof init.body === 'string' ? init.body : undefined);
  });
}

function toResponse(message: http.IncomingMessage, status: number, maxBytes: number): Response {
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined) headers.push([name, Array.isArray(value) ? value.join(', ') : value]);
  let received = 0;
  message.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes)
      message.destroy(new FetchRefused('TOO_LARGE', `the reply is larger than ${maxBytes} bytes`));
  });
  message.pause();
  const body = STATUS_WITHOUT_BODY.has(status) ? null : (Readable.toWeb(message) as ReadableStream);
  return new Response(body, { status, headers });
}
