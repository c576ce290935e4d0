import { parseCell } from '../../../../core/cell-range';
import { type SheetFact } from '../../../../core/workbook-facts';
import { relativeFormula } from './formula';
import { RangeGroups } from './range-groups';
import { withoutWords } from './rich-runs';
import { withRoom } from './text-width';

/** Longer formulas are not compared with their neighbours'. */
const MAX_FORMULA = 500;

/** What is known of a sheet only when all its values are: groups of looks, formats and formulas, and room for texts. */
export function finishSheet(sheet: SheetFact): SheetFact {
  const cells = withRoom(sheet);
  const [looks, formats, formulas] = [new RangeGroups(), new RangeGroups(), new RangeGroups()];
  const firsts = new Map<string, string>();
  for (const cell of cells) {
    const place = parseCell(cell.ref);
    if (!place) continue;
    const { row, column } = place;
    if (cell.look !== undefined) looks.add(row, column, withoutWords(cell.look));
    if (cell.format !== undefined) formats.add(row, column, cell.format);
    if (cell.formula === undefined) continue;
    const shape =
      cell.formula.length > MAX_FORMULA ? cell.formula : relativeFormula(cell.formula, row, column);
    if (!firsts.has(shape)) firsts.set(shape, cell.formula);
    formulas.add(row, column, shape);
  }
  const all = {
    looks: [...looks.end(), ...(sheet.looks ?? [])],
    numberFormats: formats.end(),
    formulas: formulas
      .end()
      .map(({ what, ranges }) => ({ what: firsts.get(what) ?? what, ranges })),
  };
  const kept = Object.entries(all).filter(([, groups]) => groups.length > 0);
  return { ...sheet, cells, ...Object.fromEntries(kept) };
}
