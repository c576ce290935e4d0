import { addEntries } from '../archive/add-entries';
import { htmlText } from '../html/html-text';
import { type Rendering, Unreadable } from '../rendering';
import { linesOf, readText, shownLine } from '../render-text';
import { decodeText } from '../decode-text';
import { type MimePart, mimeBudget, parseMime, textIn, valueOf } from './mime';

/** Headers that a reader of the mail sees. */
const SHOWN = ['from', 'to', 'cc', 'bcc', 'subject', 'date', 'reply-to'];

/** A mail: its headers and body, attachments as members that are files of their own. */
export async function readEmail(bytes: Uint8Array, rendering: Rendering): Promise<void> {
  const budget = mimeBudget();
  const mail = parseMime(Buffer.from(bytes), budget);
  if (budget.isExceeded)
    rendering.truncate('parts of the mail are too many or too deep to be read');
  if (mail.headers.length === 0) {
    rendering.warn('it has no headers of a mail: shown as text');
    readText(decodeText(bytes).text, rendering);
    return;
  }
  addHeaders(mail, rendering);
  const body = bodyOf(mail, 'text/plain');
  addBody(body, 'body', rendering);
  addHtmlVersion(bodyOf(mail, 'text/html'), body, rendering);
  await addAttachments(mail, rendering);
  if (mail.type === 'multipart/encrypted')
    throw new Unreadable('encrypted', 'the mail is encrypted: only its headers can be read');
}

/** The lines of a body, under the name of its part. */
export function addBody(body: string, part: 'body' | 'html', rendering: Rendering): void {
  linesOf(body).forEach((line, index) => {
    const place = { kind: 'paragraph', part, from: index + 1, to: index + 1 } as const;
    const options = part === 'html' ? { label: 'html version' } : {};
    rendering.addText(place, shownLine(line, rendering), options);
  });
}

/** What most programs show of a mail with two versions: kept beside the plain one where it has other words. */
export function addHtmlVersion(html: string, plain: string, rendering: Rendering): void {
  if (html === plain || html.trim() === '') return;
  rendering.facts['htmlVersion'] =
    wordsOf(html) === wordsOf(plain) ? 'the same words as the plain text' : 'other words';
  if (rendering.facts['htmlVersion'] === 'other words') addBody(html, 'html', rendering);
}

function wordsOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
}

function addHeaders(mail: MimePart, rendering: Rendering): void {
  const shown = SHOWN.flatMap((name) => {
    const value = valueOf(mail.headers, name);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  shown.forEach((line, index) => {
    const place = { kind: 'paragraph', part: 'headers', from: index + 1, to: index + 1 } as const;
    rendering.addText(place, line, { label: 'header' });
  });
  const others = mail.headers.filter(({ name }) => !SHOWN.includes(name.toLowerCase()));
  rendering.counts['headers'] = mail.headers.length;
  rendering.addText(
    { kind: 'file' },
    others.map(({ name, value }) => `${name}: ${value}`).join('\n'),
    { cause: 'metadata', label: 'further headers' },
  );
}

/** Text of the mail; of alternatives, the one of the preferred type, else the first that has words. */
function bodyOf(part: MimePart, preferred: 'text/plain' | 'text/html'): string {
  if (part.isAttachment) return '';
  if (part.type === 'text/plain') return textIn(part.body, part.charset);
  if (part.type === 'text/html') return htmlText(textIn(part.body, part.charset));
  const bodies = part.parts
    .map((each) => ({ each, text: bodyOf(each, preferred) }))
    .filter(({ text }) => text !== '');
  if (part.type === 'multipart/alternative')
    return (bodies.find(({ each }) => holds(each, preferred)) ?? bodies[0])?.text ?? '';
  return bodies.map(({ text }) => text).join('\n');
}

/** An HTML version may stand together with its pictures. */
function holds({ type, parts }: MimePart, wanted: string): boolean {
  return type === wanted || parts.some((part) => holds(part, wanted));
}

async function addAttachments(mail: MimePart, rendering: Rendering): Promise<void> {
  const taken = new Set<string>();
  const found = leaves(mail)
    .filter(
      ({ fileName, isAttachment, type }) =>
        isAttachment || fileName !== undefined || !/^text\/(?:plain|html)$/u.test(type),
    )
    .map(({ fileName, body, type }, index) => ({
      name: freeName(fileName ?? `part-${index + 1}${extensionOf(type)}`, taken),
      bytes: body.length,
      kind: 'file' as const,
      encrypted: false,
      body,
    }));
  rendering.counts['attachments'] = found.length;
  if (found.length > 0) await addEntries(found, rendering, ({ body }) => Promise.resolve(body));
}

/** So that a forwarded mail without a name is read as a mail. */
function extensionOf(type: string): string {
  return { 'message/rfc822': '.eml', 'text/calendar': '.ics' }[type] ?? '';
}

/** A name without folders that no other attachment has: programs give several pictures the same one. */
export function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted.replaceAll(/[/\\]/gu, '_');
  const [, stem = plain, extension = ''] = /^(.+?)(\.[^.]{1,10})?$/su.exec(plain) ?? [];
  let name = plain;
  for (let number = 2; taken.has(name.toLowerCase()); number++)
    name = `${stem} (${number})${extension}`;
  taken.add(name.toLowerCase());
  return name;
}

function leaves(part: MimePart): MimePart[] {
  return part.parts.length > 0 ? part.parts.flatMap(leaves) : [part];
}
