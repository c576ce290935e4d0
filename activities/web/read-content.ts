import { type IncomingMessage } from 'node:http';
import { PassThrough, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WebRefused } from './url-policy';

/** A server may compress although it was asked not to; each decoder once, and nothing else. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map(
  Object.entries({
    '': () => new PassThrough(),
    identity: () => new PassThrough(),
    gzip: () => createGunzip(),
    'x-gzip': () => createGunzip(),
    deflate: () => createInflate(),
    br: () => createBrotliDecompress(),
  }),
);

/**
 * The whole content, decoded. Ends as soon as more than `maxBytes` came, before or after decoding: a small answer that
 * unfolds without end costs no more than a large one. Throws `WebRefused`.
 */
export async function readContent(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined) {
    response.destroy();
    throw new WebRefused('unreachable', `the server answers in an encoding that is not read`);
  }
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > maxBytes) {
    response.destroy();
    throw tooLarge(maxBytes);
  }
  const chunks: Buffer[] = [];
  await pipeline(
    response,
    bounded(maxBytes),
    decoder(),
    bounded(maxBytes),
    async (decoded: AsyncIterable<Buffer>) => {
      for await (const chunk of decoded) chunks.push(chunk);
    },
    { signal },
  );
  return Buffer.concat(chunks);
}

function bounded(maxBytes: number) {
  return async function* (source: Readable): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  };
}

function tooLarge(maxBytes: number): WebRefused {
  return new WebRefused('too-large', `the content has more than ${maxBytes} bytes`);
}
