import { guessSingleByte } from './single-byte';

/** Text with the encoding it was read as. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  /** Bytes that fit no character, read as U+FFFD. */
  readonly replacements: number;
  /** What decided: `byte order mark`, `zero bytes`, `valid UTF-8`, `mostly UTF-8`, `letter statistics`, `no other encoding fits`. */
  readonly decidedBy: string;
}

const MAX_SAMPLE_BYTES = 256 * 1024;

/**
 * Reads bytes as text: byte order mark, UTF-16 by its zero bytes, strict UTF-8, one of the East Asian
 * encodings that decodes the whole file and fits best, UTF-8 with stray bytes, one of the windows code pages.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const marked = byMark(bytes);
  if (marked !== undefined) return decodeAs(bytes, marked, 'byte order mark');
  const utf16 = utf16ByZeros(bytes);
  if (utf16 !== undefined) return decodeAs(bytes, utf16, 'zero bytes');
  const utf8 = strictly(bytes, 'utf-8');
  if (utf8 !== undefined)
    return { text: utf8, encoding: 'utf-8', replacements: 0, decidedBy: 'valid UTF-8' };
  // Mostly valid UTF-8 stays UTF-8: a stray byte does not change the file's language.
  const lenient = decodeAs(bytes, 'utf-8', 'mostly UTF-8');
  const multibyte = lenient.text.match(/[^\0-\u00ff\ufffd]/gu)?.length ?? 0;
  if (multibyte > lenient.replacements * 10) return lenient;
  const eastAsian = bestEastAsian(bytes);
  if (eastAsian !== undefined) return decodeAs(bytes, eastAsian, 'letter statistics');
  const encoding = guessSingleByte(bytes.subarray(0, MAX_SAMPLE_BYTES));
  if (encoding !== 'windows-1252') return decodeAs(bytes, encoding, 'letter statistics');
  return {
    text: decodeWestern(bytes),
    encoding,
    replacements: 0,
    decidedBy: 'no other encoding fits',
  };
}

/** Characters of windows-1252 from 0x80 to 0x9f; Node's own decoder reads them as control characters. */
const WESTERN = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decodeWestern(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/gu, (letter) => WESTERN.charAt(letter.charCodeAt(0) - 0x80));
}

function byMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const even = bytes.length % 2 === 0;
  if (even && bytes.length >= 4 && bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (even && bytes.length >= 4 && bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function decodeAs(bytes: Uint8Array, encoding: string, decidedBy: string): DecodedText {
  const text = new TextDecoder(encoding).decode(bytes);
  let replacements = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1))
    replacements++;
  return { text, encoding, replacements, decidedBy };
}

function strictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Western text in UTF-16 has a zero in nearly every second byte. */
function utf16ByZeros(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || bytes.length % 2 === 1) return undefined;
  const zeros = [0, 0];
  const length = Math.min(bytes.length, MAX_SAMPLE_BYTES);
  for (let index = 0; index < length; index++)
    if (bytes[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > length * 0.35 && even < length * 0.02) return 'utf-16le';
  if (even > length * 0.35 && odd < length * 0.02) return 'utf-16be';
  return undefined;
}

/** Share of two-byte characters that are common in each encoding; the pairs are walked in that encoding's own way. */
function bestEastAsian(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, MAX_SAMPLE_BYTES);
  const scores = CANDIDATES.map(({ encoding, isCommon }) => ({
    encoding,
    score: strictly(bytes, encoding) === undefined ? 0 : commonShare(sample, encoding, isCommon),
  }));
  const best = scores.reduce((left, right) => (right.score > left.score ? right : left));
  return best.score >= 0.5 ? best.encoding : undefined;
}

const CANDIDATES: readonly {
  readonly encoding: string;
  readonly isCommon: (lead: number, trail: number) => boolean;
}[] = [
  // Korean first: its syllables lie within the Chinese range, which Chinese text always leaves.
  { encoding: 'euc-kr', isCommon: (lead, trail) => lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1 },
  {
    encoding: 'gb18030',
    isCommon: (lead, trail) =>
      trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || lead === 0xa1 || lead === 0xa3),
  },
  { encoding: 'big5', isCommon: (lead) => lead >= 0xa4 && lead <= 0xc6 },
  {
    encoding: 'shift_jis',
    isCommon: (lead, trail) =>
      lead === 0x82 ||
      lead === 0x83 ||
      (lead === 0x81 && trail < 0x80) ||
      (lead >= 0x88 && lead <= 0x97),
  },
];

function commonShare(
  bytes: Uint8Array,
  encoding: string,
  isCommon: (lead: number, trail: number) => boolean,
): number {
  let pairs = 0;
  let common = 0;
  for (let index = 0; index < bytes.length - 1; index++) {
    const lead = bytes[index] ?? 0;
    const isSingle = lead < 0x80 || (encoding === 'shift_jis' && lead >= 0xa1 && lead <= 0xdf);
    if (isSingle) continue;
    pairs++;
    if (isCommon(lead, bytes[index + 1] ?? 0)) common++;
    index++;
  }
  return pairs === 0 ? 0 : common / pairs;
}
