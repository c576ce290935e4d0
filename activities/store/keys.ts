import { Failure } from '../../core/failure';
import { storeKeys } from '../../core/ids';
import { type StoreScope } from './port';

/** Largest record, in bytes: a single buffer that goes over in one put. */
export const MAX_RECORD_BYTES = 1024 ** 2;

const MAX_KEY_BYTES = 900;
const MAX_PART_BYTES = 200;
const SHA256 = /^[0-9a-f]{64}$/u;

/**
 * Refuses keys that a folder or a bucket could read in another way: outside `open/` and `sealed/`, empty or dot
 * parts, control characters, back slashes, parts too long for a file name. Throws `Failure('InvalidInput')`.
 */
export function checkKey(key: string): void {
  const problem = problemOfKey(key);
  if (problem !== undefined)
    throw new Failure('InvalidInput', `store key ${JSON.stringify(key)}: ${problem}`);
}

function problemOfKey(key: string): string | undefined {
  const parts = key.split('/');
  if (parts[0] !== 'open' && parts[0] !== 'sealed') return 'must begin with open/ or sealed/';
  if (parts.length < 2) return 'names no record';
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `is longer than ${MAX_KEY_BYTES} bytes`;
  if (/[\p{Cc}\\]/u.test(key)) return 'holds a control character or a back slash';
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..') return 'holds an empty, . or .. part';
    if (Buffer.byteLength(part) > MAX_PART_BYTES)
      return `holds a part longer than ${MAX_PART_BYTES} bytes`;
  }
  return undefined;
}

/** A prefix to list: like a key, but it may end anywhere after `open/` or `sealed/`. */
export function checkPrefix(prefix: string): void {
  if (prefix === 'open/' || prefix === 'sealed/') return;
  checkKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}

/** Key of a blob. Throws `Failure('InvalidInput')` on anything but 64 hex digits. */
export function blobKey(scope: StoreScope, sha256: string): string {
  if (!SHA256.test(sha256))
    throw new Failure(
      'InvalidInput',
      `${JSON.stringify(sha256)} is not a sha256 in lower-case hex`,
    );
  return scope === 'open' ? storeKeys.openBlob(sha256) : storeKeys.sealedBlob(sha256);
}

/** The bytes of a record, within the size that one put can carry. */
export function recordBytes(key: string, content: Uint8Array | string): Buffer {
  // A stream would go over in parts, and put-if-absent does not hold for those.
  if (typeof content !== 'string' && !(content instanceof Uint8Array))
    throw new Failure('InvalidInput', `record ${key} must be text or bytes, never a stream`);
  const bytes =
    typeof content === 'string'
      ? Buffer.from(content, 'utf8')
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.byteLength > MAX_RECORD_BYTES)
    throw new Failure(
      'InvalidInput',
      `record ${key} has ${bytes.byteLength} bytes, more than ${MAX_RECORD_BYTES}: put the content as a blob and name it`,
    );
  return bytes;
}

/** Order of keys everywhere: by their UTF-8 bytes, as S3 lists them. */
export function compareKeys(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
