import { displayWidth, fitMiddle, fitWidth } from './width';

/** Narrowest a column of text becomes; the first one names the row and keeps more. */
const MIN_TEXT = 10;
/** Of a column whose cells go on below: a few words a line. */
const MIN_WRAPPED = 28;
const MIN_FIRST = 26;
/** Still room for a mark such as `(simulated)`. */
const TINY_FIRST = 18;
/** Steps in which widths are tried. */
const WIDER = 4;
const GAP = 2;

/** A table laid out for a width: its columns in blocks that each fit, the first column in all of them. */
export interface TableBlock {
  /** Indices of columns. */
  readonly columns: readonly number[];
  readonly widths: readonly number[];
  /** Shortened to this width, two rows would have one name: names go on below instead. */
  readonly wrapsFirst: boolean;
}

/**
 * Columns with widths that fit into `width`. Figures are never cut; columns of text shrink, the widest first; columns
 * that do not fit beside the others go into a further block. The first column has one width in all blocks, so that a
 * name is shortened in one way only.
 *
 * @param lines cells of header and rows, escaped
 */
export function layOut(
  lines: readonly (readonly string[])[],
  isFigure: (column: number) => boolean,
  width: number,
  isWrapped: (column: number) => boolean = () => false,
): TableBlock[] {
  const natural = (lines[0] ?? []).map((_cell, column) =>
    Math.max(...lines.map((line) => displayWidth(line[column] ?? ''))),
  );
  const widestFigure = Math.max(0, ...natural.filter((_width, column) => isFigure(column)));
  const mostFirst = Math.max(TINY_FIRST, width - GAP - widestFigure);
  const names = lines.map(([name = '']) => name);
  const leastFirst = namingWidth(
    names,
    Math.min(MIN_FIRST, mostFirst),
    Math.min(natural[0] ?? 0, mostFirst),
  );
  const leastWrapped = Math.max(MIN_TEXT, Math.min(MIN_WRAPPED, width - GAP - leastFirst));
  const columns = natural.map((own, column) => {
    const least = column === 0 ? leastFirst : isWrapped(column) ? leastWrapped : MIN_TEXT;
    return { column, natural: own, least: isFigure(column) ? own : Math.min(own, least) };
  });
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const blocks: (typeof columns)[] = [];
  let block = [first];
  for (const column of others) {
    const needed = total([...block, column].map(({ least }) => least));
    if (needed > width && block.length > 1) {
      blocks.push(block);
      block = [first];
    }
    block.push(column);
  }
  blocks.push(block);
  const narrowest = Math.min(...blocks.map((each) => shrink(each, width)[0] ?? 0));
  const fixed = { ...first, natural: narrowest, least: narrowest };
  const wrapsFirst = !tellApart(names, narrowest);
  return blocks.map(([_first, ...rest]) => ({
    wrapsFirst,
    columns: [0, ...rest.map(({ column }) => column)],
    widths: shrink([fixed, ...rest], width),
  }));
}

/** The least width at which shortened names still tell the rows apart that they name; `least` where none does. */
function namingWidth(names: readonly string[], least: number, most: number): number {
  for (let width = least; width <= most; width = Math.min(most, width + WIDER)) {
    if (tellApart(names, width)) return width;
    if (width === most) break;
  }
  return least;
}

function tellApart(names: readonly string[], width: number): boolean {
  return new Set(names.map((name) => fitMiddle(name, width))).size === new Set(names).size;
}

function shrink(
  columns: readonly { readonly natural: number; readonly least: number }[],
  width: number,
): number[] {
  const widths = columns.map(({ natural }) => natural);
  let over = total(widths) - width;
  while (over > 0) {
    // The widest column that may still shrink gives way, down to the next widest.
    const open = columns.flatMap(({ least }, index) =>
      (widths[index] ?? 0) > least ? [{ index, least, now: widths[index] ?? 0 }] : [],
    );
    const widest = open.sort((left, right) => right.now - left.now)[0];
    if (widest === undefined) break;
    const next = Math.max(widest.least, open[1]?.now ?? 0);
    const cut = Math.min(over, Math.max(1, widest.now - next));
    widths[widest.index] = widest.now - cut;
    over -= cut;
  }
  return widths;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, 0) + GAP * Math.max(0, widths.length - 1);
}

/** A cell at exactly `width`; the first column, which holds ids and marks, keeps its end. */
export function fitCell(cell: string, column: number, width: number, isFigure: boolean): string {
  const text = column === 0 ? fitMiddle(cell, width) : fitWidth(cell, width);
  const pad = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return isFigure ? pad + text : text + pad;
}
