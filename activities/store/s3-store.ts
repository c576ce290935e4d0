import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { type Readable } from 'node:stream';
import { type Client } from 'minio';
import { Failure } from '../../core/failure';
import { absentBlob, checkDigest, digestFile, sha256Hex, streamToFile } from './digest';
import { blobKey, checkKey, checkPrefix, compareKeys, recordBytes } from './keys';
import { type BlobReference, type ObjectStore, type StoreScope } from './port';
import { withRetries } from './retry';
import { isAbsent, isPreconditionFailed, judgeS3Error } from './s3-errors';

/**
 * The store in a bucket, for many machines. Records are single puts with `If-None-Match: *`; multipart puts
 * overwrite silently, so records are never streams. A put repeated after a lost reply meets its own record and
 * says `exists`: callers read back and adopt.
 */
export class S3Store implements ObjectStore {
  readonly description: string;

  /** `prefix` is empty or ends with `/`. */
  constructor(
    private readonly client: Client,
    private readonly bucket: string,
    private readonly prefix: string,
    private readonly endpoint: string,
  ) {
    this.description = `s3://${bucket}/${prefix.replace(/\/$/u, '')}`;
  }

  async verify(scope: StoreScope = 'open'): Promise<void> {
    const key = `${scope}/probes/${randomUUID()}`;
    // Where listing is forbidden an absent object answers 403 instead of 404: better found out now.
    await this.hasRecord(key);
    const first = await this.putRecord(key, 'first');
    const second = await this.putRecord(key, 'second');
    const kept = await this.getRecord(key);
    await this.guard('remove the probe', () =>
      this.client.removeObject(this.bucket, this.nameOf(key)),
    );
    // `exists` at the first put is our own put, answered only at the second try.
    if (second !== 'exists' || kept?.toString() !== 'first')
      throw new Failure(
        'ConfigMissing',
        `the store ${this.description} ignores If-None-Match (first put: ${first}, second put: ${second}): ` +
          'records would be overwritten; use a server that honours conditional puts',
      );
  }

  async putRecord(key: string, content: Uint8Array | string): Promise<'created' | 'exists'> {
    checkKey(key);
    const bytes = recordBytes(key, content);
    return this.guard(`put ${key}`, async () => {
      try {
        await this.client.putObject(this.bucket, this.nameOf(key), bytes, bytes.byteLength, {
          'If-None-Match': '*',
        });
        return 'created' as const;
      } catch (error) {
        if (isPreconditionFailed(error)) return 'exists' as const;
        throw error;
      }
    });
  }

  async getRecord(key: string): Promise<Buffer | undefined> {
    checkKey(key);
    return this.guard(`get ${key}`, () => this.read(key));
  }

  async hasRecord(key: string): Promise<boolean> {
    checkKey(key);
    return this.guard(`look for ${key}`, async () => {
      try {
        await this.client.statObject(this.bucket, this.nameOf(key));
        return true;
      } catch (error) {
        if (isAbsent(error)) return false;
        throw error;
      }
    });
  }

  async *list(prefix: string): AsyncIterable<string> {
    checkPrefix(prefix);
    const keys = await this.guard(`list ${prefix}`, async () => {
      const found: string[] = [];
      const stream = this.client.listObjectsV2(this.bucket, this.nameOf(prefix), true);
      for await (const entry of stream as AsyncIterable<{ name?: string }>)
        if (entry.name !== undefined) found.push(entry.name.slice(this.prefix.length));
      return found;
    });
    // Servers that keep folders inside list `a/b` before `a-b`.
    yield* keys.sort(compareKeys);
  }

  async putBlob(scope: StoreScope, content: Uint8Array): Promise<BlobReference> {
    const reference = { sha256: sha256Hex(content), bytes: content.byteLength };
    const key = blobKey(scope, reference.sha256);
    if (await this.hasRecord(key)) return reference;
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    await this.guard(`put blob ${key}`, () =>
      this.client.putObject(this.bucket, this.nameOf(key), bytes, bytes.byteLength),
    );
    return reference;
  }

  async putBlobFile(scope: StoreScope, path: string): Promise<BlobReference> {
    const reference = await this.guard(`read ${path}`, () => digestFile(path));
    const key = blobKey(scope, reference.sha256);
    if (await this.hasRecord(key)) return reference;
    await this.guard(`put blob ${key} from ${path}`, async () => {
      const { size } = await stat(path);
      if (size !== reference.bytes)
        throw new Failure('InvalidInput', `${path} changed while it was stored; store it again`);
      await this.client.putObject(this.bucket, this.nameOf(key), createReadStream(path), size);
    });
    return reference;
  }

  async getBlob(scope: StoreScope, sha256: string): Promise<Buffer> {
    const key = blobKey(scope, sha256);
    const content = await this.guard(`get blob ${key}`, () => this.read(key));
    if (content === undefined) throw absentBlob(key, this.description);
    checkDigest(key, sha256, content);
    return content;
  }

  async getBlobToFile(scope: StoreScope, sha256: string, path: string): Promise<void> {
    const key = blobKey(scope, sha256);
    await this.guard(`get blob ${key} to ${path}`, async () => {
      let stream: Readable;
      try {
        stream = await this.client.getObject(this.bucket, this.nameOf(key));
      } catch (error) {
        if (isAbsent(error)) throw absentBlob(key, this.description);
        throw error;
      }
      await streamToFile(key, sha256, stream, path);
    });
  }

  async hasBlob(scope: StoreScope, sha256: string): Promise<boolean> {
    return this.hasRecord(blobKey(scope, sha256));
  }

  private nameOf(key: string): string {
    return this.prefix + key;
  }

  private async read(key: string): Promise<Buffer | undefined> {
    try {
      const stream = await this.client.getObject(this.bucket, this.nameOf(key));
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  private guard<Result>(what: string, operation: () => Promise<Result>): Promise<Result> {
    const where = `${what} in ${this.description}`;
    // When every try failed it may be the wrong server.
    const tried = `${where} (${this.endpoint}; STARTUPBENCH_S3_ENDPOINT)`;
    return withRetries(tried, operation, (error) => judgeS3Error(error, where));
  }
}
