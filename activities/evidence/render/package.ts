import { type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { RENDER_LIMITS } from './limits';
import { Unreadable } from './rendering';

/** An office file's parts. Names are package paths without a leading slash. */
export interface OfficePackage {
  readonly partNames: readonly string[];
  has(part: string): boolean;
  /** Throws `Unreadable` when the part is absent, larger than `maxBytes`, or broken. */
  read(part: string, maxBytes?: number): Promise<Buffer>;
  stream(part: string): Promise<Readable>;
  close(): void;
}

/**
 * Opens a zip package and checks it against the limits before anything is inflated: sizes stated in the
 * directory are upper bounds, since the reader stops where an entry inflates beyond its stated size.
 * Throws `Unreadable`: corrupt, encrypted, or refused with the limit or the name that broke a rule.
 */
export async function openPackage(path: string): Promise<OfficePackage> {
  const zip = await openZip(path);
  let entries: Map<string, Entry>;
  try {
    entries = await readDirectory(zip);
  } catch (error) {
    zip.close();
    throw error instanceof Unreadable ? error : refusalOfZip(error);
  }
  const find = (part: string): Entry => {
    const entry = entries.get(foldName(part));
    if (!entry) throw new Unreadable('corrupt', `the package has no part ${part}`);
    return entry;
  };
  const stream = (part: string): Promise<Readable> => openEntry(zip, find(part));
  return {
    partNames: [...entries.values()].map((entry) => entry.fileName),
    has: (part) => entries.has(foldName(part)),
    stream,
    read: async (part, maxBytes = RENDER_LIMITS.treePartBytes) => {
      const { uncompressedSize } = find(part);
      if (uncompressedSize > maxBytes)
        throw new Unreadable(
          'refused',
          `part ${part} has ${uncompressedSize} bytes, over ${maxBytes}`,
        );
      try {
        return await buffer(await stream(part));
      } catch (error) {
        throw new Unreadable('corrupt', `part ${part} cannot be inflated: ${messageOf(error)}`);
      }
    },
    close: () => zip.close(),
  };
}

function openZip(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error) reject(refusalOfZip(error));
      else resolve(zip);
    });
  });
}

function readDirectory(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let inflated = 0;
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      inflated += entry.uncompressedSize;
      const problem = problemOf(entry, entries, inflated);
      if (problem) {
        reject(problem);
        return;
      }
      if (!entry.fileName.endsWith('/')) entries.set(foldName(entry.fileName), entry);
      zip.readEntry();
    });
    if (zip.entryCount > RENDER_LIMITS.packageEntries) {
      reject(
        new Unreadable(
          'refused',
          `${zip.entryCount} entries, over ${RENDER_LIMITS.packageEntries}`,
        ),
      );
    } else zip.readEntry();
  });
}

function problemOf(
  entry: Entry,
  earlier: ReadonlyMap<string, Entry>,
  inflated: number,
): Unreadable | undefined {
  const { fileName, uncompressedSize, compressedSize } = entry;
  const refuse = (reason: string): Unreadable => new Unreadable('refused', reason);
  if ((entry.generalPurposeBitFlag & 1) === 1)
    return new Unreadable('encrypted', `entry ${fileName} is encrypted`);
  if (fileName.includes('\0') || /^[A-Za-z]:/u.test(fileName))
    return refuse(`entry name ${JSON.stringify(fileName)} is not a path within the package`);
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000)
    return refuse(`entry ${fileName} is a symbolic link`);
  if (earlier.has(foldName(fileName))) return refuse(`two entries are named ${fileName}`);
  if (uncompressedSize > RENDER_LIMITS.entryInflatedBytes)
    return refuse(
      `entry ${fileName} inflates to ${uncompressedSize} bytes, over ${RENDER_LIMITS.entryInflatedBytes}`,
    );
  if (
    uncompressedSize > RENDER_LIMITS.ratioFreeBytes &&
    uncompressedSize > compressedSize * RENDER_LIMITS.inflationRatio
  )
    return refuse(
      `entry ${fileName} inflates ${Math.round(uncompressedSize / compressedSize)}-fold, over ${RENDER_LIMITS.inflationRatio}`,
    );
  if (inflated > RENDER_LIMITS.inflatedBytes)
    return refuse(`the package inflates to over ${RENDER_LIMITS.inflatedBytes} bytes`);
  return undefined;
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(new Unreadable('corrupt', `${entry.fileName}: ${error.message}`));
      else resolve(stream);
    });
  });
}

/** Names of a package are compared without regard to case, as office programs do. */
function foldName(name: string): string {
  return name.replace(/^\//u, '').normalize('NFC').toLowerCase();
}

function refusalOfZip(error: unknown): Unreadable {
  const message = messageOf(error);
  return /invalid (?:relative path|characters in fileName)|absolute path/u.test(message)
    ? new Unreadable('refused', `the package names files outside itself: ${message}`)
    : new Unreadable('corrupt', `not a readable zip package: ${message}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
