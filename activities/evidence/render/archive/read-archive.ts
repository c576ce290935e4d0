import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { RENDER_LIMITS } from '../limits';
import { messageOf } from '../package';
import { runProgram } from '../program';
import { type RenderContext, needed } from '../render-context';
import { type Rendering, Unreadable } from '../rendering';
import { type ArchiveKind } from '../sniff';
import { addEntries } from './add-entries';
import { ARCHIVE_LIMITS } from './archive-entry';
import { programMembers } from './program-members';
import { listRar } from './rar-list';
import { isTar, readTar } from './read-tar';
import { listSevenZip } from './seven-zip-list';

/** Archives other than zip. Throws `Unreadable`. */
export async function readArchive(
  sourcePath: string,
  archive: Exclude<ArchiveKind, 'zip'>,
  context: RenderContext,
): Promise<void> {
  const rendering = context.started('archive');
  rendering.facts['archive'] = archive;
  switch (archive) {
    case 'tar':
      return readTar(await readFile(sourcePath), rendering);
    case 'gzip':
      return readPacked(await inflateGzip(sourcePath), archive, sourcePath, rendering);
    case 'bzip2':
    case 'xz':
    case 'zstd':
      needed(context.tools);
      return readPacked(await inflateByProgram(sourcePath), archive, sourcePath, rendering);
    case '7z':
    case 'rar':
      needed(context.tools);
      return readWithProgram(sourcePath, archive, rendering);
  }
}

const SUFFIXES = { gzip: 'gz', bzip2: 'bz2', xz: 'xz', zstd: 'zst' } as const;

/** A packed stream: a tar archive, or one file. */
async function readPacked(
  content: Buffer,
  packing: keyof typeof SUFFIXES,
  sourcePath: string,
  rendering: Rendering,
): Promise<void> {
  if (isTar(content)) {
    rendering.facts['archive'] = `tar.${SUFFIXES[packing]}`;
    return readTar(content, rendering);
  }
  const name = packing === 'gzip' ? await storedName(sourcePath) : 'content';
  const entry = { name, bytes: content.length, kind: 'file', encrypted: false } as const;
  await addEntries([entry], rendering, () => Promise.resolve(content));
}

/** Takes what comes out of a packed stream, within the limits on how much and how much more than went in. */
class Inflated {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(private readonly packedBytes: number) {}

  /** Why it is too much, once it is. */
  problem: string | undefined;

  push(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    const { inflationRatio, ratioFreeBytes } = RENDER_LIMITS;
    if (this.#bytes > ratioFreeBytes && this.#bytes > this.packedBytes * inflationRatio)
      this.problem = `inflates over ${inflationRatio}-fold`;
    else if (this.#bytes > ARCHIVE_LIMITS.streamBytes)
      this.problem = `inflates to over ${ARCHIVE_LIMITS.streamBytes} bytes`;
    else this.#chunks.push(chunk);
    return this.problem === undefined;
  }

  /** Throws `Unreadable` where it was too much. */
  content(): Buffer {
    if (this.problem !== undefined) throw new Unreadable('refused', this.problem);
    return Buffer.concat(this.#chunks);
  }
}

async function inflateGzip(sourcePath: string): Promise<Buffer> {
  const inflated = new Inflated((await stat(sourcePath)).size);
  const source = createReadStream(sourcePath);
  const stream = source.pipe(createGunzip());
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) if (!inflated.push(chunk)) break;
  } catch (error) {
    throw new Unreadable('corrupt', `the gzip stream is broken: ${messageOf(error)}`);
  } finally {
    source.destroy();
    stream.destroy();
  }
  return inflated.content();
}

async function inflateByProgram(sourcePath: string): Promise<Buffer> {
  const inflated = new Inflated((await stat(sourcePath)).size);
  const end = await runProgram('bsdcat', [sourcePath], {
    onOutput: (chunk) => inflated.push(chunk),
  });
  const content = inflated.content();
  if (end.timedOut) throw new Unreadable('refused', 'unpacking was stopped at its time limit');
  if (end.exitCode !== 0)
    throw new Unreadable(
      'corrupt',
      `the packed stream is broken: ${end.standardError.trim().slice(0, 200)}`,
    );
  return content;
}

/** The name that the stream carries, without folders; `content` where it has none. */
async function storedName(sourcePath: string): Promise<string> {
  const head = (await readFile(sourcePath)).subarray(0, 1024);
  const flags = head[3] ?? 0;
  if ((flags & 8) === 0) return 'content';
  const from = (flags & 4) === 0 ? 10 : 12 + head.readUInt16LE(10);
  const end = head.indexOf(0, from);
  const name = end < 0 ? '' : basename(head.toString('latin1', from, end));
  return name === '' || name === '.' || name === '..' ? 'content' : name;
}

/** An archive that programs list and unpack. */
async function readWithProgram(
  sourcePath: string,
  archive: '7z' | 'rar',
  rendering: Rendering,
): Promise<void> {
  const list =
    archive === 'rar'
      ? listRar(await readFile(sourcePath))
      : { entries: await listSevenZip(sourcePath), problem: undefined };
  if (list.problem !== undefined) rendering.truncate(list.problem);
  const entries = list.entries.slice(0, ARCHIVE_LIMITS.listed);
  if (entries.length < list.entries.length)
    rendering.truncate(
      `the archive has ${list.entries.length} entries, ${ARCHIVE_LIMITS.listed} are listed`,
    );
  const files = entries.filter(({ kind }) => kind === 'file');
  const isLocked = files.length > 0 && files.every(({ encrypted }) => encrypted);
  const memberOf = isLocked ? undefined : await programMembers(sourcePath, entries);
  await addEntries(entries, rendering, (entry) => {
    const content = memberOf?.(entry);
    return content ? Promise.resolve(content) : Promise.reject(new Error('not unpacked'));
  });
  if (isLocked) throw new Unreadable('encrypted', 'every member of the archive needs a password');
}
