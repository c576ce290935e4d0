import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { isCode, withFile } from './durable-file';
import { openBelow } from './open-below';

/** Bounds of a collection; the defaults keep a manifest below the store's limit for records. */
export interface CollectionLimits {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
  /** Size of all paths together as JSON, since a manifest lists them. */
  readonly maxPathBytes: number;
  readonly maxDepth: number;
}

export const DEFAULT_COLLECTION_LIMITS: CollectionLimits = {
  maxFiles: 2_000,
  maxFileBytes: 1024 ** 3,
  maxTotalBytes: 2 * 1024 ** 3,
  maxPathBytes: 300_000,
  maxDepth: 32,
};

/** A regular file that was found; its content is read through {@link withCollected} only. */
export interface CollectedFile {
  /** Relative to the root, NFC; bytes that are no UTF-8 appear as %XX. */
  readonly path: string;
  readonly components: readonly Buffer[];
  readonly bytes: number;
}

export interface Collection {
  /** Files nearest to the root first, so that a junk folder crowds out nothing beside it; then by path. */
  readonly files: readonly CollectedFile[];
  /** What could not be taken, with the reason; at most 200 and 200 kB, the last one then counts the others. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  /** True when something was left out for want of room. */
  readonly truncated: boolean;
}

const MAX_REFUSED = 200;
/** As JSON, where a control character takes six bytes: a manifest must stay below the store's limit for records. */
const MAX_REFUSED_BYTES = 200_000;

interface Folder {
  readonly components: readonly Buffer[];
  readonly path: string;
}

/**
 * Lists the regular files below a folder that an agent wrote. Links are never followed, pipes, sockets and devices
 * never opened; odd names are kept. Everything that is not taken is reported. A missing folder is an empty one.
 * Call it only after the container has stopped.
 */
export async function collectFiles(
  root: string,
  limits: CollectionLimits = DEFAULT_COLLECTION_LIMITS,
): Promise<Collection> {
  const collector = new Collector(limits);
  const rootFacts = await lstat(root).catch(() => undefined);
  if (rootFacts === undefined) return collector.collection();
  if (!rootFacts.isDirectory()) {
    collector.refuse('.', `is ${kindOf(rootFacts)}, not a folder`);
    return collector.collection();
  }
  let level: Folder[] = [{ components: [], path: '' }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: Folder[] = [];
    for (const folder of level) next.push(...(await collector.tryToVisit(root, folder, depth)));
    level = next;
  }
  return collector.collection();
}

class Collector {
  private readonly files: CollectedFile[] = [];
  private readonly refused: { path: string; reason: string }[] = [];
  private readonly paths = new Set<string>();
  private unlisted = 0;
  private totalBytes = 0;
  private pathBytes = 0;
  private refusedBytes = 0;
  private truncated = false;

  constructor(private readonly limits: CollectionLimits) {}

  /** Takes the files of one folder and returns its folders; one that cannot be read is reported. */
  async tryToVisit(root: string, folder: Folder, depth: number): Promise<Folder[]> {
    try {
      return await this.visit(root, folder, depth);
    } catch (error) {
      if (!isCode(error, 'EACCES', 'EPERM', 'ENAMETOOLONG', 'ENOENT', 'EIO')) throw error;
      this.refuse(folder.path, `cannot be read (${(error as { code: string }).code})`);
      return [];
    }
  }

  private async visit(root: string, folder: Folder, depth: number): Promise<Folder[]> {
    const location = Buffer.concat(
      [Buffer.from(root), ...folder.components].flatMap((part, index) =>
        index === 0 ? [part] : [Buffer.from('/'), part],
      ),
    );
    const entries = await readdir(location, { withFileTypes: true, encoding: 'buffer' });
    const folders: Folder[] = [];
    for (const name of entries.map((entry) => entry.name).sort(Buffer.compare)) {
      const components = [...folder.components, name];
      const path = folder.path === '' ? readable(name) : `${folder.path}/${readable(name)}`;
      const facts = await lstat(Buffer.concat([location, Buffer.from('/'), name]));
      if (facts.isDirectory()) {
        if (depth + 1 < this.limits.maxDepth) folders.push({ components, path });
        else this.leaveOut(path, `lies deeper than ${this.limits.maxDepth} folders`);
      } else if (!facts.isFile()) this.refuse(path, `is ${kindOf(facts)}`);
      else this.take({ path, components, bytes: facts.size });
    }
    return folders;
  }

  private take(file: CollectedFile): void {
    const { limits } = this;
    if (this.paths.has(file.path)) {
      this.refuse(file.path, 'another file has the same name once both are written in NFC');
      return;
    }
    const pathBytes = Buffer.byteLength(JSON.stringify(file.path));
    if (file.bytes > limits.maxFileBytes)
      this.leaveOut(file.path, `has ${file.bytes} bytes, more than ${limits.maxFileBytes}`);
    else if (this.files.length >= limits.maxFiles)
      this.leaveOut(file.path, `is beyond the first ${limits.maxFiles} files`);
    else if (this.totalBytes + file.bytes > limits.maxTotalBytes)
      this.leaveOut(file.path, `would make more than ${limits.maxTotalBytes} bytes in all`);
    else if (this.pathBytes + pathBytes > limits.maxPathBytes)
      this.leaveOut(file.path, `would make more than ${limits.maxPathBytes} bytes of paths`);
    else {
      this.paths.add(file.path);
      this.totalBytes += file.bytes;
      this.pathBytes += pathBytes;
      this.files.push(file);
    }
  }

  private leaveOut(path: string, reason: string): void {
    this.truncated = true;
    this.refuse(path, reason);
  }

  refuse(path: string, reason: string): void {
    const entry = { path: path.slice(0, 1_000), reason };
    const bytes = Buffer.byteLength(JSON.stringify(entry));
    if (this.refused.length < MAX_REFUSED - 1 && this.refusedBytes + bytes <= MAX_REFUSED_BYTES) {
      this.refused.push(entry);
      this.refusedBytes += bytes;
    } else this.unlisted++;
  }

  collection(): Collection {
    const more =
      this.unlisted > 0 ? [{ path: '.', reason: `${this.unlisted} more could not be taken` }] : [];
    return { files: this.files, refused: [...this.refused, ...more], truncated: this.truncated };
  }
}

function kindOf(facts: Awaited<ReturnType<typeof lstat>>): string {
  if (facts.isSymbolicLink()) return 'a symbolic link';
  if (facts.isFIFO()) return 'a named pipe';
  if (facts.isSocket()) return 'a socket';
  if (facts.isBlockDevice() || facts.isCharacterDevice()) return 'a device';
  return facts.isFile() ? 'a file' : 'something special';
}

/** UTF-8 in NFC as it is; other bytes as %XX, and a percent sign of such a name too, so that names stay apart. */
function readable(name: Buffer): string {
  const text = name.toString('utf8');
  if (Buffer.from(text).equals(name)) return text.normalize('NFC');
  return Array.from(name, (byte) =>
    /^[ -$&-~]$/u.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}

/**
 * Opens a collected file without following links and passes a path to exactly that open file, for whoever reads by
 * path. `undefined` when it is not there any more or cannot be read.
 */
export async function withCollected<T>(
  root: string,
  components: readonly (string | Buffer)[],
  use: (path: string) => Promise<T>,
): Promise<T | undefined> {
  const file = await openBelow(root, components).catch((error: unknown) => {
    if (isCode(error, 'EACCES', 'EPERM')) return undefined;
    throw error;
  });
  return file && withFile(Promise.resolve(file), ({ fd }) => use(`/proc/self/fd/${fd}`));
}

/** Digest and size of a file, read through {@link withCollected}. */
export async function digestCollected(
  root: string,
  components: readonly (string | Buffer)[],
): Promise<{ readonly sha256: string; readonly bytes: number } | undefined> {
  return withCollected(root, components, async (path) => {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of createReadStream(path)) {
      const piece = chunk as Buffer;
      hash.update(piece);
      bytes += piece.length;
    }
    return { sha256: hash.digest('hex'), bytes };
  });
}
