import { Unreadable } from './rendering';

/** What the parts of an office package may be written in. */
type XmlEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Bytes of a part that hold its byte order mark and its declaration. */
const HEAD_BYTES = 256;
/** Names under which UTF-8, a subset of it, and UTF-16 are declared. */
const READ = /^(?:utf-?8|us-ascii|ascii|utf-?16(?:le|be)?|unicode|ucs-2|iso-10646-ucs-2)$/iu;

/**
 * By the byte order mark, else by the zero bytes of the first characters, else UTF-8: then bytes tell more than a
 * declaration, which may name UTF-16 in a text that was written again as UTF-8. Throws `Unreadable` where the part is
 * in UTF-32, or its declaration names another encoding, whose letters UTF-8 would turn into others.
 */
function encodingOf(part: string, head: Buffer): XmlEncoding {
  const mark = head.subarray(0, 4).toString('hex');
  if (mark === '0000feff' || mark === 'fffe0000' || mark === '0000003c' || mark === '3c000000')
    throw unread(part, 'UTF-32');
  if (mark.startsWith('fffe') || /^3c00..00/u.test(mark)) return 'utf-16le';
  if (mark.startsWith('feff') || /^003c00/u.test(mark)) return 'utf-16be';
  const declared = /^(?:\xef\xbb\xbf)?<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'>]{1,40})["']/u.exec(
    head.toString('latin1'),
  )?.[1];
  if (declared !== undefined && !READ.test(declared)) throw unread(part, declared);
  return 'utf-8';
}

function unread(part: string, encoding: string): Unreadable {
  return new Unreadable(
    'unsupported',
    `part ${part} is in ${encoding}: parts of an office file are read in UTF-8 and UTF-16 only`,
  );
}

/** Decodes a part chunk by chunk, without its byte order mark. Throws `Unreadable` as soon as the encoding is known. */
export class XmlDecoder {
  private head: Buffer | undefined = Buffer.alloc(0);
  private decoder = new TextDecoder('utf-8');

  constructor(private readonly part: string) {}

  write(chunk: Buffer): string {
    if (this.head === undefined) return this.decoder.decode(chunk, { stream: true });
    this.head = Buffer.concat([this.head, chunk]);
    return this.head.length < HEAD_BYTES ? '' : this.begin();
  }

  end(): string {
    return this.begin() + this.decoder.decode();
  }

  private begin(): string {
    if (this.head === undefined) return '';
    const { head } = this;
    this.head = undefined;
    this.decoder = new TextDecoder(encodingOf(this.part, head.subarray(0, HEAD_BYTES)));
    return this.decoder.decode(head, { stream: true });
  }
}

/** The text of a whole part. Throws `Unreadable`. */
export function decodeXml(part: string, content: Buffer): string {
  const decoder = new XmlDecoder(part);
  return decoder.write(content) + decoder.end();
}

/** The part for a reader that knows UTF-8 only: unchanged where it is that, else written again. Throws `Unreadable`. */
export function asUtf8(part: string, content: Buffer): Buffer {
  if (encodingOf(part, content.subarray(0, HEAD_BYTES)) === 'utf-8') return content;
  return Buffer.from(decodeXml(part, content).replace(/^\s*<\?xml\s[^>]*\?>/u, ''));
}
