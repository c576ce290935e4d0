/** Soft hyphen, zero-width, bidi and tag characters: nothing a reader sees. */
const INVISIBLE =
  /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFE0F\uFEFF\u{E0000}-\u{E007F}]/gu;
const CONTROL = /[\u0000-\u0008\u000E-\u001F\u007F\uFFFD]/gu;
const DOUBLE_QUOTES = /[“”„‟«»″〝〞「」『』]/gu;
const SINGLE_QUOTES = /[‘’‚‛‹›′`´]/gu;
const DASHES = /[\u2010-\u2015\u2212]/gu;
const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u3000-\\u303F';
/** Lines of Chinese or Japanese text are wrapped without a space, so a space between two such characters means nothing. */
const SPACE_IN_CJK = new RegExp(`(?<=[${CJK}]) (?=[${CJK}])`, 'gu');
const ENDS_IN_CJK = new RegExp(`[${CJK}]$`, 'u');
const STARTS_IN_CJK = new RegExp(`^[${CJK}]`, 'u');

/** Text as quotes are compared: NFKC, white space, invisible characters, quotation marks and dashes folded. */
export function foldText(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(CONTROL, '')
    .replace(DOUBLE_QUOTES, '"')
    .replace(SINGLE_QUOTES, "'")
    .replace(DASHES, '-')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(SPACE_IN_CJK, '');
}

/** What stands between two folded pieces of text that follow each other. */
export function foldedJoint(left: string, right: string): '' | ' ' {
  if (left === '' || right === '') return '';
  return ENDS_IN_CJK.test(left) && STARTS_IN_CJK.test(right) ? '' : ' ';
}

/** Weight of a quote: letters and digits, ideographs twice since each carries about a word. */
export function quoteWeight(folded: string): number {
  const letters = folded.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters + (folded.match(new RegExp(`[${CJK}]`, 'gu'))?.length ?? 0);
}

/**
 * Starts of `needle` in `text`, both folded. With `wholeWords` a match may not begin or end inside a number
 * or a Latin word: "12" is not found in "2012", "12.5" or "1,120".
 */
export function findFolded(text: string, needle: string, wholeWords: boolean): number[] {
  const starts: number[] = [];
  if (needle === '') return starts;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1))
    if (!wholeWords || standsAlone(text, at, at + needle.length)) starts.push(at);
  return starts;
}

function standsAlone(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  const after = text.slice(end, end + 2);
  const first = text.slice(start, start + 1);
  const last = text.slice(end - 1, end);
  if (/[0-9]/u.test(first) && /(?:[0-9]|[0-9][.,]|-)$/u.test(before)) return false;
  if (/[0-9]/u.test(last) && /^(?:[0-9]|[.,][0-9]|%)/u.test(after)) return false;
  if (/[A-Za-z]/u.test(first) && /[A-Za-z]$/u.test(before)) return false;
  return !(/[A-Za-z]/u.test(last) && /^[A-Za-z]/u.test(after));
}
