import { type OfficePages } from '../office';
import { type OfficePackage } from '../package';
import { type Relationship, relationshipsOf } from '../relationships';
import { type Rendering, Unreadable } from '../rendering';
import { type XmlElement, child, elements, parseXml } from '../xml';
import { addChunks } from './alt-chunk';
import { BodyWalk, type WordContext } from './body';
import { CommentRanges } from './comment-ranges';
import { addComments, commentNumbers } from './comments';
import { headerParts } from './header-parts';
import { WordLists } from './lists';
import { readNumbering } from './numbering';
import { addPageSetup } from './page-setup';
import { holdAgainstSecondReading } from './second-reading';
import { addSettings, type WordSettings } from './settings';
import { readWordStyles } from './styles';

export const DOCUMENT_PAGES: OfficePages = {
  extension: 'docx',
  filter: 'pdf:writer_pdf_Export',
  sources: [],
};

const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu;

interface MainPart {
  readonly path: string;
  readonly root: XmlElement;
  readonly relations: readonly Relationship[];
}

/**
 * Text of a document: body in its own order, then headers, footers, notes, comments, then what hangs on places of
 * the text. Throws `Unreadable`.
 */
export async function readDocx(parts: OfficePackage, rendering: Rendering): Promise<void> {
  const main = await readMainPart(parts);
  const targetOf = (type: string): string | undefined => partOfType(main.relations, type, parts);
  const { context, shownNotes } = await openContext(main, parts, rendering);
  const settings = await addSettings(parts, targetOf('settings'), rendering);
  const body = new BodyWalk('body', main.path, context);
  body.visit(child(main.root, 'body') ?? main.root);
  await addChunks(body.chunkIds, main.path, parts, rendering);
  rendering.count('sections', Math.max(1, body.sections.length));
  const read = [
    main.path,
    ...(await walkHeaders(main, body.sections, settings, context, parts)),
    ...(await walkNotes(main, context, shownNotes, parts)),
  ];
  const { commentPlaces } = context.lists;
  const comments = await addComments(parts, main.relations, commentPlaces, rendering);
  await context.lists.write(parts, rendering);
  addPageSetup(body.sections, rendering);
  countWords(rendering);
  const met = {
    ...context.met,
    paragraphs: context.met.paragraphs + comments.paragraphs,
    letters: context.met.letters + comments.letters,
  };
  const commentsPart = targetOf('comments');
  await holdAgainstSecondReading(
    parts,
    commentsPart === undefined ? read : [...read, commentsPart],
    met,
    rendering,
  );
  notePackage(main, parts, rendering);
}

async function readMainPart(parts: OfficePackage): Promise<MainPart> {
  const main = (await relationshipsOf(parts, '')).find(({ type }) => type === 'officeDocument');
  if (!main || !parts.has(main.target))
    throw new Unreadable('corrupt', 'the package has no main document part');
  return {
    path: main.target,
    root: parseXml(main.target, await parts.read(main.target)),
    relations: await relationshipsOf(parts, main.target),
  };
}

type ShownNotes = Readonly<Record<'footnote' | 'endnote', Map<string, number>>>;

async function openContext(
  main: MainPart,
  parts: OfficePackage,
  rendering: Rendering,
): Promise<{ readonly context: WordContext; readonly shownNotes: ShownNotes }> {
  const shownNotes = { footnote: new Map<string, number>(), endnote: new Map<string, number>() };
  const context: WordContext = {
    styles: await readWordStyles(parts, partOfType(main.relations, 'styles', parts)),
    numbers: await readNumbering(parts, partOfType(main.relations, 'numbering', parts)),
    rendering,
    tables: { count: 0 },
    lists: new WordLists(),
    comments: new CommentRanges(await commentNumbers(parts, main.relations)),
    met: { paragraphs: 0, tables: 0, letters: 0 },
    noteNumber: (kind, id) => {
      const known = shownNotes[kind].get(id) ?? shownNotes[kind].size + 1;
      shownNotes[kind].set(id, known);
      return known;
    },
  };
  return { context, shownNotes };
}

function partOfType(
  relations: readonly Relationship[],
  type: string,
  parts: OfficePackage,
): string | undefined {
  return relations.find((each) => each.type === type && !each.external && parts.has(each.target))
    ?.target;
}

/** Headers, then footers, each part once in the order of the sections; gives their paths. */
async function walkHeaders(
  main: MainPart,
  sections: readonly XmlElement[],
  settings: WordSettings,
  context: WordContext,
  parts: OfficePackage,
): Promise<string[]> {
  const paths: string[] = [];
  for (const kind of ['header', 'footer'] as const) {
    const found = headerParts(sections, kind, settings.evenPagesDiffer, main.relations, parts);
    context.rendering.count(`${kind}s`, found.length);
    for (const [index, { path, label, isShown }] of found.entries()) {
      const root = parseXml(path, await parts.read(path));
      const unseen = isShown
        ? undefined
        : ({ cause: 'no-mark', label: `${kind} that no page shows` } as const);
      new BodyWalk(`${kind}${index + 1}`, path, context, { label, unseen }).visit(root);
      paths.push(path);
    }
    const unused = main.relations.filter(
      ({ type, target }) => type === kind && !found.some(({ path }) => path === target),
    ).length;
    if (unused > 0)
      context.rendering.warn(`${unused} ${kind} parts that no section uses are not read`);
  }
  return paths;
}

/** Foot- and endnotes; those that the text does not refer to are on no page. Gives the paths of their parts. */
async function walkNotes(
  main: MainPart,
  context: WordContext,
  shown: ShownNotes,
  parts: OfficePackage,
): Promise<string[]> {
  const paths: string[] = [];
  for (const kind of ['footnote', 'endnote'] as const) {
    const path = partOfType(main.relations, `${kind}s`, parts);
    if (path === undefined) continue;
    const walk = new BodyWalk(`${kind}s`, path, context);
    for (const note of elements(parseXml(path, await parts.read(path)), kind)) {
      const isNote = ['normal', undefined].includes(note.attributes['type']);
      const number = shown[kind].get(note.attributes['id'] ?? '');
      if (isNote) context.rendering.count(`${kind}s`);
      const unseen =
        number === undefined && isNote
          ? ({ cause: 'no-mark', label: `${kind} without a reference` } as const)
          : undefined;
      const label = number === undefined ? kind : `${kind} ${number}`;
      if (isNote) walk.visit(note, { label, unseen });
      else walk.skip(note);
    }
    paths.push(path);
  }
  return paths;
}

/** Words of body and tables as word processors count them: each ideograph is one. */
function countWords(rendering: Rendering): void {
  const words = rendering.segments
    .filter(
      ({ locator, visibility, label, isDescription }) =>
        (locator.kind === 'table' || (locator.kind === 'paragraph' && locator.part === 'body')) &&
        visibility === 'visible' &&
        label !== 'deletion' &&
        isDescription !== true,
    )
    .reduce((sum, { text }) => sum + wordsIn(text), 0);
  if (words > 0) rendering.counts['words'] = words;
}

function wordsIn(text: string): number {
  const ideographs = text.match(IDEOGRAPH)?.length ?? 0;
  const others = text.replace(IDEOGRAPH, ' ').match(/[^\s]*[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
  return ideographs + others;
}

/** Linked files are never fetched, programs never run; a reader of the record learns that they are there. */
function notePackage({ relations }: MainPart, parts: OfficePackage, rendering: Rendering): void {
  const linked = relations.filter(({ external, type }) => external && type !== 'hyperlink');
  if (linked.length > 0) {
    rendering.facts['externalParts'] = linked.length;
    rendering.warn(
      `linked from outside and not fetched: ${linked.map(({ type }) => type).join(', ')}`,
    );
  }
  if (parts.partNames.some((name) => /vbaProject\.bin$/iu.test(name)))
    rendering.facts['macros'] = true;
}
