import { type Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { decodeText } from '../decode-text';
import { messageOf } from '../package';
import { Unreadable } from '../rendering';
import { ARCHIVE_LIMITS, type ArchiveEntry } from './archive-entry';

export interface ZipDirectory {
  readonly entries: readonly ZipEntry[];
  /** Entries that the archive states; more than `entries` where the limit cut the list. */
  readonly total: number;
  /** Comment of the archive. */
  readonly comment: string;
  open(entry: ZipEntry): Promise<Readable>;
  close(): void;
}

export interface ZipEntry extends ArchiveEntry {
  readonly entry: Entry;
}

/**
 * The list of a zip archive, names as they are: judging them is the caller's part. Nothing is inflated.
 * Throws `Unreadable` where there is no directory.
 */
export async function openZipDirectory(path: string): Promise<ZipDirectory> {
  const zip = await openZip(path);
  try {
    const entries = await readEntries(zip);
    return {
      entries,
      total: zip.entryCount,
      comment: decodeName(zip.comment as unknown as Buffer, false).trim(),
      open: ({ entry }) => openEntry(zip, entry),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw new Unreadable('corrupt', `not a readable zip package: ${messageOf(error)}`);
  }
}

function openZip(path: string): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
  return new Promise((resolve, reject) => {
    yauzl.open(path, options, (error, zip) => {
      if (error)
        reject(new Unreadable('corrupt', `not a readable zip package: ${messageOf(error)}`));
      else resolve(zip);
    });
  });
}

function readEntries(zip: ZipFile): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      entries.push(describe(entry));
      if (entries.length >= ARCHIVE_LIMITS.listed) resolve(entries);
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

function describe(entry: Entry): ZipEntry {
  const flags = entry.generalPurposeBitFlag;
  const name = decodeName(entry.fileName as unknown as Buffer, (flags & 0x800) !== 0);
  const mode = (entry.externalFileAttributes >>> 16) & 0o170000;
  return {
    name,
    bytes: entry.uncompressedSize,
    storedBytes: entry.compressedSize,
    kind: name.endsWith('/') ? 'folder' : mode === 0o120000 ? 'link' : 'file',
    encrypted: (flags & 1) === 1,
    entry,
  };
}

/** Zip programs write names in UTF-8 and say so, or in the encoding of their machine and do not. */
function decodeName(bytes: Buffer | undefined, isUtf8: boolean): string {
  if (bytes === undefined) return '';
  return isUtf8 ? bytes.toString('utf8') : decodeText(bytes).text;
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(error);
      else resolve(stream);
    });
  });
}
