import { effectiveValue } from '../../../core/cell-range';
import {
  type CellFact,
  type ComparedPart,
  type ComparedPlace,
  type SheetFact,
  type WorkbookFacts,
} from '../../../core/evidence-view';
import { LISTED_DIFFERENCES } from './statement';
import { differingStructure } from './sheet-structure';

type CellDifference = 'value' | 'formula' | 'result' | 'format';

/**
 * Sheets of a workbook against those of an input. Bytes never count, since every library rewrites them: values,
 * formulas, results, number formats and structure do. A removed and an added sheet of the same content are one
 * renamed sheet.
 */
export function compareWorkbooks(
  artifact: string,
  input: string,
  ours: WorkbookFacts,
  given: WorkbookFacts,
): ComparedPart[] {
  const taken = new Set<SheetFact>();
  const pairs = given.sheets.map((sheet) => {
    const match = ours.sheets.find(({ name }) => name === sheet.name);
    if (match) taken.add(match);
    return { sheet, match };
  });
  const parts = pairs.map(({ sheet, match }): ComparedPart => {
    if (match) return compareSheets({ artifact, input }, match, sheet);
    const renamed = ours.sheets.find((each) => !taken.has(each) && isSameContent(each, sheet));
    if (!renamed) return withoutDifferences(sheet, 'removed');
    taken.add(renamed);
    return {
      part: renamed.name,
      formerPart: sheet.name,
      change: 'renamed',
      statement: `renamed: otherwise as in the input, ${extentOf(sheet)}`,
      differences: [],
      differenceCount: 0,
    };
  });
  const added = ours.sheets.filter((sheet) => !taken.has(sheet));
  return [...parts, ...added.map((sheet) => withoutDifferences(sheet, 'added'))];
}

function withoutDifferences(sheet: SheetFact, change: 'added' | 'removed'): ComparedPart {
  return {
    part: sheet.name,
    change,
    statement: `${change}: ${extentOf(sheet)}`,
    differences: [],
    differenceCount: 0,
  };
}

function extentOf({ cellCount, usedRange }: SheetFact): string {
  return cellCount === 0 ? 'an empty sheet' : `${cellCount} cells of ${usedRange}`;
}

function isSameContent(left: SheetFact, right: SheetFact): boolean {
  if (left.cellCount === 0 || left.cellCount !== right.cellCount) return false;
  if (left.usedRange !== right.usedRange || hasUnlisted(left, right)) return false;
  return cellDifferences(left, right).length === 0 && differingStructure(left, right).length === 0;
}

/** Whether cells beyond the listed ones may differ: their digests say so, where both have one. */
function hasUnlisted(left: SheetFact, right: SheetFact): boolean {
  const all = left.cells.length >= left.cellCount && right.cells.length >= right.cellCount;
  const sameDigest = left.cellsDigest !== undefined && left.cellsDigest === right.cellsDigest;
  return !all && !sameDigest;
}

function compareSheets(
  files: { readonly artifact: string; readonly input: string },
  ours: SheetFact,
  given: SheetFact,
): ComparedPart {
  const cells = cellDifferences(ours, given);
  const structure = differingStructure(ours, given);
  const differences: ComparedPlace[] = [
    ...structure.map((each): ComparedPlace => ({
      locator: {
        artifact: files.artifact,
        kind: 'comparison',
        input: files.input,
        part: ours.name,
      },
      kind: 'structure',
      text: each,
    })),
    ...cells.slice(0, LISTED_DIFFERENCES).map(({ kind, ours: after, given: before, ref }) => ({
      locator: {
        artifact: after ? files.artifact : files.input,
        kind: 'cells' as const,
        sheet: ours.name,
        range: ref,
      },
      kind,
      text: `input ${described(before)}, deliverable ${described(after)}`,
    })),
  ];
  const differenceCount = cells.length + structure.length;
  return {
    part: ours.name,
    ...statementOf(ours, given, cells, structure),
    differences,
    differenceCount,
  };
}

function statementOf(
  ours: SheetFact,
  given: SheetFact,
  cells: readonly Difference[],
  structure: readonly string[],
): Pick<ComparedPart, 'change' | 'statement'> {
  const extent =
    ours.usedRange === given.usedRange
      ? ''
      : `; used range ${given.usedRange || 'empty'} in the input, ${ours.usedRange || 'empty'} in the deliverable`;
  const shape = structure.length === 0 ? '' : `; structure: ${structure.join('; ')}`;
  if (cells.length === 0) {
    if (hasUnlisted(ours, given))
      return {
        change: 'unknown',
        statement: `unknown: the listed cells are as in the input, others are not listed (${given.cellCount} cells in the input, ${ours.cellCount} in the deliverable)${shape}`,
      };
    return structure.length === 0
      ? {
          change: 'unchanged',
          statement: `unchanged: values, formulas and number formats of all ${extentOf(given)}, and the structure`,
        }
      : {
          change: 'changed',
          statement: `changed: values, formulas and number formats of all ${extentOf(given)} are as in the input${shape}`,
        };
  }
  const of = (kind: CellDifference): number => cells.filter((cell) => cell.kind === kind).length;
  const counted = (['value', 'formula', 'result', 'format'] as const)
    .filter((kind) => of(kind) > 0)
    .map((kind) => `${of(kind)} in ${kind}`);
  const same = new Set([...ours.cells, ...given.cells].map(({ ref }) => ref)).size - cells.length;
  return {
    change: 'changed',
    statement: `changed: ${cells.length} cells differ (${counted.join(', ')}), ${same} are as in the input${hasUnlisted(ours, given) ? ', others are not listed' : ''}${extent}${shape}`,
  };
}

interface Difference {
  readonly ref: string;
  readonly kind: CellDifference;
  readonly ours: CellFact | undefined;
  readonly given: CellFact | undefined;
}

/** In the order of the deliverable's cells, then what only the input has. */
function cellDifferences(ours: SheetFact, given: SheetFact): Difference[] {
  const before = new Map(given.cells.map((cell) => [cell.ref, cell]));
  const after = new Set(ours.cells.map(({ ref }) => ref));
  return [
    ...ours.cells.flatMap((cell): Difference[] => {
      const other = before.get(cell.ref);
      const kind = differenceOf(cell, other);
      return kind ? [{ ref: cell.ref, kind, ours: cell, given: other }] : [];
    }),
    ...given.cells
      .filter(({ ref }) => !after.has(ref))
      .map((cell): Difference => ({
        ref: cell.ref,
        kind: cell.formula === undefined ? 'value' : 'formula',
        ours: undefined,
        given: cell,
      })),
  ];
}

function differenceOf(ours: CellFact, given: CellFact | undefined): CellDifference | undefined {
  if (!given) return ours.formula === undefined ? 'value' : 'formula';
  if (normal(ours.formula) !== normal(given.formula)) return 'formula';
  if (ours.formula === undefined) {
    if (!isSame(ours.value, given.value)) return 'value';
  } else if (!ours.flags?.includes('volatile') && resultDiffers(ours, given)) return 'result';
  return (ours.format ?? 'General') === (given.format ?? 'General') ? undefined : 'format';
}

/** A formula that a library wrote without its result says nothing about the result. */
function resultDiffers(ours: CellFact, given: CellFact): boolean {
  const [left, right] = [effectiveValue(ours), effectiveValue(given)];
  return left !== null && right !== null && !isSame(left, right);
}

function normal(formula: string | undefined): string | undefined {
  return formula?.replace(/^=/u, '').replace(/_xl(?:fn|ws|pm)\./gu, '');
}

function isSame(left: CellFact['value'], right: CellFact['value']): boolean {
  if (typeof left === 'number' && typeof right === 'number')
    return Math.abs(left - right) <= 1e-12 * Math.max(Math.abs(left), Math.abs(right));
  return left === right;
}

function described(cell: CellFact | undefined): string {
  if (!cell) return '(empty)';
  if (cell.flags?.includes('unseen')) return '(not visible to a reader)';
  const value = JSON.stringify(effectiveValue(cell));
  const formula = cell.formula === undefined ? '' : ` from ${cell.formula}`;
  const format = cell.format === undefined ? '' : ` as ${cell.format}`;
  return `${value}${formula}${format}`.slice(0, 300);
}
