import type * as http from 'node:http';
import { type WebRefusal } from '../../core/web';

export interface FetchRequest {
  readonly url: string;
  /** The task's allow-list. */
  readonly grants: readonly string[];
  /** What may still come, at most the limit of one fetch. */
  readonly maxBytes: number;
}

/** The content in whole and decoded, whatever the server's status; or why there is none. */
export type FetchAnswer =
  | {
      readonly outcome: 'fetched';
      readonly finalUrl: string;
      readonly status: number;
      readonly contentType: string;
      readonly body: Uint8Array;
    }
  | {
      readonly outcome: 'refused';
      readonly reason: WebRefusal;
      readonly message: string;
      /** Where a redirect led, if it was that which was refused. */
      readonly finalUrl?: string;
    };

/** Fetches public pages within an allow-list. Rejects only where the fetcher itself is in trouble. */
export interface WebFetcher {
  fetch(request: FetchRequest): Promise<FetchAnswer>;
}

/** Web access of one attempt, on its gateway's socket. */
export interface WebAccess {
  handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void>;
}

/** What follows is a URL: `GET /web/https://example.org/a`. */
export const WEB_PATH = '/web/';
