import { type Readable } from 'node:stream';
import { type Rendering, Unreadable } from '../rendering';
import { addEntries } from './add-entries';
import { ARCHIVE_LIMITS } from './archive-entry';
import { type ZipDirectory } from './zip-directory';

/** A zip archive: its list, and its members unpacked. Throws `Unreadable`. */
export async function readZip(zip: ZipDirectory, rendering: Rendering): Promise<void> {
  rendering.facts['archive'] = 'zip';
  const { entries, total, comment } = zip;
  if (total > entries.length)
    rendering.truncate(`the archive has ${total} entries, ${ARCHIVE_LIMITS.listed} are listed`);
  const files = entries.filter(({ kind }) => kind === 'file');
  await addEntries(entries, rendering, async (entry, maxBytes) =>
    readBounded(await zip.open(entry), maxBytes),
  );
  if (comment !== '')
    rendering.addText({ kind: 'file' }, comment, { cause: 'metadata', label: 'archive comment' });
  if (files.length > 0 && files.every(({ encrypted }) => encrypted))
    throw new Unreadable('encrypted', 'every member of the archive needs a password');
}

/** The whole stream, or `undefined` where it is longer; no more than that is ever held. */
export async function readBounded(stream: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return undefined;
      chunks.push(chunk);
    }
  } finally {
    stream.destroy();
  }
  return Buffer.concat(chunks);
}
