import { open } from 'node:fs/promises';
import { type ArtifactFormat } from '../../../core/evidence-view';
import { decodeText } from './decode-text';
import { isIcon } from './image/icon';
import {
  type CompoundKind,
  DIRECTORY_BYTES,
  compoundKind,
  directoryOffset,
} from './sniff-compound';

/** Kinds of files that LibreOffice turns into one that we read. */
export type LegacyKind = 'doc' | 'xls' | 'ppt' | 'rtf';

/** Archives by how they are read. */
export type ArchiveKind = 'zip' | 'tar' | 'gzip' | 'bzip2' | 'xz' | 'zstd' | '7z' | 'rar';

/** What the content of a file is, whatever its name says. */
export type SniffedType =
  | { readonly kind: 'package' }
  | { readonly kind: 'archive'; readonly archive: Exclude<ArchiveKind, 'zip'> }
  | { readonly kind: 'pdf' }
  | { readonly kind: 'image'; readonly image: ImageKind }
  | { readonly kind: 'legacy'; readonly legacy: LegacyKind }
  | { readonly kind: 'outlook' }
  | { readonly kind: 'encrypted-office' }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'unsupported'; readonly reason: string }
  | { readonly kind: 'text'; readonly format: ArtifactFormat }
  | { readonly kind: 'empty' };

/** `raster`: what sharp decodes; `drawing`: what LibreOffice draws; `heic`: what libheif decodes. */
export type ImageKind = 'raster' | 'svg' | 'bmp' | 'icon' | 'drawing' | 'heic';

const HEAD_BYTES = 64 * 1024;

const UNSUPPORTED_MAGIC: readonly (readonly [string, string])[] = [
  ['\x7fELF', 'a program'],
  ['MZ', 'a Windows program'],
  ['SQLite format 3', 'an SQLite database'],
  ['\x1aE\xdf\xa3', 'a video'],
  ['OggS', 'a sound or video'],
  ['ID3', 'a sound'],
  ['PAR1', 'a Parquet table'],
  ['\x89HDF', 'an HDF5 file'],
  ['%!PS', 'a PostScript document'],
];

const ARCHIVE_MAGIC: readonly (readonly [string, Exclude<ArchiveKind, 'zip' | 'tar'>])[] = [
  ['7z\xbc\xaf\x27\x1c', '7z'],
  ['Rar!\x1a', 'rar'],
  ['\x1f\x8b', 'gzip'],
  ['BZh', 'bzip2'],
  ['\xfd7zXZ\0', 'xz'],
  ['\x28\xb5\x2f\xfd', 'zstd'],
];

const RASTER_MAGIC = [
  /^\x89PNG\r\n\x1a\n/u,
  /^\xff\xd8\xff/u,
  /^GIF8[79]a/u,
  /^RIFF[^]{4}WEBP/u,
  /^(?:II\*\0|MM\0\*)/u,
  /^[^]{4}ftypavi[fs]/u,
];

/** Formats of which a text may be; the name decides between them. */
const TEXTUAL: ReadonlySet<ArtifactFormat> = new Set([
  ...(['csv', 'markdown', 'html', 'notebook', 'json', 'yaml', 'xml', 'code', 'text'] as const),
  'email',
]);

/** Looks at the first bytes; `named` decides only between kinds of text. */
export async function sniffFile(path: string, named: ArtifactFormat): Promise<SniffedType> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    const begin = head.subarray(0, bytesRead);
    const offset = directoryOffset(begin);
    if (offset === undefined) return sniff(begin, named);
    const directory = Buffer.alloc(DIRECTORY_BYTES);
    const read = await file.read(directory, 0, DIRECTORY_BYTES, offset);
    if (read.bytesRead === 0 && !isEncryptedByName(begin))
      return { kind: 'broken', reason: 'an old office file that ends before its directory' };
    return sniffCompound(compoundKind(directory.subarray(0, read.bytesRead), begin));
  } finally {
    await file.close();
  }
}

export function sniff(head: Buffer, named: ArtifactFormat): SniffedType {
  if (head.length === 0) return { kind: 'empty' };
  const start = head.toString('latin1', 0, 1024);
  if (/^PK(?:\x03\x04|\x05\x06|\x07\x08)/u.test(start)) return { kind: 'package' };
  if (start.startsWith('{\\rtf')) return { kind: 'legacy', legacy: 'rtf' };
  const archive = ARCHIVE_MAGIC.find(([magic]) => start.startsWith(magic));
  if (archive) return { kind: 'archive', archive: archive[1] };
  if (/^ustar/u.test(start.slice(257, 262))) return { kind: 'archive', archive: 'tar' };
  const image = imageKind(start, head);
  if (image) return { kind: 'image', image };
  // A text may speak of PDFs; a PDF may have other bytes before it.
  if (TEXTUAL.has(named) ? /^\s*%PDF-/u.test(start) : start.includes('%PDF-'))
    return { kind: 'pdf' };
  const magic = UNSUPPORTED_MAGIC.find(([bytes]) => start.startsWith(bytes));
  if (magic && isBinary(head)) return unsupported(`${magic[1]}; only its bytes are kept`);
  if (/^[^]{4}ftyp/u.test(start)) return unsupported('a video or sound; only its bytes are kept');
  if (isBinary(head)) return unsupported('binary content of an unknown kind');
  return { kind: 'text', format: textFormat(head, named) };
}

function unsupported(reason: string): SniffedType {
  return { kind: 'unsupported', reason };
}

function imageKind(start: string, head: Buffer): ImageKind | undefined {
  if (RASTER_MAGIC.some((magic) => magic.test(start))) return 'raster';
  if (/^[^]{4}ftyp(?:hei[cxs]|hev[cx]|mif1|msf1)/u.test(start)) return 'heic';
  // A bitmap states its own length and has zeros behind it.
  if (start.startsWith('BM') && head.length >= 26 && head.readUInt32LE(6) === 0) return 'bmp';
  if (isIcon(head)) return 'icon';
  if (start.startsWith('\xd7\xcd\xc6\x9a') || start.slice(40, 44) === ' EMF') return 'drawing';
  if (start.startsWith('8BPS')) return 'drawing';
  return isSvg(head) ? 'svg' : undefined;
}

/** A drawing begins with its root element, behind declarations and comments. */
function isSvg(head: Buffer): boolean {
  const text = decodeText(head.subarray(0, trimmed(head))).text.slice(0, 16_384);
  const bare = text.replace(
    /^\uFEFF?\s*(?:<\?[^]*?\?>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>\s*)*/u,
    '',
  );
  return /^<(?:\w+:)?svg[\s>]/u.test(bare);
}

/** The name's word among kinds of text; where it promises another kind of file, what the text looks like. */
function textFormat(head: Buffer, named: ArtifactFormat): ArtifactFormat {
  const text = decodeText(head.subarray(0, trimmed(head))).text.trimStart();
  // A page saved as one file is a mail by its form.
  if (named === 'html' && /^(?:[\w-]+:.*\r?\n)+/u.exec(text)?.[0].includes('multipart/related'))
    return 'email';
  if (TEXTUAL.has(named)) return named;
  if (/^(?:<!doctype html|<html[\s>])/iu.test(text)) return 'html';
  if (text.startsWith('<?xml')) return 'xml';
  return 'text';
}

function isEncryptedByName(head: Buffer): boolean {
  return compoundKind(Buffer.alloc(0), head) === 'encrypted';
}

/** Office files with a password are packages inside an OLE container, as old binary formats are. */
function sniffCompound(kind: CompoundKind): SniffedType {
  if (kind === 'encrypted') return { kind: 'encrypted-office' };
  if (kind === 'doc' || kind === 'xls' || kind === 'ppt') return { kind: 'legacy', legacy: kind };
  if (kind === 'msg') return { kind: 'outlook' };
  return unsupported('an OLE container of an unknown kind; only its bytes are kept');
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
  return controls > text.length * (encoding.startsWith('windows') ? 0.02 : 0.1);
}

/** Where the head cuts a character of several bytes, it is left out. */
function trimmed(head: Buffer): number {
  let length = head.length;
  if (length < HEAD_BYTES) return length;
  while (length > HEAD_BYTES - 4 && ((head[length - 1] ?? 0) & 0x80) !== 0) length--;
  return length;
}
