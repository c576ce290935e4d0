import { type SheetFact } from '../../../core/evidence-view';

/** What of a sheet besides its cells differs, in numbers and our own words: never texts of the files. */
export function differingStructure(ours: SheetFact, given: SheetFact): string[] {
  const found: string[] = [];
  if (ours.state !== given.state)
    found.push(`state ${given.state} in the input, ${ours.state} in the deliverable`);
  for (const [name, list] of LISTS) {
    const [after, before] = [list(ours), list(given)];
    if (after.length !== before.length)
      found.push(`${name}: ${before.length} in the input, ${after.length} in the deliverable`);
    else if (after.some((each, index) => each !== before[index])) found.push(`${name} differ`);
  }
  return found;
}

const json = (value: unknown): string => JSON.stringify(value);

/** Lists of a sheet, each entry as text; the order that programs write them in does not count. */
const LISTS: readonly (readonly [string, (sheet: SheetFact) => string[]])[] = [
  ['merged ranges', ({ merged }) => [...merged].sort()],
  ['freeze panes', ({ freezePane }) => (freezePane === undefined ? [] : [freezePane])],
  ['filters', ({ autoFilter }) => (autoFilter === undefined ? [] : [autoFilter])],
  ['hidden rows', ({ hiddenRows }) => hiddenRows.map(String)],
  ['hidden columns', ({ hiddenColumns }) => [...hiddenColumns]],
  ['tables', ({ tables }) => tables.map(({ name, range }) => `${name} ${range}`).sort()],
  ['charts', ({ charts }) => charts.map(({ type, title, series }) => json([type, title, series]))],
  ['pivot tables', ({ pivots = [] }) => pivots.map(({ name, range }) => `${name} ${range}`).sort()],
  ['comments', ({ comments }) => comments.map(({ ref, text }) => `${ref} ${text}`).sort()],
  ['validations', ({ validations }) => validations.map(json).sort()],
  ['conditional formats', ({ conditionalFormats }) => conditionalFormats.map(json).sort()],
  ['images', ({ images }) => Array.from({ length: images }, () => '')],
];
