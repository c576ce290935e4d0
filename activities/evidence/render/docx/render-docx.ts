import { type OfficePages } from '../office';
import { type OfficePackage } from '../package';
import { type Relationship, relationshipsOf } from '../relationships';
import { type Rendering, Unreadable } from '../rendering';
import { type XmlElement, child, descendants, elements, parseXml, textOf } from '../xml';
import { BodyWalk, type CommentAnchors } from './body';
import { readNumbering } from './numbering';
import { readWordStyles } from './styles';

export const DOCUMENT_PAGES: OfficePages = {
  extension: 'docx',
  filter: 'pdf:writer_pdf_Export',
  sources: [],
};

/** Text of a document: body in its own order, then headers, footers, notes and comments. Throws `Unreadable`. */
export async function readDocx(parts: OfficePackage, rendering: Rendering): Promise<void> {
  const main = (await relationshipsOf(parts, '')).find(({ type }) => type === 'officeDocument');
  if (!main || !parts.has(main.target))
    throw new Unreadable('corrupt', 'the package has no main document part');
  const root = parseXml(main.target, await parts.read(main.target));
  const relations = await relationshipsOf(parts, main.target);
  const targetOf = (type: string): string | undefined =>
    relations.find((each) => each.type === type && !each.external && parts.has(each.target))
      ?.target;
  const context = {
    styles: await readWordStyles(parts, targetOf('styles')),
    numbers: await readNumbering(parts, targetOf('numbering')),
    rendering,
    tables: { count: 0 },
    anchors: new Map() as CommentAnchors,
  };
  const body = new BodyWalk('body', context);
  body.visit(child(root, 'body') ?? root);
  rendering.count('sections', Math.max(1, body.sections.length));
  for (const kind of ['header', 'footer'] as const) {
    const targets = sectionParts(body.sections, `${kind}Reference`, relations, parts);
    rendering.count(`${kind}s`, targets.length);
    for (const [index, target] of targets.entries())
      new BodyWalk(`${kind}${index + 1}`, context, kind).visit(
        parseXml(target, await parts.read(target)),
      );
  }
  for (const kind of ['footnote', 'endnote'] as const) {
    const target = targetOf(`${kind}s`);
    if (target === undefined) continue;
    const walkPart = new BodyWalk(`${kind}s`, context, kind);
    for (const note of elements(parseXml(target, await parts.read(target)), kind)) {
      if (note.attributes['type'] !== undefined && note.attributes['type'] !== 'normal') continue;
      rendering.count(`${kind}s`);
      walkPart.visit(note);
    }
  }
  const comments = targetOf('comments');
  if (comments !== undefined)
    addComments(parseXml(comments, await parts.read(comments)), context.anchors, rendering);
  noteExternal(relations, rendering);
}

/** Parts that sections name, each once, in the order of the sections. */
function sectionParts(
  sections: readonly XmlElement[],
  reference: string,
  relations: readonly Relationship[],
  parts: OfficePackage,
): string[] {
  const targets = new Set<string>();
  for (const section of sections)
    for (const { attributes } of elements(section, reference)) {
      const target = relations.find(({ id }) => id === attributes['r:id'])?.target;
      if (target !== undefined && parts.has(target)) targets.add(target);
    }
  return [...targets];
}

function addComments(root: XmlElement, anchors: CommentAnchors, rendering: Rendering): void {
  elements(root, 'comment').forEach((comment, index) => {
    rendering.count('comments');
    const author = comment.attributes['author'] ?? '';
    const text = descendants(comment, 'p')
      .map((paragraph) => descendants(paragraph, 't').map(textOf).join(''))
      .join('\n');
    const anchor = anchors.get(comment.attributes['id'] ?? '');
    const about = anchor === undefined || anchor === '' ? '' : ` (on "${anchor}")`;
    rendering.addText(
      { kind: 'paragraph', part: 'comments', from: index + 1, to: index + 1 },
      `${author}${about}: ${text}`,
      { label: 'comment' },
    );
  });
}

/** Linked files and pages are never fetched; a reader of the record learns that they exist. */
function noteExternal(relations: readonly Relationship[], rendering: Rendering): void {
  const linked = relations.filter(({ external, type }) => external && type !== 'hyperlink');
  if (linked.length > 0) {
    rendering.facts['externalParts'] = linked.length;
    rendering.warn(
      `linked from outside and not fetched: ${linked.map(({ type }) => type).join(', ')}`,
    );
  }
  const links = relations.filter(({ external, type }) => external && type === 'hyperlink').length;
  if (links > 0) rendering.count('hyperlinks', links);
}
