import { type PivotFact, type SheetFact } from '../../../../core/workbook-facts';
import { type OfficePackage } from '../package';
import { type Relationship, relationshipsOf } from '../relationships';
import { type Rendering } from '../rendering';
import { type XmlElement, child, descendants, elements, textOf } from '../xml';
import { BoundedList, MAX_LISTED, cutText } from './bounded-list';
import { type DrawingFacts, noDrawing, readDrawing } from './drawing';
import { type SheetControl } from './form-controls';
import { readPivot } from './pivots';
import { readTree, sideRelations } from './read-tree';
import { type SheetObjects, readSheetObjects } from './sheet-objects';
import { type SlicerCache } from './slicers';

/** What a sheet's related parts add to it. */
export interface SheetRelations {
  readonly tables: SheetFact['tables'];
  readonly pivots: readonly PivotFact[];
  readonly comments: BoundedList<SheetFact['comments'][number]>;
  readonly drawing: DrawingFacts;
  /** Targets by relationship id, for links. */
  readonly targets: ReadonlyMap<string, Relationship>;
  readonly objects: SheetObjects;
  readonly otherParts: Readonly<Record<string, number>>;
}

const READ = new Set([
  'drawing',
  'threadedComment',
  'comments',
  'table',
  'pivotTable',
  'hyperlink',
  'slicer',
  'timeline',
]);
/** Parts that say nothing about the content. */
const MUTE = new Set(['vmlDrawing', 'printerSettings', 'customProperty']);
const MAX_COMMENT = 4_000;

export interface RelationContext {
  /** Names of those who wrote threaded comments, by their id. */
  readonly people: ReadonlyMap<string, string>;
  readonly caches: ReadonlyMap<string, SlicerCache>;
  /** Controls and embedded objects that the sheet part lists. */
  readonly listed: readonly SheetControl[];
}

/** Follows the sheet's own relationships, so that part names and folders do not matter. */
export async function readSheetRelations(
  parts: OfficePackage,
  sheetPart: string,
  { people, caches, listed }: RelationContext,
  rendering: Rendering,
): Promise<SheetRelations> {
  const all = await sideRelations(parts, sheetPart, rendering);
  const present = all.filter(({ external, target }) => !external && parts.has(target));
  const treesOf = async (type: string): Promise<{ part: string; root: XmlElement }[]> => {
    const trees = [];
    for (const part of new Set(
      present.filter((each) => each.type === type).map((each) => each.target),
    )) {
      const root = await readTree(parts, part, rendering);
      if (root) trees.push({ part, root });
    }
    return trees;
  };
  const threads = (await treesOf('threadedComment')).flatMap(({ root }) =>
    threadedComments(root, people),
  );
  const plain = (await treesOf('comments')).flatMap(({ root }) => plainComments(root));
  // A threaded comment leaves a plain copy at its cell that only tells to update the program.
  const threaded = new Set(threads.map(({ ref }) => ref));
  const comments = new BoundedList<SheetFact['comments'][number]>(MAX_LISTED);
  for (const comment of plain) if (!threaded.has(comment.ref)) comments.push(comment);
  for (const comment of threads) comments.push(comment);
  const pivots: PivotFact[] = [];
  for (const { part, root } of await treesOf('pivotTable'))
    pivots.push(await readPivot(parts, part, root, rendering));
  const drawing = await drawingsOf(parts, present, rendering);
  const objects = await readSheetObjects({
    parts,
    relations: all,
    listed,
    caches,
    anchors: drawing.slicers,
    rendering,
  });
  const listedIds = new Set(listed.map(({ id }) => id));
  return {
    tables: (await treesOf('table')).map(({ root }) => tableOf(root)),
    pivots,
    comments,
    drawing,
    objects,
    targets: new Map(all.map((relation) => [relation.id, relation])),
    otherParts: otherParts(all.filter(({ id }) => !listedIds.has(id))),
  };
}

async function drawingsOf(
  parts: OfficePackage,
  relations: readonly Relationship[],
  rendering: Rendering,
): Promise<DrawingFacts> {
  const all = noDrawing();
  const drawings = relations.filter(({ type }) => type === 'drawing').map(({ target }) => target);
  for (const part of new Set(drawings)) {
    const facts = await readDrawing(parts, part, rendering);
    all.charts.push(...facts.charts);
    all.pictures.push(...facts.pictures);
    all.shapes.push(...facts.shapes);
    for (const [name, place] of facts.slicers) all.slicers.set(name, place);
    all.beyond += facts.beyond;
  }
  return all;
}

function otherParts(relations: readonly Relationship[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of relations)
    if (!READ.has(type) && !MUTE.has(type) && /^[A-Za-z]{1,40}$/u.test(type))
      counts.set(type, (counts.get(type) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function tableOf(root: XmlElement): SheetFact['tables'][number] {
  const columns = child(root, 'tableColumns');
  const look = child(root, 'tableStyleInfo')?.attributes ?? {};
  const style = [look['name'], look['showRowStripes'] === '1' ? 'banded rows' : '']
    .filter(Boolean)
    .join(', ');
  const totals = Number(root.attributes['totalsRowCount'] ?? 0) > 0;
  return {
    name: root.attributes['displayName'] ?? root.attributes['name'] ?? '',
    range: root.attributes['ref'] ?? '',
    columns: (columns ? elements(columns, 'tableColumn') : [])
      .slice(0, MAX_LISTED)
      .map(({ attributes }) => attributes['name'] ?? ''),
    ...(totals ? { hasTotals: true } : {}),
    ...(style === '' ? {} : { style }),
  };
}

function plainComments(root: XmlElement): SheetFact['comments'][number][] {
  const authors = elements(child(root, 'authors') ?? root, 'author').map(textOf);
  return elements(child(root, 'commentList') ?? root, 'comment').map((comment) => {
    const author = authors[Number(comment.attributes['authorId'] ?? -1)] ?? '';
    const text = descendants(comment, 't').map(textOf).join('').trim();
    // Programs write the author into the text as well, as its bold first line.
    const isSigned = author !== '' && text.startsWith(`${author}:`);
    return {
      ref: comment.attributes['ref'] ?? '',
      author,
      text: cutText(isSigned ? text.slice(author.length + 1).trim() : text, MAX_COMMENT),
    };
  });
}

function threadedComments(
  root: XmlElement,
  people: ReadonlyMap<string, string>,
): SheetFact['comments'][number][] {
  return elements(root, 'threadedComment').map((comment) => {
    const { ref = '', personId = '', parentId, done } = comment.attributes;
    const notes = [
      ...(parentId === undefined ? [] : ['answer']),
      ...(done === '1' ? ['resolved'] : []),
    ];
    return {
      ref,
      author: people.get(personId) ?? '',
      text: cutText(textOf(child(comment, 'text')), MAX_COMMENT),
      ...(notes.length > 0 ? { note: notes.join(', ') } : {}),
    };
  });
}

/** Names of those who wrote threaded comments, by their id. */
export async function readPeople(
  parts: OfficePackage,
  workbookPart: string,
  rendering: Rendering,
): Promise<ReadonlyMap<string, string>> {
  const people = new Map<string, string>();
  for (const { type, target } of await relationshipsOf(parts, workbookPart)) {
    if (type !== 'person' || !parts.has(target)) continue;
    const root = await readTree(parts, target, rendering);
    for (const { attributes } of root ? elements(root, 'person') : [])
      people.set(attributes['id'] ?? '', attributes['displayName'] ?? '');
  }
  return people;
}
