import { open } from 'node:fs/promises';
import { type ArtifactFormat } from '../../../core/evidence-view';
import { decodeText } from './decode-text';

/** What the content of a file is, whatever its name says. */
export type SniffedType =
  | { readonly kind: 'package' }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'image' }
  | { readonly kind: 'encrypted-office' }
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'text'; readonly format: ArtifactFormat }
  | { readonly kind: 'empty' };

const HEAD_BYTES = 64 * 1024;

const UNSUPPORTED_MAGIC: readonly (readonly [string, string])[] = [
  ['7z\xbc\xaf\x27\x1c', 'a 7-Zip archive'],
  ['Rar!\x1a', 'a RAR archive'],
  ['\x1f\x8b', 'a gzip file'],
  ['BM', 'a BMP picture'],
  ['II*\0', 'a TIFF picture'],
  ['MM\0*', 'a TIFF picture'],
  ['\x7fELF', 'a program'],
  ['{\\rtf', 'a rich text (RTF) document'],
  ['SQLite format 3', 'an SQLite database'],
];

/** Looks at the first bytes; `named` decides only between kinds of text. */
export async function sniffFile(path: string, named: ArtifactFormat): Promise<SniffedType> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return sniff(head.subarray(0, bytesRead), named);
  } finally {
    await file.close();
  }
}

export function sniff(head: Buffer, named: ArtifactFormat): SniffedType {
  if (head.length === 0) return { kind: 'empty' };
  const start = head.toString('latin1', 0, 1024);
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return { kind: 'package' };
  if (start.includes('%PDF-')) return { kind: 'pdf' };
  if (start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff'))
    return { kind: 'image' };
  if (/^GIF8[79]a/u.test(start) || /^RIFF[^]{4}WEBP/u.test(start)) return { kind: 'image' };
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return sniffCompound(head);
  const magic = UNSUPPORTED_MAGIC.find(([bytes]) => start.startsWith(bytes));
  if (magic) return { kind: 'unsupported', reason: `${magic[1]}; only its bytes are kept` };
  if (isBinary(head)) return { kind: 'unsupported', reason: 'binary content of an unknown kind' };
  const isTextFormat = named === 'csv' || named === 'markdown' || named === 'text';
  return { kind: 'text', format: isTextFormat ? named : 'text' };
}

/** Office files with a password are packages inside an OLE container, as old binary formats are. */
function sniffCompound(head: Buffer): SniffedType {
  const text = head.toString('utf16le') + head.subarray(1).toString('utf16le');
  return text.includes('EncryptedPackage') || text.includes('EncryptionInfo')
    ? { kind: 'encrypted-office' }
    : { kind: 'unsupported', reason: 'an old binary office format (.doc, .xls or .ppt)' };
}

/** Many control characters in a file of some length; short ones are shown as text with replacements. */
function isBinary(head: Buffer): boolean {
  if (head.length < 64) return false;
  const { text, encoding, replacements } = decodeText(head.subarray(0, trimmed(head)));
  let controls = replacements;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 9 || (code > 13 && code < 32 && code !== 27)) controls++;
  }
  return controls > text.length * (encoding === 'windows-1252' ? 0.02 : 0.1);
}

/** Where the head cuts a character of several bytes, it is left out. */
function trimmed(head: Buffer): number {
  let length = head.length;
  if (length < HEAD_BYTES) return length;
  while (length > HEAD_BYTES - 4 && ((head[length - 1] ?? 0) & 0x80) !== 0) length--;
  return length;
}
