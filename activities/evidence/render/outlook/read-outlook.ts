import { addEntries } from '../archive/add-entries';
import { addHtmlVersion, freeName } from '../email/read-email';
import { textIn } from '../email/mime';
import { htmlText } from '../html/html-text';
import { linesOf, shownLine } from '../render-text';
import { type Rendering, Unreadable } from '../rendering';
import { type CompoundEntry, CompoundFile } from './compound-file';
import { MAX_BODY_BYTES, PROPERTY, PropertyStorage } from './message';

/** Messages within messages that are read. */
const MAX_DEPTH = 3;
const MAX_MESSAGES = 50;
/** In all messages together: a file can lead to one of them from many places. */
const MAX_ATTACHMENTS = 1_000;
const MAX_RECIPIENTS = 1_000;
const RECIPIENTS = { 1: 'to', 2: 'cc', 3: 'bcc' } as Readonly<Record<number, string>>;

/**
 * A mail as Outlook saves it: headers and body under the addresses of any mail, attachments as files of their own,
 * messages within as parts of their own (`message1-body`). Throws `Unreadable`.
 */
export async function readOutlook(bytes: Buffer, rendering: Rendering): Promise<void> {
  const file = new CompoundFile(bytes);
  const reader = new OutlookReader(file, rendering);
  const message = new PropertyStorage(file, file.root, 32);
  rendering.facts['mailFormat'] = 'Outlook';
  reader.read(message, '', 1);
  await reader.addAttachments();
  const kind = message.text(PROPERTY.messageClass) ?? '';
  if (/^IPM\.Note\.(?:SMIME$|rpmsg)/iu.test(kind))
    throw new Unreadable('encrypted', 'the mail is encrypted: only its headers can be read');
}

class OutlookReader {
  readonly #attachments: { readonly name: string; readonly data: CompoundEntry }[] = [];
  readonly #names = new Set<string>();
  #messages = 0;
  #seen = 0;

  constructor(
    private readonly file: CompoundFile,
    private readonly rendering: Rendering,
  ) {}

  /** @param prefix of the parts' names: empty for the mail itself */
  read(message: PropertyStorage, prefix: string, depth: number): void {
    this.#addLines(headersOf(message, this.file), `${prefix}headers`, 'header');
    const more = message.text(PROPERTY.transportHeaders, 'long')?.trim();
    if (more !== undefined && prefix === '')
      this.rendering.addText({ kind: 'file' }, more, {
        cause: 'metadata',
        label: 'further headers',
      });
    const plain = message.text(PROPERTY.body, 'long') ?? '';
    const html = htmlOf(message, this.file);
    this.#addLines(linesOf(plain.trim() === '' ? html : plain), `${prefix}body`);
    if (prefix === '' && plain.trim() !== '') addHtmlVersion(html, plain, this.rendering);
    if (plain.trim() === '' && html === '' && message.binary(PROPERTY.packedRtf))
      this.rendering.truncate('the body is kept as packed RTF alone, which is not read');
    for (const storage of message.storages('__attach_version1.0_')) {
      if (++this.#seen > MAX_ATTACHMENTS) {
        this.rendering.truncate(`only the first ${MAX_ATTACHMENTS} attachments are read`);
        return;
      }
      this.#readAttachment(new PropertyStorage(this.file, storage, 8, message.charsetOf()), depth);
    }
  }

  async addAttachments(): Promise<void> {
    const found = this.#attachments.map(({ name, data }) => ({
      ...{ name, data, bytes: data.bytes, kind: 'file' as const, encrypted: false },
    }));
    this.rendering.counts['attachments'] = found.length + this.#messages;
    if (found.length === 0) return;
    await addEntries(found, this.rendering, ({ data, bytes }) => {
      const content = this.file.content(data);
      return content.length === bytes ? Promise.resolve(content) : Promise.reject(new Error('cut'));
    });
  }

  #readAttachment(attachment: PropertyStorage, depth: number): void {
    const name =
      attachment.text(PROPERTY.longFileName) ??
      attachment.text(PROPERTY.shortFileName) ??
      attachment.text(PROPERTY.displayName) ??
      `part-${this.#attachments.length + 1}`;
    const data = attachment.binary(PROPERTY.attachmentData);
    const inner = attachment.object(PROPERTY.attachmentData);
    if (data) this.#attachments.push({ name: freeName(name, this.#names), data });
    else if (inner && depth < MAX_DEPTH && this.#messages < MAX_MESSAGES) {
      this.#messages++;
      const message = new PropertyStorage(this.file, inner, 24);
      this.read(message, `message${this.#messages}-`, depth + 1);
    } else this.rendering.truncate(`the attachment "${name.slice(0, 100)}" is not read`);
  }

  #addLines(lines: readonly string[], part: string, label?: string): void {
    lines.forEach((line, index) => {
      const place = { kind: 'paragraph', part, from: index + 1, to: index + 1 } as const;
      const options = label === undefined ? {} : { label };
      this.rendering.addText(place, shownLine(line, this.rendering), options);
    });
  }
}

function headersOf(message: PropertyStorage, file: CompoundFile): string[] {
  const people = new Map<string, string[]>();
  for (const storage of message.storages('__recip_version1.0_').slice(0, MAX_RECIPIENTS)) {
    const recipient = new PropertyStorage(file, storage, 8, message.charsetOf());
    const kind = RECIPIENTS[recipient.number(PROPERTY.recipientType) ?? 1] ?? 'to';
    const address = recipient.text(PROPERTY.smtpAddress) ?? recipient.text(PROPERTY.address);
    people.set(kind, [
      ...(people.get(kind) ?? []),
      personOf(recipient.text(PROPERTY.displayName), address),
    ]);
  }
  const sender = personOf(
    message.text(PROPERTY.senderName),
    message.text(PROPERTY.senderSmtpAddress) ?? message.text(PROPERTY.senderAddress),
  );
  const values: readonly (readonly [string, string | undefined])[] = [
    ['from', sender],
    ...Object.values(RECIPIENTS).map((kind) => [kind, people.get(kind)?.join(', ')] as const),
    ['subject', message.text(PROPERTY.subject)],
    ['date', message.time(PROPERTY.submitted) ?? message.time(PROPERTY.delivered)],
  ];
  return values.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}: ${value.replace(/\s+/gu, ' ')}`],
  );
}

function personOf(name: string | undefined, address: string | undefined): string {
  if (address === undefined || address === name) return name ?? '';
  return name === undefined ? address : `${name} <${address}>`;
}

function htmlOf(message: PropertyStorage, file: CompoundFile): string {
  const binary = message.binary(PROPERTY.html);
  const markup = binary
    ? textIn(file.content(binary, MAX_BODY_BYTES), message.charsetOf(PROPERTY.internetCodePage))
    : message.text(PROPERTY.html, 'long');
  return htmlText(markup ?? '');
}
