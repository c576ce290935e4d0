import { type PivotFact } from '../../../../core/workbook-facts';
import { type OfficePackage } from '../package';
import { type Rendering } from '../rendering';
import { type XmlElement, child, elements } from '../xml';
import { readTree, sideRelations } from './read-tree';

/** A pivot table with its source, and which fields lie on rows, columns, filters and values. */
export async function readPivot(
  parts: OfficePackage,
  part: string,
  root: XmlElement,
  rendering: Rendering,
): Promise<PivotFact> {
  const cache = (await sideRelations(parts, part, rendering)).find(
    ({ type }) => type === 'pivotCacheDefinition',
  )?.target;
  const definition =
    cache !== undefined && parts.has(cache) ? await readTree(parts, cache, rendering) : undefined;
  const fields = listOf(definition, 'cacheFields', 'cacheField').map(
    ({ attributes }) => attributes['name'] ?? '',
  );
  const nameOf = (index: string | undefined): string =>
    // The position of the values among the row or column fields.
    index === '-2' ? 'values' : (fields[Number(index)] ?? `field ${index ?? '?'}`);
  const fieldsOf = (list: string, entry: string, attribute: string): string[] =>
    listOf(root, list, entry).map(({ attributes }) => nameOf(attributes[attribute]));
  return {
    name: root.attributes['name'] ?? '',
    range: child(root, 'location')?.attributes['ref'] ?? '',
    source: sourceOf(definition),
    fields,
    rows: fieldsOf('rowFields', 'field', 'x'),
    columns: fieldsOf('colFields', 'field', 'x'),
    filters: fieldsOf('pageFields', 'pageField', 'fld'),
    values: listOf(root, 'dataFields', 'dataField').map(
      ({ attributes: { name = '', fld, subtotal = 'sum' } }) =>
        `${name === '' ? nameOf(fld) : name} (${subtotal} of ${nameOf(fld)})`,
    ),
  };
}

function sourceOf(definition: XmlElement | undefined): string {
  const source = child(definition, 'cacheSource');
  const sheet = child(source, 'worksheetSource')?.attributes;
  if (sheet) return sheet['name'] ?? [sheet['sheet'], sheet['ref']].filter(Boolean).join('!');
  return source?.attributes['type'] ?? '';
}

function listOf(parent: XmlElement | undefined, list: string, entry: string): XmlElement[] {
  const found = child(parent, list);
  return found ? elements(found, entry) : [];
}
