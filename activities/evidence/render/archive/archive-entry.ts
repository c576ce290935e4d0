import { RENDER_LIMITS } from '../limits';

/** Bounds on what of an archive is listed and unpacked. */
export const ARCHIVE_LIMITS = {
  listed: 10_000,
  members: 100,
  memberBytes: 64 * 1024 * 1024,
  unpackedBytes: 128 * 1024 * 1024,
  /** Bytes of a compressed stream that are looked at. */
  streamBytes: 256 * 1024 * 1024,
} as const;

export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: number;
  /** Size within the archive, where its format tells. */
  readonly storedBytes?: number;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  readonly encrypted: boolean;
}

/** Why an entry is listed only; `undefined` for one that may be unpacked. */
export function problemOf(entry: ArchiveEntry): string | undefined {
  if (entry.kind === 'link') return 'a link; not followed';
  if (entry.kind === 'other') return 'not a file';
  if (entry.encrypted) return 'encrypted';
  if (!isPlainPath(entry.kind === 'folder' ? entry.name.replace(/\/$/u, '') : entry.name))
    return 'its name is no path within the archive';
  if (isClutter(entry.name)) return 'left by an operating system';
  if (entry.bytes > ARCHIVE_LIMITS.memberBytes) return `over ${ARCHIVE_LIMITS.memberBytes} bytes`;
  const { storedBytes, bytes } = entry;
  if (
    storedBytes !== undefined &&
    bytes > RENDER_LIMITS.ratioFreeBytes &&
    bytes > storedBytes * RENDER_LIMITS.inflationRatio
  )
    return `inflates ${Math.round(bytes / Math.max(1, storedBytes))}-fold, over ${RENDER_LIMITS.inflationRatio}`;
  return undefined;
}

/** Folders and a name, nothing that leads elsewhere or means two things. */
export function isPlainPath(name: string): boolean {
  if (name.length > 1_000 || /[\0-\x1f\x7f\\]/u.test(name) || /^[A-Za-z]:/u.test(name))
    return false;
  return name.split('/').every((step) => step !== '' && step !== '.' && step !== '..');
}

function isClutter(name: string): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/u.test(name);
}
