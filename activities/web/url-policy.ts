import { isIP } from 'node:net';
import { isGranted, type WebRefusal } from '../../core/web';

export const MAX_URL_CHARACTERS = 2_048;

/** Why a URL is not fetched. */
export class WebRefused extends Error {
  constructor(
    readonly reason: WebRefusal,
    message: string,
  ) {
    super(message);
  }
}

export interface UrlRules {
  readonly grants: readonly string[];
  /** Beside the scheme's own port. @default none */
  readonly allowPort?: (port: number) => boolean;
}

/** A URL that may be asked for, by its text alone. Throws `WebRefused`. */
export function checkUrl(text: string, rules: UrlRules, base?: URL): URL {
  if (text.length > MAX_URL_CHARACTERS)
    throw new WebRefused('bad-url', `the URL has more than ${MAX_URL_CHARACTERS} characters`);
  // Parsers drop some of these in silence: what is checked must be what was meant.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text))
    throw new WebRefused('bad-url', 'the URL has white space, control characters or back slashes');
  const url = parseUrl(text, base);
  if (url.username !== '' || url.password !== '')
    throw new WebRefused('bad-url', 'the URL must not have a user name or password');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (url.port !== '' && rules.allowPort?.(port) !== true)
    throw new WebRefused('bad-url', `only the usual ports are fetched from, not ${port}`);
  const host = url.hostname;
  if (isIP(host) !== 0 || host.startsWith('['))
    throw new WebRefused('not-granted', 'hosts are named, not addressed');
  if (!isGranted(host, rules.grants))
    throw new WebRefused('not-granted', `this task grants no access to ${host}`);
  url.hash = '';
  return url;
}

/** Where `from` redirects to, if that may be asked for as well. Throws `WebRefused`. */
export function checkRedirect(location: string, rules: UrlRules, from: URL): URL {
  const to = checkUrl(location, rules, from);
  // What was asked for over TLS must not come over a line that anyone can change.
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new WebRefused('bad-url', 'a redirect from https to http is not followed');
  return to;
}

function parseUrl(text: string, base: URL | undefined): URL {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    throw new WebRefused('bad-url', 'this is not a URL');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new WebRefused('bad-url', 'only http and https are fetched');
  return url;
}
