/** What an OLE container (the old binary office formats, and encrypted new ones) holds. */
export type CompoundKind = 'doc' | 'xls' | 'ppt' | 'msg' | 'encrypted' | 'unknown';

/** How much of the directory is looked at: 64 entries, streams of office programs come first. */
export const DIRECTORY_BYTES = 8 * 1024;

const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENTRY_BYTES = 128;

/** Where the container's directory begins; `undefined` for any other file. */
export function directoryOffset(head: Buffer): number | undefined {
  if (head.length < 512 || !head.subarray(0, 8).equals(MAGIC)) return undefined;
  const sectorBytes = 2 ** Math.min(head.readUInt16LE(0x1e), 16);
  return (head.readUInt32LE(0x30) + 1) * sectorBytes;
}

/** Tells by the names of its streams; in a damaged container, by names anywhere in the head. */
export function compoundKind(directory: Buffer, head: Buffer): CompoundKind {
  const names = streamNames(directory);
  const loose = head.toString('utf16le') + head.subarray(1).toString('utf16le');
  const has = (name: string): boolean => names.has(name) || loose.includes(name);
  if (has('EncryptedPackage') || has('EncryptionInfo')) return 'encrypted';
  if (names.has('WordDocument')) return 'doc';
  if (names.has('Workbook') || names.has('Book')) return 'xls';
  if (names.has('PowerPoint Document')) return 'ppt';
  if (names.has('__properties_version1.0')) return 'msg';
  return 'unknown';
}

function streamNames(directory: Buffer): Set<string> {
  const names = new Set<string>();
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const bytes = directory.readUInt16LE(at + 64);
    if (bytes >= 4 && bytes <= 64) names.add(directory.toString('utf16le', at, at + bytes - 2));
  }
  return names;
}
