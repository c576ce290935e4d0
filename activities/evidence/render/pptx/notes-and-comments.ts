import { type OfficePackage } from '../package';
import { type Relationship } from '../relationships';
import { type Rendering } from '../rendering';
import { type XmlElement, child, descendants, elements, parseXml, textOf } from '../xml';
import { paragraphsOf } from './paragraphs';
import { type Slide } from './presentation';
import { type SlideLayout } from './layouts';
import { placeholderOf } from './placeholder';

/** Speaker notes: an audience does not see them, so they are kept apart. */
export async function addNotes(
  slide: Slide,
  parts: OfficePackage,
  rendering: Rendering,
): Promise<void> {
  const part = inside(slide.relations, 'notesSlide', parts)[0];
  if (part === undefined) return;
  const root = parseXml(part, await parts.read(part));
  const own = descendants(root, 'sp').filter(
    (shape) => !['header', 'footer', 'date', 'slide number'].includes(placeholderOf(shape)),
  );
  const paragraphs = own
    .flatMap((shape) => paragraphsOf(child(shape, 'txBody')))
    .filter(({ text }) => text !== '');
  if (paragraphs.length > 0) rendering.count('notes');
  paragraphs.forEach(({ text }, index) => {
    const place = { kind: 'slide', slide: slide.number, part: 'notes' } as const;
    rendering.addText({ ...place, from: index + 1, to: index + 1 }, text, {
      cause: 'notes',
      label: 'speaker notes',
    });
  });
}

/** Comments of the old kind and the threaded ones, replies behind what they answer. */
export async function addComments(
  slide: Slide,
  authors: ReadonlyMap<string, string>,
  parts: OfficePackage,
  rendering: Rendering,
): Promise<void> {
  let line = 0;
  for (const part of inside(slide.relations, 'comments', parts)) {
    const root = parseXml(part, await parts.read(part));
    for (const comment of elements(root, 'cm'))
      for (const each of [comment, ...descendants(comment, 'reply')]) {
        line++;
        rendering.count('comments');
        const author = authors.get(each.attributes['authorId'] ?? '') ?? '';
        rendering.addText(
          { kind: 'slide', slide: slide.number, part: 'comments', from: line, to: line },
          `${author}: ${commentText(each)}`,
          { label: each === comment ? 'comment' : 'reply' },
        );
      }
  }
}

function commentText(comment: XmlElement): string {
  const body = child(comment, 'txBody');
  if (!body) return textOf(child(comment, 'text')).trim();
  return paragraphsOf(body)
    .map(({ text }) => text)
    .join('\n')
    .trim();
}

/** Names of comment authors by their id, of both kinds of comments. */
export async function readAuthors(
  relations: readonly Relationship[],
  parts: OfficePackage,
): Promise<ReadonlyMap<string, string>> {
  const authors = new Map<string, string>();
  const targets = [
    ...inside(relations, 'commentAuthors', parts),
    ...inside(relations, 'authors', parts),
  ];
  for (const part of targets)
    for (const { name, attributes } of elements(parseXml(part, await parts.read(part))))
      if (name === 'cmAuthor' || name === 'author')
        authors.set(attributes['id'] ?? '', attributes['name'] ?? '');
  return authors;
}

/** Text that the slide's layout and master show on it by themselves. */
export function addLayoutText(
  slide: Slide,
  found: SlideLayout | undefined,
  rendering: Rendering,
): void {
  if (!found) return;
  const { layout, master } = found;
  noteLayout(layout, rendering);
  const shown = slide.root.attributes['showMasterSp'] === '0' ? [] : [layout];
  if (shown.length > 0 && layout.attributes['showMasterSp'] !== '0' && master) shown.push(master);
  const paragraphs = shown
    .flatMap((each) => descendants(child(each, 'cSld', 'spTree') ?? each, 'sp'))
    .filter((shape) => placeholderOf(shape) === '')
    .flatMap((shape) => paragraphsOf(child(shape, 'txBody')))
    .filter(({ text }) => text !== '');
  paragraphs.forEach(({ text }, index) => {
    const place = { kind: 'slide', slide: slide.number, part: 'layout' } as const;
    rendering.addText({ ...place, from: index + 1, to: index + 1 }, text, {
      label: 'layout',
      ...(slide.hidden ? { cause: 'hidden-slide' } : {}),
    });
  });
}

function noteLayout(root: XmlElement, rendering: Rendering): void {
  const name = child(root, 'cSld')?.attributes['name'] ?? '';
  const known = String(rendering.facts['layouts'] ?? '');
  if (name !== '' && !known.split(', ').includes(name) && known.length < 500)
    rendering.facts['layouts'] = known === '' ? name : `${known}, ${name}`;
}

function inside(relations: readonly Relationship[], type: string, parts: OfficePackage): string[] {
  return relations
    .filter((each) => each.type === type && !each.external && parts.has(each.target))
    .map(({ target }) => target);
}
