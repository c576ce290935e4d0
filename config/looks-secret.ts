/** Beginnings and shapes of keys as vendors hand them out, and of what carries them in a header. */
const KEY_SHAPES: readonly RegExp[] = [
  /^sk-(?=\S*\d)[\w-]{8,}$/u,
  /^(?:bearer|basic|token|apikey) +[\w.~+/=-]{8,}$/iu,
  /^AIza[\w-]{20,}$/u,
  /^(?:AKIA|ASIA)[A-Z0-9]{12,}$/u,
  /^(?:gh[opsu]_|github_pat_|glpat-|hf_|gsk_|r8_|xai-|pplx-|nvapi-|fw_|csk-|xox[a-z]-)(?=\S*\d)[\w-]{12,}$/u,
  /^eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*$/u,
  /^-----BEGIN [A-Z ]*PRIVATE KEY-----/u,
];

/** Whether a text has the shape of a key. Unknown shapes pass: what a sweep says is not guessed at. */
export function looksLikeKey(text: string): boolean {
  return KEY_SHAPES.some((shape) => shape.test(text.trim()));
}

const SECRET_WORDS =
  /^(?:apikeys?|authorization|cookies?|credentials?|passphrase|passw(?:or)?d|secrets?)$/u;
const SECRET_PAIRS =
  /(?:^| )(?:(?:api|access|account|auth|private|secret|subscription|signing) keys?|(?:api|access|auth|authentication|bearer|id|refresh|security|session) token)(?: |$)/u;
/** Names that say it only when they say nothing else: `token`, but not `pad_token`. */
const SECRET_ALONE = ['auth', 'bearer', 'jwt', 'token'];

/** Whether a field by this name carries a secret: `api_key`, `X-Auth-Token`, not `max_tokens` or `prompt_cache_key`. */
export function namesASecret(name: string): boolean {
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, ' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '' && word !== 'x');
  const text = words.join(' ');
  return (
    words.some((word) => SECRET_WORDS.test(word)) ||
    SECRET_PAIRS.test(text) ||
    SECRET_ALONE.includes(text)
  );
}

/** Where in a value secrets stand: texts under a name of one, and texts in the shape of a key. */
export function secretPaths(value: unknown, path: readonly PropertyKey[] = []): PropertyKey[][] {
  if (typeof value === 'string') {
    const name = path.findLast((key) => typeof key === 'string') ?? '';
    const isSecret = (value.trim() !== '' && namesASecret(name)) || looksLikeKey(value);
    return isSecret ? [[...path]] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const entries: [PropertyKey, unknown][] = Array.isArray(value)
    ? value.map((entry: unknown, index) => [index, entry])
    : Object.entries(value);
  return entries.flatMap(([key, entry]) => secretPaths(entry, [...path, key]));
}

/** Long, of capitals, small letters and digits at once: ids and names in addresses are of one case. */
const RANDOM_SEGMENT = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[\w~.=-]{24,}$/u;

/** Whether a part of an address's path is a key, by its shape or by the part before it (`/token/...`). */
export function hasKeyInPath(address: URL): boolean {
  const parts = address.pathname.split('/').map(decoded);
  return parts.some(
    (part, at) =>
      looksLikeKey(part) ||
      RANDOM_SEGMENT.test(part) ||
      (part.length >= 8 && namesASecret(parts[at - 1] ?? '')) ||
      namesASecret(/^([^=;]+)=./u.exec(part)?.[1] ?? ''),
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
