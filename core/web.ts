/** What a fetch may take; the same for every task, and part of the identity of runs whose task grants the web. */
export interface WebLimits {
  /** Per attempt, refused ones included. */
  readonly maxFetches: number;
  readonly maxBytesPerFetch: number;
  /** Of everything that one attempt fetches. */
  readonly maxTotalBytes: number;
  /** From the request to the last byte, redirects included. */
  readonly timeoutMs: number;
  readonly maxRedirects: number;
}

export const WEB_LIMITS: WebLimits = {
  maxFetches: 200,
  maxBytesPerFetch: 10 * 1024 ** 2,
  maxTotalBytes: 64 * 1024 ** 2,
  timeoutMs: 20_000,
  maxRedirects: 5,
};

/** Why nothing was fetched. */
export type WebRefusal =
  | 'bad-url'
  | 'not-granted'
  | 'forbidden-address'
  | 'too-many'
  | 'too-large'
  | 'too-slow'
  | 'unreachable';

/** One fetch of an attempt, kept with its record. */
export interface WebFetch {
  /** UTC, ISO 8601. */
  readonly at: string;
  /** As the agent asked for it, its first 500 characters. */
  readonly url: string;
  /** Where redirects led, if elsewhere. */
  readonly finalUrl?: string;
  /** The server's answer; absent where there was none. */
  readonly status?: number;
  readonly contentType?: string;
  /** Of the content, decoded; a blob in `open/`. */
  readonly sha256?: string;
  readonly bytes?: number;
  readonly refused?: { readonly reason: WebRefusal; readonly message: string };
}

/** A host, or `*.` and a domain for all hosts below it: lower-case letters, digits and dashes, IDNs in their `xn--` form. */
const GRANT =
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z][a-z0-9-]{0,61}[a-z0-9])$/u;
const LOCAL_NAMES =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|arpa|onion|test|invalid)$/u;

/** Why a text cannot be an entry of a task's allow-list; `undefined` when it can. */
export function grantFault(grant: string): string | undefined {
  if (grant.length > 253 || !GRANT.test(grant))
    return 'must be a host like data.example.org, or *.example.org: no scheme, port, path or address, IDNs in their xn-- form';
  return LOCAL_NAMES.test(grant) ? 'must be a public host' : undefined;
}

/** Whether the allow-list names this host. `*.example.org` names the hosts below example.org, not itself. */
export function isGranted(host: string, grants: readonly string[]): boolean {
  return grants.some((grant) =>
    grant.startsWith('*.')
      ? host.endsWith(grant.slice(1)) && host.length > grant.length - 1
      : host === grant,
  );
}
