import { decodeText } from '../decode-text';
import { type OfficePackage } from '../package';
import { relationshipsOf } from '../relationships';
import { type Rendering } from '../rendering';

/** A chunk that is read is at most this long. */
const MAX_CHUNK_BYTES = 1024 * 1024;

/**
 * Documents that stand in the text as files of their own (altChunk): word processors show them, no page image
 * has them. HTML and plain text are read, others are named.
 */
export async function addChunks(
  ids: readonly string[],
  path: string,
  parts: OfficePackage,
  rendering: Rendering,
): Promise<void> {
  if (ids.length === 0) return;
  const relations = await relationshipsOf(parts, path);
  for (const [index, id] of ids.entries()) {
    rendering.count('embeddedDocuments');
    const target = relations.find((each) => each.id === id && !each.external)?.target;
    const type = /\.(html?|xhtml|txt)$/iu.exec(target ?? '')?.[1];
    if (target === undefined || type === undefined || !parts.has(target)) {
      rendering.warn(`an embedded document (altChunk ${target ?? id}) is not read`);
      continue;
    }
    const { text } = decodeText(await parts.read(target, MAX_CHUNK_BYTES));
    const lines = (/txt/iu.test(type) ? text : textOfHtml(text)).split('\n');
    lines.forEach((line, at) => {
      rendering.addText(
        { kind: 'paragraph', part: `chunk${index + 1}`, from: at + 1, to: at + 1 },
        line.trim(),
        { label: 'embedded document' },
      );
    });
  }
}

/** Words of an HTML fragment, a line for each block. */
function textOfHtml(html: string): string {
  return html
    .replace(/<(script|style|head)\b[^>]*>[\s\S]*?<\/\1\s*>/giu, ' ')
    .replace(/<!--[\s\S]*?-->/gu, ' ')
    .replace(/<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6])\b[^>]*>/giu, '\n')
    .replace(/<[^>]*>/gu, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/\n\s*\n/gu, '\n');
}
