import { RENDER_LIMITS } from './limits';
import { Unreadable } from './rendering';

/** What a reader of a large part is told. Names are local; the attributes of a tag are read when asked for. */
export interface XmlHandlers {
  readonly open: (name: string, attributes: () => Record<string, string>) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
}

/** Longest tag, comment or entity that may be open at the end of a chunk. */
const MAX_TOKEN = 1024 * 1024;
const NAME = /^[^\s"'<>/=]+$/u;

/**
 * Reads parts of hundreds of megabytes about four times as fast as the parser for small parts, which this stands
 * in for: the same local names, the same refusals (DOCTYPE, depth, broken XML). Namespaces are not resolved: an
 * attribute `id` with a prefix is the relationship's (`r:id`). Throws `Unreadable`.
 */
export class FastXmlReader {
  private rest = '';
  private readonly stack: string[] = [];
  private isRooted = false;
  private attributeText = '';
  /** Names already looked at, with their local form: a part has few of them, and millions of uses. */
  private readonly names = new Map<string, string>();
  private readonly attributes = (): Record<string, string> => this.attributesOf(this.attributeText);

  constructor(
    private readonly part: string,
    private readonly handlers: XmlHandlers,
  ) {}

  write(chunk: string): void {
    const text = this.rest === '' ? chunk : this.rest + chunk;
    const end = this.read(text);
    this.rest = end === text.length ? '' : text.slice(end);
    if (this.rest.length > MAX_TOKEN)
      throw new Unreadable(
        'refused',
        `part ${this.part} has a tag of over ${MAX_TOKEN} characters`,
      );
  }

  close(): void {
    if (this.rest.trim() !== '' || this.stack.length > 0 || !this.isRooted)
      throw this.broken('it ends in the middle');
  }

  /** Reads whole tokens; returns where the first one that is not whole begins. */
  private read(text: string): number {
    let at = 0;
    for (;;) {
      const tag = text.indexOf('<', at);
      if (tag < 0) return this.readText(text, at);
      if (tag > at) this.emit(text.slice(at, tag));
      const end = this.readTag(text, tag);
      if (end < 0) return tag;
      at = end;
    }
  }

  /** Text at the end of a chunk: an entity that may be cut off waits for the next one. */
  private readText(text: string, from: number): number {
    const entity = text.lastIndexOf('&');
    const end = entity >= from && !text.includes(';', entity) ? entity : text.length;
    if (end > from) this.emit(text.slice(from, end));
    return end;
  }

  private emit(text: string): void {
    if (this.stack.length > 0) this.handlers.text(this.decode(text));
    else if (text.replace('\uFEFF', '').trim() !== '')
      throw this.broken('text outside of the root element');
  }

  /** Position behind the tag that begins there; negative when the chunk ends before it does. */
  private readTag(text: string, tag: number): number {
    switch (text.charCodeAt(tag + 1)) {
      case 47: {
        const end = text.indexOf('>', tag);
        if (end >= 0) this.closeTag(this.localName(text.slice(tag + 2, end).trimEnd()));
        return end < 0 ? -1 : end + 1;
      }
      case 33:
        return this.readDeclaration(text, tag);
      case 63: {
        const end = text.indexOf('?>', tag);
        return end < 0 ? -1 : end + 2;
      }
      default:
        return this.readOpenTag(text, tag);
    }
  }

  private readDeclaration(text: string, tag: number): number {
    if (text.startsWith('<!--', tag)) {
      const end = text.indexOf('-->', tag + 4);
      return end < 0 ? -1 : end + 3;
    }
    if (text.startsWith('<![CDATA[', tag)) {
      const end = text.indexOf(']]>', tag + 9);
      if (end < 0) return -1;
      if (this.stack.length > 0) this.handlers.text(text.slice(tag + 9, end));
      return end + 3;
    }
    if (text.length - tag < 9) return -1;
    if (text.startsWith('<!DOCTYPE', tag))
      throw new Unreadable('refused', `part ${this.part} declares a DOCTYPE`);
    throw this.broken('an unknown declaration');
  }

  private readOpenTag(text: string, tag: number): number {
    const end = endOfTag(text, tag + 1);
    if (end < 0) return -1;
    const isEmpty = text.charCodeAt(end - 1) === 47;
    const nameEnd = endOfName(text, tag + 1, isEmpty ? end - 1 : end);
    const raw = text.slice(tag + 1, nameEnd);
    if (this.stack.length === 0 && this.isRooted) throw this.broken('two root elements');
    this.isRooted = true;
    if (this.stack.length >= RENDER_LIMITS.xmlDepth)
      throw new Unreadable(
        'refused',
        `part ${this.part} is nested deeper than ${RENDER_LIMITS.xmlDepth}`,
      );
    const name = this.localName(raw);
    this.attributeText = text.slice(nameEnd, isEmpty ? end - 1 : end);
    this.handlers.open(name, this.attributes);
    if (isEmpty) this.handlers.close(name);
    else this.stack.push(name);
    return end + 1;
  }

  private closeTag(name: string): void {
    const open = this.stack.pop();
    if (open !== name) throw this.broken(`</${name}> closes ${open ?? 'nothing'}`);
    this.handlers.close(name);
  }

  private attributesOf(text: string): Record<string, string> {
    const attributes: Record<string, string> = {};
    let at = 0;
    for (;;) {
      const equals = text.indexOf('=', at);
      if (equals < 0) break;
      const raw = text.slice(at, equals).trim();
      let quote = equals + 1;
      while (text.charCodeAt(quote) <= 32) quote++;
      const mark = text[quote];
      const end = mark === '"' || mark === "'" ? text.indexOf(mark, quote + 1) : -1;
      if (end < 0) throw this.broken(`attribute ${raw.slice(0, 40)}`);
      this.addAttribute(attributes, raw, this.decode(text.slice(quote + 1, end)));
      at = end + 1;
    }
    if (text.slice(at).trim() !== '') throw this.broken('an attribute without a value');
    return attributes;
  }

  /** Unprefixed attributes win over prefixed ones of the same name. */
  private addAttribute(attributes: Record<string, string>, raw: string, value: string): void {
    const name = this.localName(raw);
    if (name === raw) {
      if (raw !== 'xmlns') attributes[raw] = value;
      return;
    }
    if (raw.startsWith('xmlns:')) return;
    if (name === 'id') attributes['r:id'] = value;
    attributes[name] ??= value;
  }

  private localName(raw: string): string {
    const known = this.names.get(raw);
    if (known !== undefined) return known;
    if (!isName(raw)) throw this.broken(`a name such as ${JSON.stringify(raw.slice(0, 40))}`);
    const name = raw.slice(raw.indexOf(':') + 1);
    if (this.names.size < 10_000) this.names.set(raw, name);
    return name;
  }

  private decode(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(/&([^;&]*)(;?)/gu, (_, name: string, semicolon: string) => {
      const character = semicolon === ';' ? characterOf(name) : undefined;
      if (character === undefined) throw this.broken(`entity &${name.slice(0, 20)};`);
      return character;
    });
  }

  private broken(what: string): Unreadable {
    return new Unreadable('corrupt', `part ${this.part} is broken XML: ${what}`);
  }
}

/** Nearly all names are plain letters; the others are looked at closely. */
function isName(name: string): boolean {
  return /^[A-Za-z_][\w:.-]*$/u.test(name) || (NAME.test(name) && !/^[\d.-]/u.test(name));
}

function endOfName(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) > 32) at++;
  return at;
}

/** Position of the `>` that ends a tag: one within quotes does not. */
function endOfTag(text: string, from: number): number {
  let quote = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 62) return at;
    else if (code === 34 || code === 39) quote = code;
  }
  return -1;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function characterOf(name: string): string | undefined {
  const number = /^#(?:x([0-9A-Fa-f]{1,6})|(\d{1,7}))$/u.exec(name);
  if (!number) return Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
