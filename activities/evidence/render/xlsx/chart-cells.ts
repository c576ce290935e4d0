import { cellName, parseRange } from '../../../../core/cell-range';
import {
  type CellFact,
  type ChartFact,
  type ChartSource,
  type SheetFact,
} from '../../../../core/workbook-facts';

/** Points listed of a series, and cells looked at over all charts. */
const MAX_POINTS = 60;
const MAX_CELLS = 200_000;

/**
 * Charts with the names and points that their cells have now: programs draw those, whatever the file keeps of them, and
 * many libraries keep nothing. Where no such cells are known, what the file keeps stays.
 */
export function withChartCells(sheets: readonly SheetFact[]): SheetFact[] {
  if (sheets.every(({ charts }) => charts.length === 0)) return [...sheets];
  const cells = new ChartCells(sheets);
  return sheets.map((sheet) => ({
    ...sheet,
    charts: sheet.charts.map((chart) => withCells(chart, cells)),
  }));
}

function withCells({ sources, ...chart }: ChartFact, cells: ChartCells): ChartFact {
  if (!sources) return chart;
  const series = [...chart.series];
  const points: string[] = [];
  let details = chart.details ?? [];
  sources.forEach((source, at) => {
    const name = cells.textsOf(source.nameRef)?.filter(Boolean).join(' ') ?? source.name;
    const old = series[at] ?? '';
    if (name !== source.name && name !== '' && old.startsWith(`${source.name}:`)) {
      series[at] = `${name}${old.slice(source.name.length)}`;
      details = details.map((words) =>
        words.startsWith(`${source.name} `) ? `${name}${words.slice(source.name.length)}` : words,
      );
    }
    const text = pointsOf(source, cells) ?? source.points;
    if (text !== '') points.push(`${name === '' ? source.name : name}: ${text}`);
  });
  return {
    ...chart,
    series,
    ...(details.length > 0 ? { details } : {}),
    ...(points.length > 0 ? { points } : {}),
  };
}

function pointsOf({ categories, values }: ChartSource, cells: ChartCells): string | undefined {
  const numbers = cells.valuesOf(values);
  if (!numbers?.some((value) => value !== '')) return undefined;
  const names = cells.textsOf(categories) ?? [];
  const listed = numbers
    .slice(0, MAX_POINTS)
    .map((value, at) => (names[at] ? `${names[at]} = ${value || 'nothing'}` : value || 'nothing'));
  const more = numbers.length - listed.length;
  return `${listed.join('; ')}${more > 0 ? `; ${more} more points` : ''}`;
}

class ChartCells {
  private readonly bySheet = new Map<string, ReadonlyMap<string, CellFact>>();
  private left = MAX_CELLS;

  constructor(private readonly sheets: readonly SheetFact[]) {}

  textsOf(reference: string | undefined): string[] | undefined {
    return this.read(reference, ({ shown }) => shown);
  }

  valuesOf(reference: string | undefined): string[] | undefined {
    return this.read(reference, ({ value, cached, recalculated, flags }) => {
      const own = flags?.includes('calculated-on-opening') === true ? undefined : (value ?? cached);
      return String(own ?? recalculated ?? '');
    });
  }

  /** Cells of one row or column; of several columns, as levels of categories have them, the innermost. */
  private read(
    reference: string | undefined,
    textOf: (cell: CellFact) => string,
  ): string[] | undefined {
    const [, quoted, plain, place = ''] =
      /^(?:'((?:[^']|'')+)'|([^'!]+))!([$A-Z0-9:]+)$/u.exec(reference ?? '') ?? [];
    const range = parseRange(place);
    const cells = this.cellsOf(quoted?.replaceAll("''", "'") ?? plain ?? '');
    if (!range || !cells) return undefined;
    const { fromRow, fromColumn, toRow, toColumn } = range;
    const isTall = toRow - fromRow >= toColumn - fromColumn;
    const count = Math.min(isTall ? toRow - fromRow + 1 : toColumn - fromColumn + 1, 10_000);
    if (count > this.left) return undefined;
    this.left -= count;
    return Array.from({ length: count }, (_, at) => {
      const cell = cells.get(
        isTall ? cellName(fromRow + at, toColumn) : cellName(toRow, fromColumn + at),
      );
      return cell ? textOf(cell) : '';
    });
  }

  private cellsOf(sheet: string): ReadonlyMap<string, CellFact> | undefined {
    let cells = this.bySheet.get(sheet);
    const found = this.sheets.find(({ name }) => name === sheet);
    if (!cells && found) {
      cells = new Map(found.cells.map((cell) => [cell.ref, cell]));
      this.bySheet.set(sheet, cells);
    }
    return cells;
  }
}
