/** Encodings with one byte a letter that are told apart. */
export type SingleByteEncoding =
  'windows-1250' | 'windows-1251' | 'windows-1252' | 'windows-1253' | 'koi8-r';

const MIN_HIGH_BYTES = 10;

/**
 * Guesses the script behind bytes over 0x7f. Western and Central European letters stand among Latin ones,
 * Cyrillic and Greek letters among their own kind; small letters are more frequent than capitals.
 */
export function guessSingleByte(bytes: Uint8Array): SingleByteEncoding {
  const { high, beside, central, frequency } = countHighBytes(bytes);
  if (central >= 2) return 'windows-1250';
  if (high < MIN_HIGH_BYTES || beside < high * 0.7) return 'windows-1252';
  const share = (from: number, to: number): number =>
    frequency.slice(from, to + 1).reduce((sum, count) => sum + count, 0) / high;
  const [lower, upper] = [share(0xe0, 0xff), share(0xc0, 0xdf)];
  if (lower + upper < 0.7) return 'windows-1252';
  if (upper > lower) return 'koi8-r';
  // Greek vowels with an accent are frequent where Russian has rare capitals.
  return share(0xdc, 0xdf) > 0.05 ? 'windows-1253' : 'windows-1251';
}

interface HighBytes {
  readonly high: number;
  /** Those with another one beside them. */
  readonly beside: number;
  /** Those that are Central European letters between Latin ones. */
  readonly central: number;
  readonly frequency: readonly number[];
}

function countHighBytes(bytes: Uint8Array): HighBytes {
  let [high, beside, central] = [0, 0, 0];
  const frequency = new Array<number>(256).fill(0);
  bytes.forEach((byte, at) => {
    if (byte < 0x80) return;
    high++;
    frequency[byte] = (frequency[byte] ?? 0) + 1;
    const neighbours = [bytes[at - 1] ?? 0, bytes[at + 1] ?? 0];
    if (neighbours.some((each) => each >= 0x80)) beside++;
    const isWithinWord = neighbours.every((each) => each >= 0x80 || isLatin(each));
    if (CENTRAL.has(byte) && isWithinWord && neighbours.some(isLatin)) central++;
  });
  return { high, beside, central, frequency };
}

/** Letters of Polish, Slovak and Czech that windows-1252 has as signs. */
const CENTRAL = new Set([0xb3, 0xb9, 0xbf, 0x9f, 0xbe, 0x9d]);

function isLatin(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}
