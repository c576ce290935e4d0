import { CompoundFile } from './outlook/compound-file';

/** A file that an office program has wrapped into an OLE object. */
export interface WrappedFile {
  /** The last step of its name; never empty, no way to anywhere. */
  readonly name: string;
  readonly content: Buffer;
}

/** The stream in which Windows' packager keeps a file with its name. */
const NATIVE = '\u0001Ole10Native';
/** Streams that are a file as it is: those of PDF readers, of office programs, of LibreOffice. */
const PLAIN = ['CONTENTS', 'Package', 'EmbeddedOdf', 'package_stream'] as const;

const MAX_NAME_LETTERS = 100;
const MAX_NAME_BYTES = 1_000;
/** Begins the packager's form; other programs keep the bare file behind its length. */
const PACKAGER_MARK = 2;

/** The file within an OLE object; `undefined` where there is none, or the object is broken. */
export function unwrapOle(bytes: Buffer): WrappedFile | undefined {
  try {
    const container = new CompoundFile(bytes);
    const streams = container.children(container.root);
    const native = streams.get(NATIVE);
    if (native?.isStream === true) return fromNative(container.content(native));
    for (const name of PLAIN) {
      const stream = streams.get(name);
      if (stream?.isStream === true && stream.bytes > 0)
        return { name: 'content', content: container.content(stream) };
    }
    return undefined;
  } catch {
    return undefined;
  }
}

/**
 * The packager's form: length of all, mark, label, path of the file, four bytes, path of a copy with its length, the
 * file with its length, and the three names once more in UTF-16.
 */
function fromNative(stream: Buffer): WrappedFile | undefined {
  if (stream.length < 6) return undefined;
  if (stream.readUInt16LE(4) !== PACKAGER_MARK)
    return { name: 'content', content: stream.subarray(4, 4 + stream.readUInt32LE(0)) };
  const reader = new Cursor(stream, 6);
  const label = reader.text();
  const path = reader.text();
  reader.skip(4);
  reader.block();
  const content = reader.block();
  if (!content) return undefined;
  reader.wideText();
  const [wideLabel, widePath] = [reader.wideText(), reader.wideText()];
  const names = [widePath, wideLabel, path, label].map((each) => plainName(each ?? ''));
  return { name: names.find((each) => each !== '') ?? 'content', content };
}

/** Reads forward; what leads beyond the end gives nothing from there on. */
class Cursor {
  constructor(
    private readonly bytes: Buffer,
    private at: number,
  ) {}

  skip(count: number): void {
    this.at += count;
  }

  /** Bytes up to a zero, in whatever code page the writer's system had. */
  text(): string {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) {
      this.at = this.bytes.length;
      return '';
    }
    const raw = this.bytes.subarray(this.at, Math.min(end, this.at + MAX_NAME_BYTES));
    this.at = end + 1;
    return decoded(raw);
  }

  /** A length and as many bytes; what a broken file has of them. */
  block(): Buffer | undefined {
    if (this.at + 4 > this.bytes.length) return undefined;
    const length = this.bytes.readUInt32LE(this.at);
    const from = this.at + 4;
    this.at = from + length;
    return this.bytes.subarray(from, from + length);
  }

  /** A length in letters and as many in UTF-16. */
  wideText(): string | undefined {
    if (this.at + 4 > this.bytes.length) return undefined;
    const from = this.at + 4;
    const end = from + this.bytes.readUInt32LE(this.at) * 2;
    this.at = end;
    return this.bytes.toString('utf16le', from, Math.min(end, from + MAX_NAME_BYTES));
  }
}

function decoded(raw: Buffer): string {
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(raw);
    } catch {
      // The next one.
    }
  }
  return raw.toString('latin1');
}

/** The last step of a path of any system, without signs that are none of a name; empty for `.` and the like. */
function plainName(path: string): string {
  const last = path.split(/[\\/:]/u).at(-1) ?? '';
  const name = last.slice(-MAX_NAME_LETTERS).replace(/\p{C}/gu, '').trim();
  return /^\.*$/u.test(name) ? '' : name;
}
