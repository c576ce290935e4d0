import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { describeSystemError } from './system-error';

/** More than any file that a person writes. */
const MAX_BYTES = 8 * 1024 ** 2;

/** The whole of a UTF-8 file, or in a few words why it cannot be used; both follow the file's name. */
export type ReadText = { readonly text: string } | { readonly problem: string };

interface ReadTextOptions {
  /** A larger file is not read. @default 8 MiB */
  readonly maxBytes?: number;
  /** True where the file comes with a folder of somebody else's: what a link points at is not part of it. */
  readonly refuseLinks?: boolean;
}

export function readText(path: string, options: ReadTextOptions = {}): ReadText {
  const { maxBytes = MAX_BYTES, refuseLinks = false } = options;
  let descriptor: number | undefined;
  try {
    if (refuseLinks && lstatSync(path).isSymbolicLink())
      return { problem: `is a link to ${readlinkSync(path)}: put the file itself there` };
    // Opening a pipe without a writer would wait for ever.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = fstatSync(descriptor);
    if (facts.isDirectory()) return { problem: 'is a folder, where a file is needed' };
    if (!facts.isFile()) return { problem: 'is not a plain file: write a file in its place' };
    const bytes = readAtMost(descriptor, maxBytes);
    if (bytes === undefined) return { problem: `has more than ${maxBytes} bytes` };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    return { problem: problemOf(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Not by the size that the system states: files of /proc have none. */
function readAtMost(descriptor: number, maxBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let total = 0; total <= maxBytes;) {
    const chunk = Buffer.alloc(64 * 1024);
    const count = readSync(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  return undefined;
}

function problemOf(error: unknown): string {
  const { code } = error as { readonly code?: string };
  if (code === 'ENOENT') return 'is missing';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
    return 'is not UTF-8 text: save it in that encoding';
  if (code === 'ERR_INVALID_ARG_VALUE') return 'cannot be the name of a file';
  return `cannot be read: ${describeSystemError(error) ?? String(error)}`;
}
