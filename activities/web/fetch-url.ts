import { lookup as systemLookup } from 'node:dns/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from '../../core/public-address';
import { WEB_LIMITS } from '../../core/web';
import { type FetchAnswer, type FetchRequest, type WebFetcher } from './port';
import { readContent } from './read-content';
import { checkRedirect, checkUrl, type UrlRules, WebRefused } from './url-policy';

/** What tests put in place of the internet. None of it can be set by configuration. */
export interface FetcherOptions {
  /** All addresses of a host. @default the system's resolver */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
  /** @default public ones */
  readonly allowAddress?: (address: string) => boolean;
  readonly allowPort?: UrlRules['allowPort'];
  /** Of one fetch, redirects included. @default 20000 */
  readonly timeoutMs?: number;
  /** Certificates to trust beside the system's. */
  readonly ca?: string;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const MAX_HEADER_BYTES = 16 * 1024;
const CONTENT_TYPE =
  /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,64}(?:; ?charset=[\w.:-]{1,40})?$/iu;

/**
 * Fetches one page: names are resolved once a hop, the connection goes to the very address that was checked, and every
 * redirect is checked like the first URL. Nothing of the agent's but the URL is sent.
 */
export function createWebFetcher(options: FetcherOptions = {}): WebFetcher {
  return { fetch: (request) => fetchWithin(request, options) };
}

async function fetchWithin(request: FetchRequest, options: FetcherOptions): Promise<FetchAnswer> {
  const timeoutMs = options.timeoutMs ?? WEB_LIMITS.timeoutMs;
  const signal = AbortSignal.timeout(timeoutMs);
  const rules: UrlRules = {
    grants: request.grants,
    ...(options.allowPort !== undefined && { allowPort: options.allowPort }),
  };
  let at: URL | undefined;
  try {
    at = checkUrl(request.url, rules);
    for (let hops = 0; ; hops++) {
      const response = await untilAborted(open(at, options, signal), signal);
      const { location } = response.headers;
      if (!REDIRECTS.includes(response.statusCode ?? 0) || location === undefined)
        return await answerOf(at, response, request.maxBytes, signal);
      response.destroy();
      if (hops === WEB_LIMITS.maxRedirects)
        throw new WebRefused('unreachable', `more than ${WEB_LIMITS.maxRedirects} redirects`);
      at = checkRedirect(location, rules, at);
    }
  } catch (error) {
    const finalUrl = at?.href;
    const refused = signal.aborted
      ? new WebRefused('too-slow', `nothing came whole within ${timeoutMs / 1_000} s`)
      : refusalOf(error);
    return {
      outcome: 'refused',
      reason: refused.reason,
      message: refused.message,
      ...(finalUrl !== undefined && finalUrl !== request.url && { finalUrl }),
    };
  }
}

function refusalOf(error: unknown): WebRefused {
  if (error instanceof WebRefused) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new WebRefused('unreachable', code ?? message);
}

async function open(
  url: URL,
  options: FetcherOptions,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const address = await addressOf(url.hostname, options);
  signal.throwIfAborted();
  const secure = url.protocol === 'https:';
  const settings: https.RequestOptions = {
    host: address,
    family: isIP(address),
    port: Number(url.port || (secure ? 443 : 80)),
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    // A connection of its own: none is shared with another attempt.
    agent: false,
    signal,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      host: url.host,
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'startupbench-fetcher',
    },
    ...(secure && {
      servername: url.hostname,
      rejectUnauthorized: true,
      ...(options.ca !== undefined && { ca: options.ca }),
    }),
  };
  return new Promise((resolve, reject) => {
    const request = secure ? https.request(settings) : http.request(settings);
    request.once('response', resolve);
    request.once('error', reject);
    // An answer that switches protocols would never be a response.
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new WebRefused('unreachable', 'the server wants another protocol'));
    });
    request.end();
  });
}

/** One address, checked; all of them have to be public, so that no order of answers leads elsewhere. */
async function addressOf(host: string, options: FetcherOptions): Promise<string> {
  const lookup = options.lookup ?? resolveHost;
  const allow = options.allowAddress ?? isPublicAddress;
  const addresses = await lookup(host);
  // Many hosts of containers have no way into IPv6.
  const chosen = addresses.find((address) => isIP(address) === 4) ?? addresses[0];
  if (chosen === undefined) throw new WebRefused('unreachable', `${host} has no address`);
  if (!addresses.every((address) => isIP(address) !== 0 && allow(address)))
    throw new WebRefused('forbidden-address', `${host} leads to an address that is not public`);
  return chosen;
}

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address);
}

async function answerOf(
  url: URL,
  response: http.IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FetchAnswer> {
  const given = response.headers['content-type'] ?? '';
  return {
    outcome: 'fetched',
    finalUrl: url.href,
    status: response.statusCode ?? 0,
    contentType: CONTENT_TYPE.test(given) ? given : 'application/octet-stream',
    body: await readContent(response, maxBytes, signal),
  };
}

/** A resolver that does not answer knows no signal. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
