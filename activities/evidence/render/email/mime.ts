import { decodeText } from '../decode-text';

export interface MimeHeader {
  readonly name: string;
  readonly value: string;
}

/** A part of a mail: headers, and either parts of its own or a body. */
export interface MimePart {
  readonly headers: readonly MimeHeader[];
  readonly type: string;
  readonly fileName: string | undefined;
  readonly isAttachment: boolean;
  readonly body: Buffer;
  readonly charset: string | undefined;
  readonly parts: readonly MimePart[];
}

const MAX_DEPTH = 8;
const MAX_PARTS = 500;

/** What reading one mail may still take. */
export interface MimeBudget {
  parts: number;
  /** Parts were too many or too deep, and some are not read. */
  isExceeded: boolean;
}

export function mimeBudget(): MimeBudget {
  return { parts: MAX_PARTS, isExceeded: false };
}

/** Reads a mail or a saved web page. Lenient: what is broken reads as far as it goes. */
export function parseMime(bytes: Buffer, budget = mimeBudget(), depth = 0): MimePart {
  budget.parts--;
  const { headers, body } = splitHeaders(bytes);
  const content = parameters(valueOf(headers, 'content-type') ?? 'text/plain');
  const disposition = parameters(valueOf(headers, 'content-disposition') ?? '');
  const boundary = content.fields.get('boundary');
  const isMultipart = content.value.startsWith('multipart/') && boundary !== undefined;
  const parts: MimePart[] = [];
  if (isMultipart && depth < MAX_DEPTH)
    for (const part of splitParts(body, boundary))
      if (budget.parts > 0) parts.push(parseMime(part, budget, depth + 1));
      else {
        budget.isExceeded = true;
        break;
      }
  else if (isMultipart) budget.isExceeded = true;
  return {
    headers,
    type: content.value,
    fileName: disposition.fields.get('filename') ?? content.fields.get('name'),
    isAttachment: disposition.value === 'attachment',
    charset: content.fields.get('charset'),
    body: isMultipart
      ? Buffer.alloc(0)
      : decodeBody(body, valueOf(headers, 'content-transfer-encoding') ?? ''),
    parts,
  };
}

export function valueOf(headers: readonly MimeHeader[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}

function splitHeaders(bytes: Buffer): { headers: MimeHeader[]; body: Buffer } {
  const text = bytes.toString('latin1', 0, 256 * 1024);
  const gap = /\r?\n\r?\n/u.exec(text);
  const head = gap ? bytes.subarray(0, gap.index) : bytes;
  const body = gap ? bytes.subarray(gap.index + gap[0].length) : Buffer.alloc(0);
  const unfolded = decodeText(head).text.replace(/\r?\n[ \t]+/gu, ' ');
  const headers = unfolded.split(/\r?\n/u).flatMap((line): MimeHeader[] => {
    const match = /^([!-9;-~]{1,100}):[ \t]*(.*)$/u.exec(line);
    return match ? [{ name: match[1] ?? '', value: decodeWords(match[2] ?? '') }] : [];
  });
  return { headers, body };
}

/** `text/plain; charset="x"`: the value and its parameters, names in small letters. */
function parameters(text: string): { value: string; fields: Map<string, string> } {
  const fields = new Map<string, string>();
  for (const [, name = '', quoted, plain] of text.matchAll(
    /;\s*([\w*.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/gu,
  )) {
    const value = (quoted ?? plain ?? '').replace(/\\(.)/gu, '$1');
    // RFC 2231: charset'language'percent-encoded.
    const extended = /^([\w-]*)'[^']*'(.*)$/u.exec(value);
    const key = name.toLowerCase().replace(/\*(?:0\*?)?$/u, '');
    fields.set(
      key,
      name.endsWith('*') && extended
        ? percentDecoded(extended[2] ?? '', extended[1] ?? '')
        : decodeWords(value),
    );
  }
  return { value: text.split(';')[0]?.trim().toLowerCase() ?? '', fields };
}

function percentDecoded(text: string, charset: string): string {
  const bytes = Buffer.from(
    text.replace(/%([0-9a-f]{2})/giu, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  );
  return textIn(bytes, charset);
}

/** `=?utf-8?B?...?=` words of a header. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/gu, '?==?')
    .replace(
      /=\?([\w-]+)(?:\*[\w-]*)?\?([BQ])\?([^?]*)\?=/giu,
      (_, charset: string, how: string, word: string) =>
        textIn(
          how.toUpperCase() === 'B'
            ? Buffer.from(word, 'base64')
            : quotedPrintable(Buffer.from(word.replaceAll('_', ' '))),
          charset,
        ),
    );
}

/** Bytes as text in the named encoding, or in what they look like. */
export function textIn(bytes: Uint8Array, charset: string | undefined): string {
  if (charset === undefined) return decodeText(bytes).text;
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return decodeText(bytes).text;
  }
}

/** One after the other: a mail of nothing but boundaries has more parts than memory. */
function* splitParts(body: Buffer, boundary: string): Generator<Buffer> {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  let from: number | undefined;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    const isLineStart = at === 0 || body[at - 1] === 0x0a;
    if (!isLineStart) continue;
    if (from !== undefined) yield body.subarray(from, lineEndBefore(body, at));
    const end = body.indexOf(0x0a, at);
    from = end < 0 ? body.length : end + 1;
    if (body.toString('latin1', at + mark.length, at + mark.length + 2) === '--') return;
  }
  if (from !== undefined) yield body.subarray(from);
}

function lineEndBefore(body: Buffer, at: number): number {
  return body[at - 2] === 0x0d ? at - 2 : at - 1;
}

function decodeBody(body: Buffer, encoding: string): Buffer {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body.toString('latin1'), 'base64');
    case 'quoted-printable':
      return quotedPrintable(body);
    default:
      return body;
  }
}

function quotedPrintable(bytes: Buffer): Buffer {
  const text = bytes
    .toString('latin1')
    // Only from where a run begins: from each of its letters a long one would take hours.
    .replace(/(?<![ \t])[ \t]+(?=\r?\n)/gu, '')
    .replace(/=\r?\n/gu, '');
  return Buffer.from(
    text.replace(/=([0-9a-f]{2})/giu, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  );
}
