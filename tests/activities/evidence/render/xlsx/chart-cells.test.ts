import { withChartCells } from '../../../../../activities/evidence/render/xlsx/chart-cells';
import { type CellFact, type ChartFact, type SheetFact } from '../../../../../core/workbook-facts';
import { sheetOf } from '../../../../support/evidence';

const cell = (ref: string, value: string | number, more: Partial<CellFact> = {}): CellFact => ({
  ref,
  value,
  shown: String(value),
  ...more,
});

const CHART: ChartFact = {
  type: 'column',
  title: 'T',
  series: ["'My Data'!B1: 'My Data'!$A$2:$A$3 -> 'My Data'!$B$2:$B$3"],
  details: ["'My Data'!B1 colour C00000"],
  sources: [
    {
      name: "'My Data'!B1",
      nameRef: "'My Data'!B1",
      categories: "'My Data'!$A$2:$A$3",
      values: "'My Data'!$B$2:$B$3",
      points: 'old = 1',
    },
  ],
};

function chartOver(cells: readonly CellFact[], chart: ChartFact = CHART): ChartFact | undefined {
  const data: SheetFact = { ...sheetOf('My Data', []), cells };
  return withChartCells([{ ...sheetOf('Board', []), charts: [chart] }, data])[0]?.charts[0];
}

test('names and points are those of the cells, dates and formulas as they are shown and calculated', () => {
  const chart = chartOver([
    cell('B1', 'Revenue'),
    cell('A2', 46023, { shown: 'Jan-26' }),
    cell('B2', 18867.67, { shown: '$18,868' }),
    cell('A3', 46054, { shown: 'Feb-26' }),
    { ref: 'B3', value: null, shown: '7', formula: '=3+4', recalculated: 7 },
  ]);
  expect(chart).toEqual({
    type: 'column',
    title: 'T',
    series: ["Revenue: 'My Data'!$A$2:$A$3 -> 'My Data'!$B$2:$B$3"],
    details: ['Revenue colour C00000'],
    points: ['Revenue: Jan-26 = 18867.67; Feb-26 = 7'],
  });
});

test('a value that programs calculate on opening is drawn as calculated', () => {
  const chart = chartOver([
    {
      ...cell('B2', 0),
      formula: '=1+1',
      cached: 0,
      recalculated: 2,
      flags: ['calculated-on-opening'],
    },
  ]);
  expect(chart?.points).toEqual(["'My Data'!B1: 2; nothing"]);
});

test('what the file keeps stays where the cells are not known, and no source is left in the facts', () => {
  const chart = chartOver([]);
  expect(chart?.points).toEqual(["'My Data'!B1: old = 1"]);
  expect(chart).not.toHaveProperty('sources');
});
