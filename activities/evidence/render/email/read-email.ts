import { addEntries } from '../archive/add-entries';
import { htmlText } from '../html/html-text';
import { type Rendering } from '../rendering';
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
  const body = bodyOf(mail);
  linesOf(body).forEach((line, index) => {
    const place = { kind: 'paragraph', part: 'body', from: index + 1, to: index + 1 } as const;
    rendering.addText(place, shownLine(line, rendering));
  });
  await addAttachments(mail, rendering);
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

/** Plain text of the mail, or its HTML as text; of alternatives, the plain one. */
function bodyOf(part: MimePart): string {
  if (part.isAttachment) return '';
  if (part.type === 'text/plain') return textIn(part.body, part.charset);
  if (part.type === 'text/html') return htmlText(textIn(part.body, part.charset));
  const bodies = part.parts
    .map((each) => ({ each, text: bodyOf(each) }))
    .filter(({ text }) => text !== '');
  if (part.type === 'multipart/alternative')
    return (bodies.find(({ each }) => each.type === 'text/plain') ?? bodies[0])?.text ?? '';
  return bodies.map(({ text }) => text).join('\n');
}

async function addAttachments(mail: MimePart, rendering: Rendering): Promise<void> {
  const found = leaves(mail)
    .filter(
      ({ fileName, isAttachment, type }) =>
        isAttachment || fileName !== undefined || !/^text\/(?:plain|html)$/u.test(type),
    )
    .map(({ fileName, body }, index) => ({
      name: (fileName ?? `part-${index + 1}`).replaceAll(/[/\\]/gu, '_'),
      bytes: body.length,
      kind: 'file' as const,
      encrypted: false,
      body,
    }));
  rendering.counts['attachments'] = found.length;
  if (found.length > 0) await addEntries(found, rendering, ({ body }) => Promise.resolve(body));
}

function leaves(part: MimePart): MimePart[] {
  return part.parts.length > 0 ? part.parts.flatMap(leaves) : [part];
}
