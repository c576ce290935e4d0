import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import type * as http from 'node:http';
import { join } from 'node:path';
import { type Logger } from '../../core/logger';
import { WEB_LIMITS, type WebFetch, type WebLimits } from '../../core/web';
import { type FetchAnswer, WEB_PATH, type WebAccess, type WebFetcher } from './port';
import { readWebFetches, readWebOrders, webFiles, type KeptFetch } from './web-files';

export interface AttemptWebOptions {
  /** `<data>/sandboxes/<attemptId>/control`. */
  readonly controlDir: string;
  readonly fetcher: WebFetcher;
  readonly logger: Logger;
  readonly now?: () => Date;
  readonly limits?: WebLimits;
}

const JSON_TYPE = 'application/json';
const DELIVERY_ID = /^[A-Za-z0-9._-]{1,128}$/u;
/** What the agent's program sees of a refusal. */
const STATUS = {
  'bad-url': 400,
  'not-granted': 403,
  'forbidden-address': 403,
  'too-many': 429,
  'too-large': 413,
  'too-slow': 504,
  unreachable: 502,
} as const;

/**
 * Web access of one attempt: counts, keeps what was fetched beside the attempt's journal before it hands it over, and
 * answers a delivery that it knows from what it kept. `undefined` where the task grants nothing.
 */
export function openAttemptWeb(options: AttemptWebOptions): WebAccess | undefined {
  const orders = readWebOrders(options.controlDir);
  return orders === undefined || orders.grants.length === 0
    ? undefined
    : new AttemptWeb(options, orders.grants);
}

class AttemptWeb implements WebAccess {
  private readonly kept: Map<string, KeptFetch>;
  private readonly open = new Map<string, Promise<KeptFetch>>();
  /** One at a time, so that counts and bytes are exact. */
  private last: Promise<unknown> = Promise.resolve();
  private readonly limits: WebLimits;
  private bytes: number;

  constructor(
    private readonly options: AttemptWebOptions,
    private readonly grants: readonly string[],
  ) {
    this.limits = options.limits ?? WEB_LIMITS;
    const fetches = readWebFetches(options.controlDir);
    this.kept = new Map(fetches.map((fetch) => [fetch.delivery, fetch]));
    this.bytes = fetches.reduce((sum, { fetch }) => sum + (fetch.bytes ?? 0), 0);
  }

  async handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    request.resume();
    const delivery = request.headers['x-startupbench-delivery'];
    if (typeof delivery !== 'string' || !DELIVERY_ID.test(delivery)) {
      answer(response, 400, JSON_TYPE, errorBody('no delivery id'));
    } else if (request.method === 'GET') {
      const kept = await this.once(delivery, (request.url ?? '').slice(WEB_PATH.length));
      this.send(response, kept.fetch);
    } else answer(response, 405, JSON_TYPE, errorBody('only GET is served here'));
  }

  private async once(delivery: string, url: string): Promise<KeptFetch> {
    const known = this.kept.get(delivery);
    if (known !== undefined) return known;
    let open = this.open.get(delivery);
    if (open === undefined) {
      // Whoever asks and does not wait could fill the gateway's memory, which all attempts share.
      if (this.open.size >= MOST_WAITING) return this.unkept(delivery, url, TOO_MANY_WAITING);
      open = this.last.then(() => this.fetch(delivery, url));
      this.last = open.catch(() => undefined);
      this.open.set(delivery, open);
      const forget = (): void => void this.open.delete(delivery);
      open.then(forget, forget);
    }
    return open;
  }

  private async fetch(delivery: string, url: string): Promise<KeptFetch> {
    const room = this.limits.maxTotalBytes - this.bytes;
    const answered: FetchAnswer =
      this.kept.size >= this.limits.maxFetches || room <= 0
        ? refusedForGood(this.limits)
        : await this.options.fetcher.fetch({
            url,
            grants: this.grants,
            maxBytes: Math.min(this.limits.maxBytesPerFetch, room),
          });
    return this.keep(delivery, url, answered);
  }

  private keep(delivery: string, url: string, answered: FetchAnswer): KeptFetch {
    const kept = this.unkept(delivery, url, answered);
    // Beyond the cap nothing is kept: an agent that asks without end must fill neither disk nor log.
    if (this.kept.size < this.limits.maxFetches + MOST_BEYOND) {
      const { folder, list } = webFiles(this.options.controlDir);
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      // The line end before it closes a line that a killed gateway left torn.
      fs.appendFileSync(list, `\n${JSON.stringify(kept)}\n`, { mode: 0o600 });
      this.kept.set(delivery, kept);
      const { url: shown, status, bytes, refused } = kept.fetch;
      this.options.logger.info(
        { url: shown, status, bytes, refused: refused?.reason },
        'web fetch',
      );
    }
    return kept;
  }

  private unkept(delivery: string, url: string, answered: FetchAnswer): KeptFetch {
    const asked = {
      at: (this.options.now ?? (() => new Date()))().toISOString(),
      url: cut(url),
      ...(answered.finalUrl !== undefined &&
        answered.finalUrl !== url && { finalUrl: cut(answered.finalUrl) }),
    };
    const fetch: WebFetch =
      answered.outcome === 'refused'
        ? { ...asked, refused: { reason: answered.reason, message: answered.message } }
        : { ...asked, ...this.keepContent(answered) };
    return { delivery, fetch };
  }

  private keepContent(answered: FetchAnswer & { readonly outcome: 'fetched' }): Partial<WebFetch> {
    const { status, contentType, body } = answered;
    const sha256 = createHash('sha256').update(body).digest('hex');
    const { folder } = webFiles(this.options.controlDir);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, sha256);
    if (!fs.existsSync(path)) {
      const partial = `${path}.partial`;
      fs.writeFileSync(partial, body, { mode: 0o600 });
      fs.renameSync(partial, path);
    }
    this.bytes += body.byteLength;
    return { status, contentType, sha256, bytes: body.byteLength };
  }

  private send(response: http.ServerResponse, fetch: WebFetch): void {
    if (fetch.refused !== undefined) {
      const { reason, message } = fetch.refused;
      answer(response, STATUS[reason], JSON_TYPE, errorBody(message, reason));
      return;
    }
    const body = fs.readFileSync(
      join(webFiles(this.options.controlDir).folder, fetch.sha256 ?? ''),
    );
    answer(response, fetch.status ?? 502, fetch.contentType ?? 'application/octet-stream', body);
  }
}

/** The record of an attempt holds them all, and is bounded. */
function cut(url: string): string {
  return url.length > KEPT_URL_CHARACTERS ? `${url.slice(0, KEPT_URL_CHARACTERS)}...` : url;
}

const KEPT_URL_CHARACTERS = 500;
/** Refusals that are still listed beyond the cap. */
const MOST_BEYOND = 20;
/** Fetches of one attempt that may wait for their turn. */
const MOST_WAITING = 32;
const TOO_MANY_WAITING: FetchAnswer = {
  outcome: 'refused',
  reason: 'too-many',
  message: `${MOST_WAITING} fetches of this attempt are waiting: ask again when some are done`,
};

function refusedForGood(limits: WebLimits): FetchAnswer {
  const message = `this attempt has used up its ${limits.maxFetches} fetches or ${limits.maxTotalBytes} bytes`;
  return { outcome: 'refused', reason: 'too-many', message };
}

function errorBody(message: string, code = 'bad-request'): Buffer {
  return Buffer.from(JSON.stringify({ error: { message, code } }), 'utf8');
}

/** Statuses without a body, and those that mean something else between us and the forwarder, are told as 200. */
function answer(
  response: http.ServerResponse,
  status: number,
  contentType: string,
  body: Buffer,
): void {
  if (response.destroyed) return;
  const plain = status >= 200 && status < 600 && status !== 204 && status !== 304 ? status : 200;
  response.writeHead(plain, { 'content-type': contentType, 'content-length': body.byteLength });
  response.end(body);
}
