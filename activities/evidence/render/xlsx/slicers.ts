import { type SlicerFact } from '../../../../core/workbook-facts';
import { type OfficePackage } from '../package';
import { type Relationship, contentTypes } from '../relationships';
import { type Rendering } from '../rendering';
import { type XmlElement, child, descendants, elements } from '../xml';
import { MAX_LISTED } from './bounded-list';
import { readTree } from './read-tree';

/** What a slicer or time line filters by, and what it lets through where that is not everything. */
export type SlicerCache = Pick<SlicerFact, 'source' | 'selected'>;

const MAX_SELECTED = 100;
const MAX_CACHES = 200;

/** The slicers of a workbook by the name of their cache, from the workbook's own relationships. */
export async function readSlicerCaches(
  parts: OfficePackage,
  workbook: XmlElement,
  relations: readonly Relationship[],
  rendering: Rendering,
): Promise<ReadonlyMap<string, SlicerCache>> {
  const caches = new Map<string, SlicerCache>();
  const own = relations.filter(({ type }) => type === 'slicerCache' || type === 'timelineCache');
  for (const { target } of own.slice(0, MAX_CACHES)) {
    const root = parts.has(target) ? await readTree(parts, target, rendering) : undefined;
    if (!root) continue;
    const table = descendants(root, 'tableSlicerCache')[0];
    const cache = table
      ? await tableCache(table, parts, rendering)
      : {
          source: pivotSource(root),
          ...selection(await pivotSelection(root, { parts, workbook, relations, rendering })),
        };
    caches.set(root.attributes['name'] ?? '', cache);
  }
  return caches;
}

/** Slicers and time lines of one part of a sheet. */
export function slicersOf(
  root: XmlElement,
  caches: ReadonlyMap<string, SlicerCache>,
  anchors: ReadonlyMap<string, string>,
): SlicerFact[] {
  const all = (['slicer', 'timeline'] as const).flatMap((kind) =>
    elements(root, kind).map(({ attributes }) => ({ kind, attributes })),
  );
  return all.slice(0, MAX_LISTED).map(({ kind, attributes }) => {
    const { name = '', caption = name, cache = '' } = attributes;
    const anchor = anchors.get(name);
    return {
      kind,
      name,
      caption,
      ...(caches.get(cache) ?? { source: `the cache ${cache}, which is not in the file` }),
      ...(anchor === undefined ? {} : { anchor }),
    };
  });
}

function selection(selected: readonly string[] | undefined): Pick<SlicerFact, 'selected'> {
  if (selected === undefined) return {};
  const more = selected.length - MAX_SELECTED;
  const shown = selected.slice(0, MAX_SELECTED);
  return { selected: more > 0 ? [...shown, `and ${more} more`] : shown };
}

function pivotSource(root: XmlElement): string {
  const tables = child(root, 'pivotTables');
  const names = (tables ? elements(tables, 'pivotTable') : []).map(
    ({ attributes }) => attributes['name'] ?? '',
  );
  return `field ${root.attributes['sourceName'] ?? ''} of pivot ${names.length === 1 ? 'table' : 'tables'} ${names.join(', ')}`;
}

interface PivotContext {
  readonly parts: OfficePackage;
  readonly workbook: XmlElement;
  readonly relations: readonly Relationship[];
  readonly rendering: Rendering;
}

/** `undefined` where everything is let through. */
async function pivotSelection(
  root: XmlElement,
  context: PivotContext,
): Promise<readonly string[] | undefined> {
  const period = child(root, 'state', 'selection')?.attributes;
  if (period) return [`${day(period['startDate'])} to ${day(period['endDate'])}`];
  const chosen = descendants(root, 'selection').map(({ attributes }) => attributes['n'] ?? '');
  if (chosen.length > 0) return chosen;
  const tabular = descendants(root, 'tabular')[0];
  const items = tabular ? descendants(tabular, 'i') : [];
  const selected = items.filter(({ attributes }) => attributes['s'] === '1');
  if (selected.length === 0 || selected.length === items.length) return undefined;
  const names = await sharedItems(root, tabular?.attributes['pivotCacheId'], context);
  return selected.map(({ attributes: { x = '' } }) => names[Number(x)] ?? `entry ${x}`);
}

const day = (date: string | undefined): string => (date ?? '').slice(0, 10);

/** Values of the field that the slicer is for, in the order by which its items name them. */
async function sharedItems(
  root: XmlElement,
  cacheId: string | undefined,
  { parts, workbook, relations, rendering }: PivotContext,
): Promise<string[]> {
  const cache = descendants(workbook, 'pivotCache').find(
    ({ attributes }) => attributes['cacheId'] === cacheId,
  );
  const id = cache?.attributes['r:id'];
  const target = relations.find((relation) => relation.id === id)?.target;
  if (target === undefined || !parts.has(target)) return [];
  const definition = await readTree(parts, target, rendering);
  const fields = child(definition, 'cacheFields');
  const field = (fields ? elements(fields, 'cacheField') : []).find(
    ({ attributes }) => attributes['name'] === root.attributes['sourceName'],
  );
  const items = child(field, 'sharedItems');
  return (items ? elements(items) : []).map(({ name, attributes }) =>
    name === 'm' ? '(blank)' : (attributes['v'] ?? ''),
  );
}

/** A slicer of a table shows what the table's own filter lets through. */
async function tableCache(
  { attributes: { tableId, column } }: XmlElement,
  parts: OfficePackage,
  rendering: Rendering,
): Promise<SlicerCache> {
  for (const [part, type] of await contentTypes(parts)) {
    if (!/spreadsheetml\.table\+xml$/u.test(type)) continue;
    const table = await readTree(parts, part, rendering);
    if (!table || table.attributes['id'] !== tableId) continue;
    const list = child(table, 'tableColumns');
    const columns = list ? elements(list, 'tableColumn') : [];
    const index = columns.findIndex(({ attributes }) => attributes['id'] === column);
    const filter = descendants(child(table, 'autoFilter') ?? table, 'filterColumn').find(
      ({ attributes }) => Number(attributes['colId']) === index,
    );
    const values = filter && descendants(filter, 'filter').map((each) => each.attributes['val']);
    const { displayName, name } = table.attributes;
    return {
      source: `column ${columns[index]?.attributes['name'] ?? column ?? ''} of table ${displayName ?? name ?? ''}`,
      ...selection(values?.map((value) => value ?? '')),
    };
  }
  return { source: 'a table that is not in the file' };
}
