import { type SheetFact } from '../../../../core/evidence-view';
import { type OfficePackage } from '../package';
import { type Relationship, relationshipsOf } from '../relationships';
import { type XmlElement, child, descendants, elements, parseXml, textOf } from '../xml';
import { type DrawingFacts, readDrawing } from './charts';

/** What a sheet's related parts add to it. */
export interface SheetRelations {
  readonly tables: SheetFact['tables'];
  readonly pivots: NonNullable<SheetFact['pivots']>;
  readonly comments: SheetFact['comments'];
  readonly drawing: DrawingFacts;
}

/** Follows the sheet's own relationships, so that part names and folders do not matter. */
export async function readSheetRelations(
  parts: OfficePackage,
  sheetPart: string,
  people: ReadonlyMap<string, string>,
): Promise<SheetRelations> {
  const relations = (await relationshipsOf(parts, sheetPart)).filter(
    ({ external, target }) => !external && parts.has(target),
  );
  const ofType = (type: string): Relationship[] => relations.filter((each) => each.type === type);
  const drawing: DrawingFacts = { charts: [], images: 0, texts: [] };
  let images = 0;
  for (const { target } of ofType('drawing')) {
    const facts = await readDrawing(parts, target);
    drawing.charts.push(...facts.charts);
    drawing.texts.push(...facts.texts);
    images += facts.images;
  }
  const threads = await readEach(parts, ofType('threadedComment'), (root) =>
    threadedComments(root, people),
  );
  const plain = await readEach(parts, ofType('comments'), plainComments);
  // A threaded comment leaves a plain copy at its cell that only tells to update the program.
  const threaded = new Set(threads.map(({ ref }) => ref));
  return {
    tables: await readEach(parts, ofType('table'), (root) => [
      {
        name: root.attributes['displayName'] ?? root.attributes['name'] ?? '',
        range: root.attributes['ref'] ?? '',
      },
    ]),
    pivots: await readPivots(parts, ofType('pivotTable')),
    comments: [...plain.filter(({ ref }) => !threaded.has(ref)), ...threads],
    drawing: { ...drawing, images },
  };
}

async function readEach<T>(
  parts: OfficePackage,
  relations: readonly Relationship[],
  read: (root: XmlElement) => T[],
): Promise<T[]> {
  const found: T[] = [];
  for (const { target } of relations)
    found.push(...read(parseXml(target, await parts.read(target))));
  return found;
}

function plainComments(root: XmlElement): SheetFact['comments'][number][] {
  const authors = elements(child(root, 'authors') ?? root, 'author').map(textOf);
  return elements(child(root, 'commentList') ?? root, 'comment').map((comment) => ({
    ref: comment.attributes['ref'] ?? '',
    author: authors[Number(comment.attributes['authorId'] ?? -1)] ?? '',
    text: descendants(comment, 't').map(textOf).join(''),
  }));
}

function threadedComments(
  root: XmlElement,
  people: ReadonlyMap<string, string>,
): SheetFact['comments'][number][] {
  return elements(root, 'threadedComment').map((comment) => ({
    ref: comment.attributes['ref'] ?? '',
    author: people.get(comment.attributes['personId'] ?? '') ?? '',
    text: textOf(child(comment, 'text')),
  }));
}

async function readPivots(
  parts: OfficePackage,
  relations: readonly Relationship[],
): Promise<NonNullable<SheetFact['pivots']>[number][]> {
  const pivots = [];
  for (const { target } of relations) {
    const root = parseXml(target, await parts.read(target));
    const cache = (await relationshipsOf(parts, target)).find(
      ({ type }) => type === 'pivotCacheDefinition',
    )?.target;
    const definition =
      cache !== undefined && parts.has(cache)
        ? parseXml(cache, await parts.read(cache))
        : undefined;
    const source = child(definition, 'cacheSource', 'worksheetSource')?.attributes;
    const fields = child(definition, 'cacheFields');
    pivots.push({
      name: root.attributes['name'] ?? '',
      range: child(root, 'location')?.attributes['ref'] ?? '',
      source: source?.['name'] ?? [source?.['sheet'], source?.['ref']].filter(Boolean).join('!'),
      fields: fields
        ? elements(fields, 'cacheField').map(({ attributes }) => attributes['name'] ?? '')
        : [],
    });
  }
  return pivots;
}

/** Names of those who wrote threaded comments, by their id. */
export async function readPeople(
  parts: OfficePackage,
  workbookPart: string,
): Promise<ReadonlyMap<string, string>> {
  const relations = (await relationshipsOf(parts, workbookPart)).filter(
    ({ type, target }) => type === 'person' && parts.has(target),
  );
  return new Map(
    await readEach(parts, relations, (root) =>
      elements(root, 'person').map(
        ({ attributes }) => [attributes['id'] ?? '', attributes['displayName'] ?? ''] as const,
      ),
    ),
  );
}
