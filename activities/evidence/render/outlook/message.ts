import { textIn } from '../email/mime';
import { type CompoundEntry, type CompoundFile } from './compound-file';

/** Properties by the numbers that Outlook gives them. */
export const PROPERTY = {
  messageClass: 0x001a,
  subject: 0x0037,
  submitted: 0x0039,
  transportHeaders: 0x007d,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  delivered: 0x0e06,
  body: 0x1000,
  packedRtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  address: 0x3003,
  attachmentData: 0x3701,
  shortFileName: 0x3704,
  longFileName: 0x3707,
  smtpAddress: 0x39fe,
  internetCodePage: 0x3fde,
  codePage: 0x3ffd,
  senderSmtpAddress: 0x5d01,
} as const;

const MAX_NAME_BYTES = 8 * 1024;
/** More than a view holds, so that what is cut off is said there. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

const [TEXT_8_BIT, TEXT_UNICODE, BINARY, OBJECT] = ['001E', '001F', '0102', '000D'];

/** A message, a recipient or an attachment: a storage whose streams are properties. */
export class PropertyStorage {
  readonly #children: Map<string, CompoundEntry>;
  readonly #fixed: Buffer;

  /** @param headerBytes of the list of fixed properties: 32 for a message, 24 for one within, 8 otherwise */
  constructor(
    private readonly file: CompoundFile,
    storage: CompoundEntry,
    headerBytes: 8 | 24 | 32,
    private readonly charset?: string,
  ) {
    this.#children = file.children(storage);
    const list = this.#children.get('__properties_version1.0');
    this.#fixed = (list ? file.content(list, MAX_NAME_BYTES) : Buffer.alloc(0)).subarray(
      headerBytes,
    );
  }

  /** Storages within whose name begins so, in the order of their numbers. */
  storages(prefix: string): CompoundEntry[] {
    return [...this.#children.values()]
      .filter(({ name, isStream }) => !isStream && name.startsWith(prefix))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  /** A name, an address or a subject; `long`: a body. */
  text(property: number, length: 'short' | 'long' = 'short'): string | undefined {
    const most = length === 'short' ? MAX_NAME_BYTES : MAX_BODY_BYTES;
    const unicode = this.#stream(property, TEXT_UNICODE);
    if (unicode) return withoutEnd(this.file.content(unicode, most).toString('utf16le'));
    const old = this.#stream(property, TEXT_8_BIT);
    const charset = this.charset ?? this.charsetOf();
    return old && withoutEnd(textIn(this.file.content(old, most), charset));
  }

  binary(property: number): CompoundEntry | undefined {
    return this.#stream(property, BINARY);
  }

  /** A message or another object within an attachment. */
  object(property: number): CompoundEntry | undefined {
    const entry = this.#children.get(streamName(property, OBJECT));
    return entry?.isStream === false ? entry : undefined;
  }

  number(property: number): number | undefined {
    const at = this.#place(property, 0x0003);
    return at === undefined ? undefined : this.#fixed.readUInt32LE(at);
  }

  /** As ISO 8601, UTC. */
  time(property: number): string | undefined {
    const at = this.#place(property, 0x0040);
    if (at === undefined) return undefined;
    // In tenths of microseconds since 1601.
    const time = Number(this.#fixed.readBigUInt64LE(at)) / 10_000 - 11_644_473_600_000;
    return Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : undefined;
  }

  /** The encoding of texts and of HTML that name none. */
  charsetOf(property: number = PROPERTY.codePage): string | undefined {
    const page = this.number(property);
    if (page === undefined) return undefined;
    const known: Readonly<Record<number, string>> = {
      ...{ 932: 'shift_jis', 936: 'gb18030', 949: 'euc-kr', 950: 'big5' },
      ...{ 20936: 'gb18030', 54936: 'gb18030', 65001: 'utf-8' },
    };
    return known[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : undefined);
  }

  #stream(property: number, type = ''): CompoundEntry | undefined {
    const entry = this.#children.get(streamName(property, type));
    return entry?.isStream === true ? entry : undefined;
  }

  /** Entries of 16 bytes: type, property, flags, value. */
  #place(property: number, type: number): number | undefined {
    for (let at = 0; at + 16 <= this.#fixed.length; at += 16)
      if (this.#fixed.readUInt16LE(at) === type && this.#fixed.readUInt16LE(at + 2) === property)
        return at + 8;
    return undefined;
  }
}

function streamName(property: number, type = ''): string {
  return `__substg1.0_${property.toString(16).toUpperCase().padStart(4, '0')}${type}`;
}

function withoutEnd(text: string): string {
  return text.replace(/\0+$/u, '');
}
