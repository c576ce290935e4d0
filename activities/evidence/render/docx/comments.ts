import { type OfficePackage } from '../package';
import { type Relationship } from '../relationships';
import { type Rendering } from '../rendering';
import { type XmlElement, descendants, elements, parseXml, textOf } from '../xml';
import { entryPlace } from './place';
import { lettersOf } from './letters';

/** What newer programs keep beside a comment: whose reply it is, and whether it was settled. */
interface Thread {
  readonly parent: string | undefined;
  readonly isResolved: boolean;
}

/**
 * Comments with author, date, place, replies and whether they are resolved. Gives the paragraphs and letters read.
 *
 * @param places where comments are anchored, by their ids
 */
export async function addComments(
  parts: OfficePackage,
  relations: readonly Relationship[],
  places: ReadonlyMap<string, string>,
  rendering: Rendering,
): Promise<{ readonly paragraphs: number; readonly letters: number }> {
  const part = targetOf(relations, 'comments', parts);
  const met = { paragraphs: 0, letters: 0 };
  if (part === undefined) return met;
  const threads = await readThreads(parts, targetOf(relations, 'commentsExtended', parts));
  const comments = elements(parseXml(part, await parts.read(part)), 'comment');
  const numbers = new Map<string, number>();
  comments.forEach((comment, index) => {
    for (const id of paragraphIds(comment)) numbers.set(id, index + 1);
  });
  comments.forEach((comment, index) => {
    rendering.count('comments');
    const paragraphs = descendants(comment, 'p');
    const text = paragraphs
      .map((paragraph) => descendants(paragraph, 't').map(textOf).join(''))
      .join('\n');
    met.paragraphs += paragraphs.length;
    met.letters += lettersOf(text);
    const thread = threads.get(paragraphIds(comment).at(-1) ?? '');
    const parent = thread?.parent === undefined ? undefined : numbers.get(thread.parent);
    if (parent !== undefined) rendering.count('commentReplies');
    if (thread?.isResolved === true) rendering.count('resolvedComments');
    const head = headOf(comment, {
      place: places.get(comment.attributes['id'] ?? ''),
      parent,
      isResolved: thread?.isResolved === true,
    });
    rendering.addText(entryPlace('comments', index + 1), `${head}: ${text}`, { label: 'comment' });
  });
  return met;
}

/** The number under which each comment is listed, by its id. */
export async function commentNumbers(
  parts: OfficePackage,
  relations: readonly Relationship[],
): Promise<ReadonlyMap<string, number>> {
  const part = targetOf(relations, 'comments', parts);
  if (part === undefined) return new Map();
  const comments = elements(parseXml(part, await parts.read(part)), 'comment');
  return new Map(comments.map(({ attributes }, index) => [attributes['id'] ?? '', index + 1]));
}

function headOf(
  { attributes }: XmlElement,
  facts: {
    readonly place: string | undefined;
    readonly parent: number | undefined;
    readonly isResolved: boolean;
  },
): string {
  const date = attributes['date']?.slice(0, 10);
  return [
    `${attributes['author'] ?? ''}${date === undefined ? '' : ` (${date})`}`.trim(),
    ...(facts.place === undefined ? [] : [`on ${facts.place}`]),
    ...(facts.parent === undefined ? [] : [`in reply to comment ${facts.parent}`]),
    ...(facts.isResolved ? ['resolved'] : []),
  ].join(', ');
}

async function readThreads(
  parts: OfficePackage,
  part: string | undefined,
): Promise<ReadonlyMap<string, Thread>> {
  if (part === undefined) return new Map();
  const root = parseXml(part, await parts.read(part));
  return new Map(
    elements(root, 'commentEx').map(({ attributes }) => [
      attributes['paraId'] ?? '',
      {
        parent: attributes['paraIdParent'],
        isResolved: ['1', 'true', 'on'].includes(attributes['done'] ?? '0'),
      },
    ]),
  );
}

function paragraphIds(comment: XmlElement): string[] {
  return descendants(comment, 'p').flatMap(({ attributes }) => attributes['paraId'] ?? []);
}

function targetOf(
  relations: readonly Relationship[],
  type: string,
  parts: OfficePackage,
): string | undefined {
  return relations.find((each) => each.type === type && !each.external && parts.has(each.target))
    ?.target;
}
