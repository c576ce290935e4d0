import { randomUUID } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fsync,
  linkSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Failure } from '../../core/failure';
import { absentBlob, checkDigest, copyWithDigest, sha256Hex, streamToFile } from './digest';
import { codeOf, judgeFileError } from './file-errors';
import { FolderSync } from './folder-sync';
import { blobKey, checkKey, checkPrefix, compareKeys, MAX_RECORD_BYTES, recordBytes } from './keys';
import { type BlobReference, type ObjectStore, type StoreScope } from './port';
import { withRetries } from './retry';

/** Temporary files older than this were left by a process that is dead. */
const STALE_TEMPORARY_MS = 24 * 3_600_000;

const sync = promisify(fsync);
const writeWhole = promisify(writeFile);

/**
 * The store in a folder, for one machine. A record is written to a temporary file, fsynced, linked to its name
 * (link fails where the name exists; rename would overwrite), and the folder is fsynced: a reader sees the whole
 * record or none, whoever is killed when.
 *
 * Records and names are small and in the kernel's memory: asking for them at once takes microseconds, the way over
 * Node's thread pool thirty times as long (docs/decisions/0079). Only what may wait for the disk is waited for:
 * fsync, and content without a bound.
 */
export class FileStore implements ObjectStore {
  readonly description: string;
  private readonly root: string;
  private readonly folders: FolderSync;

  constructor(folder: string) {
    this.root = resolve(folder);
    this.description = `file:${this.root}`;
    this.folders = new FolderSync(this.root);
  }

  async verify(scope: StoreScope = 'open'): Promise<void> {
    await this.guard('make the folder', () => this.folders.ensure(this.temporary));
    await this.removeStaleTemporaries();
    const key = `${scope}/probes/${randomUUID()}`;
    const first = await this.putRecord(key, 'first');
    const second = await this.putRecord(key, 'second');
    const kept = await this.getRecord(key);
    await rm(this.pathOf(key), { force: true });
    if (first !== 'created' || second !== 'exists' || kept?.toString() !== 'first')
      throw new Failure(
        'ConfigMissing',
        `the store ${this.description} does not keep the first writer's record: choose a folder on a local disk`,
      );
  }

  async putRecord(key: string, content: Uint8Array | string): Promise<'created' | 'exists'> {
    checkKey(key);
    const bytes = recordBytes(key, content);
    return this.guard(`put ${key}`, () => this.publish(key, (path) => writeDurably(path, bytes)));
  }

  async getRecord(key: string): Promise<Buffer | undefined> {
    checkKey(key);
    return this.guard(`get ${key}`, async () => {
      const path = this.pathOf(key);
      // Most questions are for what is not there yet, where an exception costs more than this look.
      if (lookAt(path) === undefined) return undefined;
      return absentAsUndefined(async () => readFileSync(path));
    });
  }

  async hasRecord(key: string): Promise<boolean> {
    checkKey(key);
    const found = await this.guard(`look for ${key}`, async () => lookAt(this.pathOf(key)));
    return found?.isFile() ?? false;
  }

  async *list(prefix: string): AsyncIterable<string> {
    checkPrefix(prefix);
    yield* this.listFolder(prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix);
  }

  async putBlob(scope: StoreScope, content: Uint8Array): Promise<BlobReference> {
    const reference = { sha256: sha256Hex(content), bytes: content.byteLength };
    const key = blobKey(scope, reference.sha256);
    if (await this.keepsBlob(key)) return reference;
    await this.guard(`put blob ${key}`, () =>
      this.publish(key, (path) => writeDurably(path, content)),
    );
    return reference;
  }

  async putBlobFile(scope: StoreScope, path: string): Promise<BlobReference> {
    return this.guard(`put blob from ${path}`, async () => {
      // Copied and hashed in one pass: the file may change under us, the blob must match its name.
      const temporary = await this.newTemporary();
      try {
        const reference = await copyWithDigest(createReadStream(path), temporary);
        const key = blobKey(scope, reference.sha256);
        if (await this.keepsBlob(key)) return reference;
        await syncFile(temporary);
        await this.linkInto(key, temporary);
        return reference;
      } finally {
        removeIfThere(temporary);
      }
    });
  }

  async getBlob(scope: StoreScope, sha256: string): Promise<Buffer> {
    const key = blobKey(scope, sha256);
    const content = await this.guard(`get blob ${key}`, () =>
      absentAsUndefined(() => readFile(this.pathOf(key))),
    );
    if (content === undefined) throw absentBlob(key, this.description);
    checkDigest(key, sha256, content);
    return content;
  }

  async getBlobToFile(scope: StoreScope, sha256: string, path: string): Promise<void> {
    const key = blobKey(scope, sha256);
    if (!(await this.hasBlob(scope, sha256))) throw absentBlob(key, this.description);
    await this.guard(`get blob ${key} to ${path}`, () =>
      streamToFile(key, sha256, createReadStream(this.pathOf(key)), path),
    );
  }

  async hasBlob(scope: StoreScope, sha256: string): Promise<boolean> {
    return this.hasRecord(blobKey(scope, sha256));
  }

  private get temporary(): string {
    return join(this.root, 'tmp');
  }

  private pathOf(key: string): string {
    return join(this.root, key);
  }

  /** True when the blob is there for good. A name that is already there may still wait for its folder's sync. */
  private async keepsBlob(key: string): Promise<boolean> {
    if (!(await this.hasRecord(key))) return false;
    await this.guard(`sync ${key}`, () => this.folders.flush(dirname(this.pathOf(key))));
    return true;
  }

  private async newTemporary(): Promise<string> {
    await this.folders.ensure(this.temporary);
    return join(this.temporary, `${process.pid}-${randomUUID()}`);
  }

  private async publish(
    key: string,
    write: (path: string) => Promise<void>,
  ): Promise<'created' | 'exists'> {
    try {
      return await this.publishOnce(key, write);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      // A folder that we remember was removed meanwhile.
      this.folders.forget(this.temporary);
      this.folders.forget(dirname(this.pathOf(key)));
      return await this.publishOnce(key, write);
    }
  }

  private async publishOnce(
    key: string,
    write: (path: string) => Promise<void>,
  ): Promise<'created' | 'exists'> {
    const temporary = await this.newTemporary();
    try {
      await write(temporary);
      return await this.linkInto(key, temporary);
    } finally {
      removeIfThere(temporary);
    }
  }

  private async linkInto(key: string, temporary: string): Promise<'created' | 'exists'> {
    const path = this.pathOf(key);
    const folder = dirname(path);
    await this.folders.ensure(folder);
    let outcome: 'created' | 'exists' = 'created';
    try {
      linkSync(temporary, path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      outcome = 'exists';
    }
    await this.folders.flush(folder);
    return outcome;
  }

  /** Entries in the order of whole keys: a folder sorts as its name plus `/`. */
  private async *listFolder(folderKey: string, prefix: string): AsyncIterable<string> {
    const entries = await this.guard(`list ${prefix}`, () =>
      absentAsUndefined(() => readdir(this.pathOf(folderKey), { withFileTypes: true })),
    );
    const keys = (entries ?? [])
      .map((entry) => `${folderKey}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .filter((key) => key.startsWith(prefix) || prefix.startsWith(key))
      .sort(compareKeys);
    for (const key of keys) {
      if (key.endsWith('/')) yield* this.listFolder(key, prefix);
      else yield key;
    }
  }

  private async removeStaleTemporaries(): Promise<void> {
    for (const name of await readdir(this.temporary)) {
      const path = join(this.temporary, name);
      const found = await absentAsUndefined(() => stat(path));
      if (found !== undefined && Date.now() - found.mtimeMs > STALE_TEMPORARY_MS)
        await rm(path, { force: true });
    }
  }

  private guard<Result>(what: string, operation: () => Promise<Result>): Promise<Result> {
    return withRetries(`${what} in ${this.description}`, operation, (error) =>
      judgeFileError(error, `${what} in ${this.description}`),
    );
  }
}

async function absentAsUndefined<Result>(look: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await look();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Below the name of a record there is nothing.
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // On a disk that was made read-only the error of the write says more.
    if (!['ENOENT', 'EROFS'].includes(codeOf(error) ?? '')) throw error;
  }
}

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const file = openSync(path, 'wx', 0o600);
  try {
    if (content.byteLength <= MAX_RECORD_BYTES) writeFileSync(file, content);
    else await writeWhole(file, content);
    await sync(file);
  } finally {
    closeSync(file);
  }
}

async function syncFile(path: string): Promise<void> {
  const file = openSync(path, 'r+');
  try {
    await sync(file);
  } finally {
    closeSync(file);
  }
}
