const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;
const CJK = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303f]';
const NEXT_TO_CJK = new RegExp(`(?<=${CJK}) | (?=${CJK})`, 'gu');

/**
 * Text as checks compare it: NFKC, invisible characters gone, quotes and dashes made plain, white space folded,
 * and none beside Chinese characters, where line breaks and layout put it at will.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/[“”„‟«»]/gu, '"')
    .replace(/[‘’‚‛′]/gu, "'")
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(NEXT_TO_CJK, '');
}

/** Names of headers and keys: folded, case ignored. */
export function foldName(text: string): string {
  return foldText(text).toLowerCase();
}

/** Whether the folded needle occurs in the folded text, and not as a part of a longer number. */
export function occurs(text: string, needle: string): boolean {
  if (needle === '') return false;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1))
    if (standsAlone(text, at, at + needle.length)) return true;
  return false;
}

/** "9.1" is not found in "19.1", "9.15" or "9.1.2"; "46" not in "1,460". */
function standsAlone(text: string, start: number, end: number): boolean {
  const startsWithDigit = /\d/u.test(text.charAt(start));
  const endsWithDigit = /\d/u.test(text.charAt(end - 1));
  if (startsWithDigit && /(?:\d|\d[.,])$/u.test(text.slice(Math.max(0, start - 2), start)))
    return false;
  return !(endsWithDigit && /^(?:\d|[.,]\d)/u.test(text.slice(end, end + 2)));
}
