import { runCheck } from '../../../activities/checks/run-check';
import { type Check } from '../../../core/rubric';
import { sheetOf, textEvidence, type TestCell, workbookEvidence } from '../../support/evidence';

describe('values as people write them', () => {
  const cell = async (fact: TestCell, value: string | number | boolean) =>
    (
      await runCheck(
        { kind: 'cell-equals', file: 'book.xlsx', sheet: '*', cell: 'A1', value },
        workbookEvidence(sheetOf('S', [[fact]])),
      )
    ).outcome;

  test.each<[TestCell, string | number | boolean, string]>([
    ['$1,234.50', 1234.5, 'met'],
    ['¥１，２３４', 1234, 'met'],
    ['(3.2)', -3.2, 'met'],
    ['12.5%', 0.125, 'met'],
    [{ value: 0.125, shown: '12.5%', format: '0.0%' }, 12.5, 'met'],
    [{ value: 12.3456, shown: '12.35', format: '0.00' }, 12.35, 'not-applicable'],
    [{ value: 12.4, shown: '12', format: '0' }, 13, 'unmet'],
    ['46 人', 46, 'met'],
    ['about 46', 46, 'unmet'],
    [{ value: 46_112, shown: '3/31/2026', format: 'm/d/yyyy' }, '2026-03-31', 'met'],
    ['2026年3月31日', '2026-03-31', 'met'],
    ['Lena  Brandt', 'lena brandt', 'met'],
    ['Lena Brand', 'Lena Brandt', 'unmet'],
    ['yes', true, 'met'],
    [false, true, 'unmet'],
    ['007', '7', 'unmet'],
  ])('%j against %p is %s', async (fact, value, outcome) => {
    expect(await cell(fact, value)).toBe(outcome);
  });
});

describe('CSV as a workbook of one sheet', () => {
  const csv = textEvidence('科室.csv', [
    '科室,人次,费用',
    '内科,12,"1,234.50"',
    '外科,7,88.00',
    '合计,19,1322.50',
  ]);

  test.each<[string, Check, string]>([
    [
      'a row',
      {
        kind: 'row-value-equals',
        file: '科室.csv',
        sheet: '*',
        keyColumn: '科室',
        key: '内科',
        column: '费用',
        value: 1234.5,
      },
      'met',
    ],
    [
      'a column',
      {
        kind: 'column-matches',
        file: '科室.csv',
        sheet: '*',
        column: '科室',
        values: ['内科', '外科'],
      },
      'met',
    ],
    [
      'a column with its total',
      {
        kind: 'column-matches',
        file: '科室.csv',
        sheet: '*',
        column: '科室',
        values: ['内科', '外科', '合计'],
      },
      'met',
    ],
    ['rows', { kind: 'row-count', file: '科室.csv', sheet: '*', column: '科室', count: 2 }, 'met'],
    [
      'a sheet by name',
      { kind: 'row-count', file: '科室.csv', sheet: 'Sheet1', column: '科室', count: 2 },
      'not-applicable',
    ],
  ])('%s', async (_, check, outcome) => {
    expect((await runCheck(check, csv)).outcome).toBe(outcome);
  });

  test('citations name the line of the row', async () => {
    const { citations } = await runCheck(
      { kind: 'cell-equals', file: '科室.csv', sheet: '*', cell: 'B3', value: 7 },
      csv,
    );
    expect(citations[0]?.locator).toEqual({
      artifact: 'results/科室.csv',
      kind: 'lines',
      from: 3,
      to: 3,
    });
  });
});
