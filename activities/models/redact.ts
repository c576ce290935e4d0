const KEY_SHAPES = [/\b(?:sk|rk|pk|ak|key)-[A-Za-z0-9_*-]{8,}/gu, /\bBearer\s+[^\s"']{8,}/giu];

/** `text` without the account's key and without anything that looks like one; cut to `maxLength` characters. */
export function redact(text: string, apiKey: string | undefined, maxLength = 2_000): string {
  let clean = text;
  if (apiKey !== undefined && apiKey.length >= 4) clean = clean.replaceAll(apiKey, '[redacted]');
  for (const shape of KEY_SHAPES) clean = clean.replace(shape, '[redacted]');
  return clean.length > maxLength ? `${clean.slice(0, maxLength)}...` : clean;
}
