import { runCheck } from '../../../activities/checks/run-check';
import { type Check } from '../../../core/rubric';
import { evidenceOf, sheetOf, type TestCell, workbookEvidence } from '../../support/evidence';

const ROWS: readonly (readonly TestCell[])[] = [
  ['Inventory 2026', null, null, null],
  [null, null, null, null],
  ['SKU', 'Name', 'Qty (pcs)', 'Value'],
  [
    'A-1',
    'Bolt',
    3,
    { value: 7.5, shown: '7.50', format: '#,##0.00', formula: '=C4*2.5', cached: 7.5 },
  ],
  ['A-2', 'Nut', { value: '1,200', shown: '1,200', flags: ['number-as-text'] }, 12.5],
  ['B-7', 'Gear', 10, { value: null, shown: '80', formula: '=C6*8', recalculated: 80 }],
  ['Total', null, 1213, { value: 100, shown: '100', formula: '=SUM(D4:D6)', cached: 100 }],
  [null, null, null, null],
  ['Note: prices as of March', null, null, null],
];

const evidence = workbookEvidence(
  sheetOf('Stock', ROWS),
  sheetOf('Left out', [['Row'], [5]]),
  sheetOf('Hidden', [['x']], { state: 'hidden' }),
);

const FILE = { file: 'book.xlsx', sheet: 'Stock' } as const;

async function outcomeOf(check: Check): Promise<string> {
  return (await runCheck(check, evidence)).outcome;
}

test.each<[string, Check, string]>([
  ['a sheet is there', { kind: 'sheet-exists', ...FILE }, 'met'],
  ['names match exactly', { kind: 'sheet-exists', file: 'book.xlsx', sheet: 'stock' }, 'unmet'],
  [
    'a hidden sheet',
    { kind: 'sheet-exists', file: 'book.xlsx', sheet: 'Hidden' },
    'not-applicable',
  ],
  ['order', { kind: 'sheet-order', file: 'book.xlsx', sheets: ['Stock', 'Left out'] }, 'met'],
  [
    'wrong order',
    { kind: 'sheet-order', file: 'book.xlsx', sheets: ['Left out', 'Stock'] },
    'unmet',
  ],
  ['a cell', { kind: 'cell-equals', ...FILE, cell: 'C4', value: 3 }, 'met'],
  ['a number kept as text', { kind: 'cell-equals', ...FILE, cell: 'C5', value: 1200 }, 'met'],
  ['a recalculated value', { kind: 'cell-equals', ...FILE, cell: 'D6', value: 80 }, 'met'],
  ['a wrong cell', { kind: 'cell-equals', ...FILE, cell: 'C4', value: 4 }, 'unmet'],
  ['an empty cell', { kind: 'cell-equals', ...FILE, cell: 'Z9', value: 4 }, 'unmet'],
  [
    'within tolerance',
    { kind: 'cell-equals', ...FILE, cell: 'C4', value: 3.4, tolerance: 0.5 },
    'met',
  ],
  [
    'another sheet name',
    { kind: 'cell-equals', file: 'book.xlsx', sheet: 'Bestand', cell: 'A1', value: 1 },
    'not-applicable',
  ],
  [
    'the first sheet',
    { kind: 'cell-equals', file: 'book.xlsx', sheet: '*', cell: 'A4', value: 'a-1' },
    'met',
  ],
  [
    'a row by its key',
    { kind: 'row-value-equals', ...FILE, keyColumn: 'SKU', key: 'A 1', column: 'Qty', value: 3 },
    'met',
  ],
  [
    'a wrong value in a row',
    { kind: 'row-value-equals', ...FILE, keyColumn: 'SKU', key: 'A-2', column: 'Qty', value: 12 },
    'unmet',
  ],
  [
    'a key that is nowhere',
    { kind: 'row-value-equals', ...FILE, keyColumn: 'SKU', key: 'Q-9', column: 'Qty', value: 3 },
    'unmet',
  ],
  [
    'a key in another column',
    { kind: 'row-value-equals', ...FILE, keyColumn: 'SKU', key: 'Gear', column: 'Qty', value: 3 },
    'not-applicable',
  ],
  [
    'headers that are not there',
    {
      kind: 'row-value-equals',
      ...FILE,
      keyColumn: 'Article',
      key: 'A-1',
      column: 'Qty',
      value: 3,
    },
    'not-applicable',
  ],
  [
    'a column in order',
    { kind: 'column-matches', ...FILE, column: 'SKU', values: ['A-1', 'A-2', 'B-7'] },
    'met',
  ],
  [
    'a column in another order',
    { kind: 'column-matches', ...FILE, column: 'SKU', values: ['B-7', 'A-2', 'A-1'] },
    'unmet',
  ],
  [
    'a column as a set',
    {
      kind: 'column-matches',
      ...FILE,
      column: 'SKU',
      values: ['B-7', 'A-2', 'A-1'],
      ordered: false,
    },
    'met',
  ],
  [
    'a value too many',
    { kind: 'column-matches', ...FILE, column: 'SKU', values: ['A-1', 'A-2'], ordered: false },
    'unmet',
  ],
  [
    'rows without the total and notes',
    { kind: 'row-count', ...FILE, column: 'SKU', count: 3 },
    'met',
  ],
  ['another number of rows', { kind: 'row-count', ...FILE, column: 'SKU', count: 4 }, 'unmet'],
  [
    'formulas in a share of cells',
    { kind: 'formula-present', ...FILE, range: 'D4:D7', share: 0.75 },
    'met',
  ],
  ['constants among formulas', { kind: 'formula-present', ...FILE, range: 'D4:D7' }, 'unmet'],
  ['an empty range', { kind: 'formula-present', ...FILE, range: 'H1:H9' }, 'not-applicable'],
  ['a number format', { kind: 'number-format', ...FILE, range: 'D4', pattern: '0\\.00' }, 'met'],
  [
    'another number format',
    { kind: 'number-format', ...FILE, range: 'D4:D5', pattern: '0\\.00' },
    'unmet',
  ],
  [
    'a range without numbers',
    { kind: 'number-format', ...FILE, range: 'A4:B6', pattern: '0' },
    'not-applicable',
  ],
  [
    'a pattern that is none',
    { kind: 'number-format', ...FILE, range: 'D4', pattern: '(' },
    'not-applicable',
  ],
  ['no errors', { kind: 'no-error-cells', file: 'book.xlsx' }, 'met'],
  ['a missing file', { kind: 'no-error-cells', file: 'other.xlsx' }, 'unmet'],
  [
    'a sum without its total equals a cell',
    {
      kind: 'values-agree',
      left: { ...FILE, sumColumn: 'Qty' },
      right: { ...FILE, cell: 'C7' },
    },
    'met',
  ],
  [
    'two cells that differ',
    { kind: 'values-agree', left: { ...FILE, cell: 'C4' }, right: { ...FILE, cell: 'C6' } },
    'unmet',
  ],
])('%s', async (_, check, outcome) => {
  expect(await outcomeOf(check)).toBe(outcome);
});

test('met outcomes cite a place that holds what they quote', async () => {
  const { citations } = await runCheck(
    { kind: 'row-value-equals', ...FILE, keyColumn: 'SKU', key: 'A-2', column: 'Qty', value: 1200 },
    evidence,
  );
  expect(citations).toEqual([
    {
      locator: { artifact: 'results/book.xlsx', kind: 'cells', sheet: 'Stock', range: 'C5' },
      quote: '1,200',
    },
  ]);
});

describe('error cells', () => {
  test('an error value anywhere is unmet, with its place', async () => {
    const broken = workbookEvidence(
      sheetOf('A', [[1]]),
      sheetOf('B', [[{ value: null, formula: '=1/0', shown: '#DIV/0!', error: '#DIV/0!' }]]),
    );
    const { outcome, explanation } = await runCheck(
      { kind: 'no-error-cells', file: 'book.xlsx' },
      broken,
    );
    expect([outcome, explanation]).toEqual(['unmet', 'B!A1 is #DIV/0!']);
  });

  test('formulas without any value cannot exclude errors', async () => {
    const blank = workbookEvidence(sheetOf('A', [[{ formula: '=B1', shown: '' }]]));
    expect(await runCheck({ kind: 'no-error-cells', file: 'book.xlsx' }, blank)).toMatchObject({
      outcome: 'not-applicable',
    });
  });
});

test.each([
  ['corrupt', 'unmet'],
  ['encrypted', 'unmet'],
  ['refused', 'not-applicable'],
] as const)('a %s file makes a value check %s', async (status, outcome) => {
  const bad = evidenceOf({ 'results/book.xlsx': { rendered: { status, reason: 'why' } } });
  const check: Check = { kind: 'cell-equals', ...FILE, cell: 'A1', value: 1 };
  expect((await runCheck(check, bad)).outcome).toBe(outcome);
});

test('a file of that name in another folder is left to the judge', async () => {
  const moved = evidenceOf({ 'results/out/Book.xlsx': {} });
  const check: Check = { kind: 'cell-equals', ...FILE, cell: 'A1', value: 1 };
  expect((await runCheck(check, moved)).outcome).toBe('not-applicable');
  expect((await runCheck({ kind: 'file-exists', file: 'book.xlsx' }, moved)).outcome).toBe('unmet');
});
