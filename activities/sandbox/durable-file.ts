import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that exists once and for all: the first writer wins, and what it wrote survives a crash when this
 * resolves. Returns false when the file was there already.
 */
export async function writeOnce(path: string, content: string, mode = 0o600): Promise<boolean> {
  const part = await writePart(path, content, mode);
  try {
    await link(part, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(part, { force: true });
    await syncFolder(dirname(path));
  }
}

/** Replaces a file as a whole: a reader sees the old or the new content, also after a crash. */
export async function replaceFile(path: string, content: string, mode = 0o600): Promise<void> {
  const part = await writePart(path, content, mode);
  await rename(part, path);
  await syncFolder(dirname(path));
}

async function writePart(path: string, content: string, mode: number): Promise<string> {
  const part = `${path}.${randomUUID()}.part`;
  const file = await open(part, 'wx', mode);
  try {
    await file.chmod(mode);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return part;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Closes over the whole life of an open file. */
export async function withFile<T>(
  opening: Promise<FileHandle>,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await opening;
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** By shape: an error of another realm (a test runner's) is no instance of this one's `Error`. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    codes.includes(String(error.code))
  );
}
