import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../../core/failure';
import { type BlobReference } from './port';

/** sha256 of a text or of bytes, in lower-case hex. */
export function sha256Hex(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Throws when `content` is not what its name says. */
export function checkDigest(key: string, sha256: string, content: Uint8Array): void {
  const found = sha256Hex(content);
  if (found !== sha256) throw alteredBlob(key, found);
}

function alteredBlob(key: string, found: string): Failure {
  return new Failure(
    'InvalidInput',
    `blob ${key} was altered: its content has sha256 ${found}; restore it from a copy`,
  );
}

export function absentBlob(key: string, description: string): Failure {
  return new Failure('InvalidInput', `blob ${key} is not in the store ${description}`);
}

/** Digest and size of a file, read as a stream. */
export async function digestFile(path: string): Promise<BlobReference> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    const piece = chunk as Buffer;
    hash.update(piece);
    bytes += piece.byteLength;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Copies `from` to the new file `to` and returns the digest of exactly the bytes that were written. */
export async function copyWithDigest(from: Readable, to: string): Promise<BlobReference> {
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      done(null, chunk);
    },
  });
  await pipeline(from, meter, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  return { sha256: hash.digest('hex'), bytes };
}

/** Writes a blob's stream to `path`; nothing lies there unless the digest is right. */
export async function streamToFile(
  key: string,
  sha256: string,
  from: Readable,
  path: string,
): Promise<void> {
  const partial = `${path}.partial-${randomUUID()}`;
  try {
    const written = await copyWithDigest(from, partial);
    if (written.sha256 !== sha256) throw alteredBlob(key, written.sha256);
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}
