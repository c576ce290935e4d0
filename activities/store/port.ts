/** `open` may be read and written by agent hosts; `sealed` only by judge, workflow role and CLI. */
export type StoreScope = 'open' | 'sealed';

export interface BlobReference {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * The object store. Records are written once under a key; blobs are named by their digest.
 * Every method throws `Failure('StoreUnavailable')` when the store cannot be reached, after bounded retries.
 */
export interface ObjectStore {
  /** Shown to people: `file:DIR` or `s3://bucket/prefix`. */
  readonly description: string;
  /**
   * Proves on a probe object that this scope can be written and read, and that put-if-absent is honoured. Throws
   * `Failure('ConfigMissing')` if not. @default 'open'
   */
  verify(scope?: StoreScope): Promise<void>;
  /** Puts at most 1 MiB if the key is absent; the first writer wins. Durable when it resolves. */
  putRecord(key: string, content: Uint8Array | string): Promise<'created' | 'exists'>;
  /** `undefined` when absent. */
  getRecord(key: string): Promise<Uint8Array | undefined>;
  hasRecord(key: string): Promise<boolean>;
  /** Keys below the prefix, in order. */
  list(prefix: string): AsyncIterable<string>;
  putBlob(scope: StoreScope, content: Uint8Array): Promise<BlobReference>;
  putBlobFile(scope: StoreScope, path: string): Promise<BlobReference>;
  /** Checks the digest; throws `Failure('InvalidInput')` when absent or altered. */
  getBlob(scope: StoreScope, sha256: string): Promise<Uint8Array>;
  getBlobToFile(scope: StoreScope, sha256: string, path: string): Promise<void>;
  hasBlob(scope: StoreScope, sha256: string): Promise<boolean>;
}
