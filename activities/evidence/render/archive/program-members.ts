import { crc32 } from 'node:zlib';
import { runProgram } from '../program';
import { ARCHIVE_LIMITS, type ArchiveEntry } from './archive-entry';
import { type SplitMember, TarSplitter } from './tar-splitter';

/** An entry of an archive that a program unpacks. */
export interface ProgramEntry extends ArchiveEntry {
  /** Of the content, where the archive states it. */
  readonly crc32?: number;
}

/** Bytes that may come out of an archive, those that are passed over too. */
const STREAM_BYTES = 2 * 1024 ** 3;
const ADDRESS_SPACE = 700 * 1024 * 1024;

/**
 * The members of an archive that bsdtar reads: it writes them all as one tar stream, nothing touches a disk. What is
 * too long is passed over. Members are given by the list that was read before, and held against its checksums.
 */
export async function programMembers(
  sourcePath: string,
  entries: readonly ProgramEntry[],
): Promise<(entry: ProgramEntry) => Buffer | undefined> {
  const splitter = new TarSplitter({
    memberBytes: ARCHIVE_LIMITS.memberBytes,
    totalBytes: ARCHIVE_LIMITS.unpackedBytes,
    streamBytes: STREAM_BYTES,
  });
  await runProgram(
    'prlimit',
    [`--as=${ADDRESS_SPACE}`, 'bsdtar', '-cf', '-', '--format', 'pax', `@${sourcePath}`],
    { environment: { LC_ALL: 'C.UTF-8' }, onOutput: (chunk) => splitter.push(chunk) },
  );
  const byName = new Map<string, SplitMember[]>();
  for (const member of splitter.members)
    byName.set(member.name, [...(byName.get(member.name) ?? []), member]);
  const byIndex = new Map(splitter.members.map((member) => [member.index, member]));
  const placeOf = new Map(entries.map((entry, index) => [entry, index]));
  return (entry) => {
    // Where the two readers of the list spell a name in two ways, its place tells.
    const named = byName.get(entry.name)?.shift();
    const member = named ?? byIndex.get(placeOf.get(entry) ?? -1);
    const isWhole =
      member?.content.length === entry.bytes &&
      (entry.crc32 === undefined ? named !== undefined : crc32(member.content) === entry.crc32);
    return isWhole ? member.content : undefined;
  };
}
