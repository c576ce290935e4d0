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
import { ARCHIVE_LIMITS, type ArchiveEntry } from './archive-entry';
import { isTar, readTar } from './read-tar';

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
      return readGzip(sourcePath, rendering);
    default:
      needed(context.tools);
      return listWithProgram(sourcePath, rendering);
  }
}

async function readGzip(sourcePath: string, rendering: Rendering): Promise<void> {
  const { size } = await stat(sourcePath);
  const content = await inflate(sourcePath, size);
  if (isTar(content)) {
    rendering.facts['archive'] = 'tar.gz';
    return readTar(content, rendering);
  }
  const name = await storedName(sourcePath);
  const entry = { name, bytes: content.length, kind: 'file', encrypted: false } as const;
  await addEntries([entry], rendering, () => Promise.resolve(content));
}

async function inflate(sourcePath: string, size: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const source = createReadStream(sourcePath);
  const stream = source.pipe(createGunzip());
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > RENDER_LIMITS.ratioFreeBytes && bytes > size * RENDER_LIMITS.inflationRatio)
        throw new Unreadable('refused', `inflates over ${RENDER_LIMITS.inflationRatio}-fold`);
      if (bytes > ARCHIVE_LIMITS.streamBytes)
        throw new Unreadable('refused', `inflates to over ${ARCHIVE_LIMITS.streamBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('corrupt', `the gzip stream is broken: ${messageOf(error)}`);
  } finally {
    source.destroy();
    stream.destroy();
  }
  return Buffer.concat(chunks);
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

/** The list of an archive that only an outside program can read; nothing is unpacked. */
async function listWithProgram(sourcePath: string, rendering: Rendering): Promise<void> {
  const end = await runProgram('bsdtar', ['-tvf', sourcePath], {
    environment: { LC_ALL: 'C.UTF-8' },
  });
  if (end.timedOut) throw new Unreadable('refused', 'the list was stopped at its time limit');
  const lines = end.standardOutput.toString('utf8').split('\n').filter(Boolean);
  const problem = end.standardError.trim().split('\n')[0] ?? '';
  if (/passphrase|encrypt/iu.test(problem))
    throw new Unreadable('encrypted', 'the archive needs a password');
  if (lines.length === 0)
    throw new Unreadable('corrupt', `the archive cannot be listed: ${problem.slice(0, 200)}`);
  if (lines.length > ARCHIVE_LIMITS.listed)
    rendering.truncate(`only the first ${ARCHIVE_LIMITS.listed} entries are listed`);
  await addEntries(
    lines.slice(0, ARCHIVE_LIMITS.listed).flatMap(listedEntry),
    rendering,
    undefined,
  );
  rendering.truncate('the members of this kind of archive are listed and not unpacked');
}

/** `-rw-r--r--  0 user group  12 Jan  1 00:00 name -> target`. */
function listedEntry(line: string): ArchiveEntry[] {
  const match = /^(.)\S{9}\s+\d+\s+\S+\s+\S+\s+(\d+)\s+\S+\s+\S+\s+\S+\s(.*)$/u.exec(line);
  if (!match) return [];
  const kind = { '-': 'file', d: 'folder', l: 'link', h: 'link' }[match[1] ?? ''] ?? 'other';
  return [
    {
      name: match[3] ?? '',
      bytes: Number(match[2]),
      kind: kind as ArchiveEntry['kind'],
      encrypted: false,
    },
  ];
}
