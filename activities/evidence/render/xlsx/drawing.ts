import { LAST_COLUMN, LAST_ROW, cellName } from '../../../../core/cell-range';
import { type ChartFact, type DrawnFact } from '../../../../core/workbook-facts';
import { readChart } from '../chart';
import { type OfficePackage } from '../package';
import { type Rendering } from '../rendering';
import { type XmlElement, child, descendants, elements, textOf } from '../xml';
import { cutText } from './bounded-list';
import { readTree, sideRelations } from './read-tree';

export interface DrawingFacts {
  readonly charts: ChartFact[];
  readonly pictures: DrawnFact[];
  /** Shapes, text boxes and connectors, whether they have words or not. */
  readonly shapes: DrawnFact[];
  /** Anchors of slicers and time lines, by their name. */
  readonly slicers: Map<string, string>;
  beyond: number;
}

/** Objects of each kind that are listed for one drawing. */
const MAX_OBJECTS = 500;
const MAX_TEXT = 4_000;
const ANCHORS = new Set(['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor']);

export function noDrawing(): DrawingFacts {
  return { charts: [], pictures: [], shapes: [], slicers: new Map(), beyond: 0 };
}

/** Charts, pictures and shapes of a drawing part, in document order, each with its anchor. */
export async function readDrawing(
  parts: OfficePackage,
  part: string,
  rendering: Rendering,
): Promise<DrawingFacts> {
  const facts = noDrawing();
  const root = await readTree(parts, part, rendering);
  if (!root) return facts;
  const targets = new Map(
    (await sideRelations(parts, part, rendering)).map((relation) => [relation.id, relation.target]),
  );
  for (const anchor of elements(root).filter(({ name }) => ANCHORS.has(name))) {
    const place = anchorText(anchor);
    addDrawn(facts.pictures, descendants(anchor, 'pic'), anchor, place, facts);
    addDrawn(facts.shapes, shapesOf(anchor), anchor, place, facts);
    for (const slicer of [...descendants(anchor, 'slicer'), ...descendants(anchor, 'timeslicer')])
      facts.slicers.set(slicer.attributes['name'] ?? '', place);
    // An extended chart stands in the first choice of an AlternateContent; its fallback is a plain shape.
    for (const reference of descendants(anchor, 'chart')) {
      const target = targets.get(reference.attributes['r:id'] ?? '');
      if (target === undefined || !parts.has(target)) continue;
      if (facts.charts.length >= MAX_OBJECTS) facts.beyond++;
      else facts.charts.push(await chartAt(parts, target, place, rendering));
    }
  }
  return facts;
}

async function chartAt(
  parts: OfficePackage,
  target: string,
  anchor: string,
  rendering: Rendering,
): Promise<ChartFact> {
  try {
    return { ...(await readChart(parts, target)), anchor };
  } catch {
    rendering.truncate(`chart part ${target} cannot be read`);
    return { type: 'unreadable', title: '', series: [], anchor };
  }
}

/** Shapes outside of fallbacks: what stands in one is drawn by programs that do not know the first choice. */
function shapesOf(parent: XmlElement): XmlElement[] {
  return elements(parent).flatMap((each) => {
    if (each.name === 'Fallback') return [];
    const own = each.name === 'sp' || each.name === 'cxnSp' ? [each] : [];
    return [...own, ...shapesOf(each)];
  });
}

function addDrawn(
  list: DrawnFact[],
  found: readonly XmlElement[],
  anchor: XmlElement,
  place: string,
  facts: DrawingFacts,
): void {
  for (const element of found) {
    if (list.length >= MAX_OBJECTS) {
      facts.beyond++;
      continue;
    }
    const properties = elements(element).find(({ name }) => /^nv.*Pr$/u.test(name));
    const named = child(properties, 'cNvPr')?.attributes ?? {};
    const text = cutText(paragraphs(child(element, 'txBody')), MAX_TEXT);
    const alternativeText = cutText(
      [named['title'], named['descr']].filter(Boolean).join(': '),
      MAX_TEXT,
    );
    const unseen = unseenBy(anchor, element, named['hidden']);
    list.push({
      name: named['name'] ?? '',
      anchor: place,
      ...(text === '' ? {} : { text }),
      ...(alternativeText === '' ? {} : { alternativeText }),
      ...(unseen === undefined ? {} : { unseen }),
    });
  }
}

function paragraphs(body: XmlElement | undefined): string {
  if (!body) return '';
  return elements(body, 'p')
    .map((paragraph) => descendants(paragraph, 't').map(textOf).join(''))
    .join('\n')
    .trim();
}

interface Corner {
  readonly row: number;
  readonly column: number;
}

function corner(element: XmlElement | undefined): Corner | undefined {
  if (!element) return undefined;
  const number = (name: string): number => Number(textOf(child(element, name)).trim() || NaN) + 1;
  const place = { row: number('row'), column: number('col') };
  return place.row >= 1 && place.column >= 1 && place.row <= LAST_ROW && place.column <= LAST_COLUMN
    ? place
    : undefined;
}

function anchorText(anchor: XmlElement): string {
  const [from, to] = [corner(child(anchor, 'from')), corner(child(anchor, 'to'))];
  const first = from && cellName(from.row, from.column);
  const last = to && cellName(to.row, to.column);
  if (first !== undefined) return last === undefined || last === first ? first : `${first}:${last}`;
  const { x = '?', y = '?' } = child(anchor, 'pos')?.attributes ?? {};
  return anchor.name === 'absoluteAnchor' ? `position ${x},${y}` : 'no cell of the sheet';
}

/** Rows and columns that nobody scrolls to. */
const FAR_ROWS = 10_000;
const FAR_COLUMNS = 500;

function unseenBy(
  anchor: XmlElement,
  element: XmlElement,
  hidden: string | undefined,
): string | undefined {
  if (hidden === '1' || hidden === 'true') return 'marked as hidden';
  const from = corner(child(anchor, 'from'));
  if (anchor.name !== 'absoluteAnchor') {
    if (!from) return 'off the sheet';
    if (from.row > FAR_ROWS || from.column > FAR_COLUMNS) return 'far off';
  }
  const { x = '0', y = '0' } = child(anchor, 'pos')?.attributes ?? {};
  if (Number(x) < 0 || Number(y) < 0) return 'off the sheet';
  return isOfNoSize(anchor, element) ? 'of no size' : undefined;
}

/** Cells give the size of what is bound to two of them; a connector may well be flat. */
function isOfNoSize(anchor: XmlElement, element: XmlElement): boolean {
  if (element.name === 'cxnSp' || anchor.name === 'twoCellAnchor') return false;
  const size = (child(anchor, 'ext') ?? child(element, 'spPr', 'xfrm', 'ext'))?.attributes;
  return size?.['cx'] === '0' && size['cy'] === '0';
}
