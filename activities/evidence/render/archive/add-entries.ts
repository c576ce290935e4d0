import { type Rendering } from '../rendering';
import { ARCHIVE_LIMITS, type ArchiveEntry, problemOf } from './archive-entry';

/** Longer names are cut in the list; their members are not unpacked. */
const MAX_NAME_LETTERS = 1_000;

/** Reads one member; `undefined` where it is longer than `maxBytes`. Rejects where it cannot be read. */
export type ReadMember<Entry> = (entry: Entry, maxBytes: number) => Promise<Uint8Array | undefined>;

/**
 * Lists every entry, a line each, and unpacks what may be: plain names, whole, within the limits on count and
 * bytes. What is not unpacked says why in its line.
 */
export async function addEntries<Entry extends ArchiveEntry>(
  entries: readonly Entry[],
  rendering: Rendering,
  read: ReadMember<Entry> | undefined,
): Promise<void> {
  const seen = new Set<string>();
  const lines = new Map<string, number>();
  let [unpackedBytes, left] = [0, 0];
  for (const entry of entries) {
    rendering.count(entry.kind === 'folder' ? 'folders' : 'members');
    if (entry.encrypted) rendering.count('encryptedMembers');
    const name = entry.name.normalize('NFC').toLowerCase();
    let problem = seen.has(name) ? 'a second entry of that name' : problemOf(entry);
    seen.add(name);
    if (problem === undefined && entry.kind === 'file' && read) {
      const room = ARCHIVE_LIMITS.unpackedBytes - unpackedBytes;
      if (rendering.members.length >= ARCHIVE_LIMITS.members || entry.bytes > room) {
        left++;
        problem = 'not unpacked: over the limits of an archive';
      } else {
        const member = await readWithin(entry, Math.min(room, ARCHIVE_LIMITS.memberBytes), read);
        if (typeof member === 'string') problem = member;
        else {
          unpackedBytes += member.length;
          rendering.members.push({ path: entry.name, content: member });
        }
      }
    }
    addLine(entry, problem, rendering, lines);
  }
  rendering.counts['unpackedMembers'] = rendering.members.length;
  if (left > 0) rendering.truncate(`${left} members are listed and not unpacked`);
  if (entries.length === 0) rendering.warn('the archive is empty');
}

async function readWithin<Entry extends ArchiveEntry>(
  entry: Entry,
  maxBytes: number,
  read: ReadMember<Entry>,
): Promise<Uint8Array | string> {
  try {
    return (await read(entry, maxBytes)) ?? `longer than ${maxBytes} bytes`;
  } catch {
    return 'cannot be unpacked: its data is broken';
  }
}

function addLine(
  entry: ArchiveEntry,
  problem: string | undefined,
  rendering: Rendering,
  lines: Map<string, number>,
): void {
  const size = entry.kind === 'file' ? `${entry.bytes} bytes` : entry.kind;
  const name = entry.name.slice(0, MAX_NAME_LETTERS);
  const number = (lines.get(name) ?? 0) + 1;
  lines.set(name, number);
  const line = [name, size, problem].filter(Boolean).join(' | ');
  const place = { kind: 'member', member: name } as const;
  rendering.addText(number === 1 ? place : { ...place, entry: number }, line);
}
