import * as http from 'node:http';
import * as https from 'node:https';
import { type AddressInfo } from 'node:net';
import { createWebFetcher, type FetcherOptions } from '../../../../activities/web/fetch-url';
import { type FetchAnswer } from '../../../../activities/web/port';

export interface SeenRequest {
  readonly host: string | undefined;
  readonly url: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
}

/** A server on loopback that plays the internet: every granted name leads to it. */
export class LocalInternet {
  readonly seen: SeenRequest[] = [];
  connections = 0;

  private constructor(
    private readonly server: http.Server,
    readonly port: number,
  ) {}

  static async start(
    handle: http.RequestListener,
    tls?: { readonly key: string; readonly cert: string },
  ): Promise<LocalInternet> {
    const server = tls === undefined ? http.createServer() : https.createServer(tls);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const internet = new LocalInternet(server, (server.address() as AddressInfo).port);
    server.on('connection', () => (internet.connections += 1));
    server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      const { url, headers } = request;
      internet.seen.push({ host: headers.host, url, headers });
      handle(request, response);
    });
    return internet;
  }

  /** What a fetcher needs to come here; `changes` replace or add. */
  options(changes: Partial<FetcherOptions> = {}): FetcherOptions {
    return {
      lookup: () => Promise.resolve(['127.0.0.1']),
      allowAddress: (address) => address === '127.0.0.1',
      allowPort: (port) => port === this.port,
      timeoutMs: 10_000,
      ...changes,
    };
  }

  fetch(
    path: string,
    changes: Partial<FetcherOptions> = {},
    maxBytes = 1_000_000,
  ): Promise<FetchAnswer> {
    const url = path.includes('://') ? path : `http://site.example:${this.port}${path}`;
    const grants = ['site.example', '*.other.example'];
    return createWebFetcher(this.options(changes)).fetch({ url, grants, maxBytes });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}

export function textOf(answer: FetchAnswer): string {
  return answer.outcome === 'fetched'
    ? Buffer.from(answer.body).toString('utf8')
    : `${answer.reason}: ${answer.message}`;
}
