import { decodeText } from '../decode-text';

/**
 * A name as RAR 3 and 4 store it: the name in an old encoding, a zero byte, and the differences that make it Unicode;
 * without the zero byte it is UTF-8. Each pair of bits says what one letter is: a byte, a byte in the common half, two
 * bytes, or a run of letters of the old name.
 */
export function unicodeName(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  if (end < 0) return decodeText(bytes).text;
  const [old, packed] = [bytes.subarray(0, end), bytes.subarray(end + 1)];
  const high = (packed[0] ?? 0) << 8;
  const units: number[] = [];
  let at = 1;
  const byte = (): number => packed[at++] ?? 0;
  while (at < packed.length && units.length < 2_048) {
    const kinds = byte();
    for (let shift = 6; shift >= 0 && at < packed.length; shift -= 2) {
      const kind = (kinds >> shift) & 3;
      if (kind === 0) units.push(byte());
      else if (kind === 1) units.push(byte() | high);
      else if (kind === 2) units.push(byte() | (byte() << 8));
      else units.push(...runOf(old, units.length, byte(), byte, high));
    }
  }
  return String.fromCharCode(...units);
}

function runOf(
  old: Buffer,
  from: number,
  length: number,
  byte: () => number,
  high: number,
): number[] {
  const isShifted = (length & 0x80) !== 0;
  const shift = isShifted ? byte() : 0;
  return Array.from({ length: (length & 0x7f) + 2 }, (_, index) => {
    const letter = old[from + index] ?? 0;
    return isShifted ? ((letter + shift) & 0xff) | high : letter;
  });
}
