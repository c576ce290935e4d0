import { type SheetFact } from '../../../../core/workbook-facts';
import { type OfficePackage } from '../package';
import { type Rendering } from '../rendering';
import { descendants } from '../xml';
import { readTree } from './read-tree';

/** Kinds of parts by the end of their content type. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['worksheets', /spreadsheetml\.worksheet\+xml$/u],
  ['chartsheets', /spreadsheetml\.chartsheet\+xml$/u],
  ['charts', /drawingml\.chart\+xml$|ms-office\.chartex\+xml$/u],
  ['tables', /spreadsheetml\.table\+xml$/u],
  ['pivots', /spreadsheetml\.pivotTable\+xml$/u],
  ['drawings', /officedocument\.drawing\+xml$/u],
  ['externalLinks', /spreadsheetml\.externalLink\+xml$/u],
  ['macros', /vbaProject$/u],
  ['images', /^image\//u],
];

/** Counts straight from the package, to hold what the sheets gave us against. */
export async function countParts(
  parts: OfficePackage,
  types: ReadonlyMap<string, string>,
  rendering: Rendering,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [kind, pattern] of KINDS) {
    const count = [...types.values()].filter((type) => pattern.test(type)).length;
    if (count > 0) counts[kind] = count;
  }
  const comments = await countComments(parts, types, rendering);
  if (comments > 0) counts['comments'] = comments;
  return counts;
}

/** Comments, where a threaded one and its plain copy count once: cells and not parts are told apart. */
async function countComments(
  parts: OfficePackage,
  types: ReadonlyMap<string, string>,
  rendering: Rendering,
): Promise<number> {
  let plain = 0;
  let threads = 0;
  const threadedCells = new Set<string>();
  for (const [part, type] of types) {
    const isThreaded = /ms-excel\.threadedcomments\+xml$/u.test(type);
    if (!isThreaded && !/spreadsheetml\.comments\+xml$/u.test(type)) continue;
    const root = await readTree(parts, part, rendering);
    if (!root) continue;
    if (!isThreaded) plain += descendants(root, 'comment').length;
    else
      for (const comment of descendants(root, 'threadedComment')) {
        threads++;
        threadedCells.add(`${part} ${comment.attributes['ref'] ?? ''}`);
      }
  }
  return Math.max(0, plain - threadedCells.size) + threads;
}

/** Something in the package that no sheet led to is said, never lost without a word. */
export function warnOfMissedParts(
  counts: Readonly<Record<string, number>>,
  sheets: readonly SheetFact[],
  rendering: Rendering,
): void {
  const found: Record<string, number> = {
    charts: sum(sheets, ({ charts }) => charts.length),
    tables: sum(sheets, ({ tables }) => tables.length),
    pivots: sum(sheets, ({ pivots }) => pivots?.length ?? 0),
    comments: sum(
      sheets,
      ({ comments, unlisted }) => comments.length + (unlisted?.['comments'] ?? 0),
    ),
  };
  for (const [kind, count] of Object.entries(found)) {
    const inPackage = counts[kind] ?? 0;
    if (count !== inPackage)
      rendering.warn(`the package has ${inPackage} ${kind}, the sheets lead to ${count}`);
  }
}

function sum(sheets: readonly SheetFact[], of: (sheet: SheetFact) => number): number {
  return sheets.reduce((total, sheet) => total + of(sheet), 0);
}
