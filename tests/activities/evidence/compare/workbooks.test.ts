import { type Comparison, type SheetFact } from '../../../../core/evidence-view';
import { evidenceOf, sheetOf } from '../../../support/evidence';

const RESULT = 'results/book.xlsx';
const INPUT = 'inputs/book.xlsx';

function compared(
  ours: readonly SheetFact[],
  given: readonly SheetFact[],
): Promise<Comparison | undefined> {
  const book = (sheets: readonly SheetFact[], sha256: string) => ({
    rendered: { sha256 },
    workbook: { sheets, definedNames: [], partCounts: {}, warnings: [] },
  });
  const evidence = evidenceOf({ [RESULT]: book(ours, 'a'), [INPUT]: book(given, 'b') });
  return evidence.compare(RESULT, INPUT);
}

const DATA = [
  ['Item', 'Value'],
  ['Bolts', 10],
  ['Total', { formula: '=SUM(B2)', value: 10, cached: 10 }],
] as const;

test('a sheet that a library wrote anew, without results, is unchanged', async () => {
  const rewritten = [DATA[0], DATA[1], ['Total', { formula: '=SUM(B2)' }]] as const;
  const result = await compared([sheetOf('Data', rewritten)], [sheetOf('Data', DATA)]);
  expect(result).toMatchObject({
    change: 'unchanged',
    statement: 'unchanged: all 1 sheets of the input',
    parts: [{ part: 'Data', change: 'unchanged', differenceCount: 0 }],
  });
});

test('values, formulas, results and formats differ apart, each at its place', async () => {
  const ours = [
    ['Item', { value: 'Value', format: '@' }],
    ['Bolts', 11],
    ['Total', { formula: '=SUM(B2)', value: 11, cached: 11 }, { formula: '=1+1' }],
  ] as const;
  const result = await compared([sheetOf('Data', ours)], [sheetOf('Data', DATA)]);
  const [part] = result?.parts ?? [];
  expect(part?.statement).toBe(
    'changed: 4 cells differ (1 in value, 1 in formula, 1 in result, 1 in format), 3 are as in the input; used range A1:B3 in the input, A1:C3 in the deliverable',
  );
  expect(
    part?.differences.map(({ kind, locator, text }) => [
      kind,
      locator.kind === 'cells' ? locator.range : '',
      text,
    ]),
  ).toEqual([
    ['format', 'B1', 'input "Value", deliverable "Value" as @'],
    ['value', 'B2', 'input 10, deliverable 11'],
    ['result', 'B3', 'input 10 from =SUM(B2), deliverable 11 from =SUM(B2)'],
    ['formula', 'C3', 'input (empty), deliverable null from =1+1'],
  ]);
});

test('sheets that were added, removed and renamed', async () => {
  const result = await compared(
    [sheetOf('Kept', [[1]]), sheetOf('Neu', DATA), sheetOf('Extra', [[3]])],
    [sheetOf('Kept', [[1]]), sheetOf('Data', DATA), sheetOf('Gone', [[2]])],
  );
  expect(result?.parts.map(({ part, formerPart, change }) => [part, formerPart, change])).toEqual([
    ['Kept', undefined, 'unchanged'],
    ['Neu', 'Data', 'renamed'],
    ['Gone', undefined, 'removed'],
    ['Extra', undefined, 'added'],
  ]);
  expect(result?.statement).toBe(
    'changed: of 3 sheets of the input 1 are kept without a difference, 1 added, 1 removed, 1 renamed',
  );
});

test('added sheets beside kept ones are told from none', async () => {
  const result = await compared(
    [sheetOf('Data', DATA), sheetOf('Extra', [[3]])],
    [sheetOf('Data', DATA)],
  );
  expect(result).toMatchObject({
    change: 'added',
    statement: 'added: 1 sheets; all 1 sheets of the input are kept without a difference',
  });
});

test('the same cells under another structure are changed', async () => {
  const result = await compared(
    [sheetOf('Data', DATA, { state: 'veryHidden', merged: ['A1:B1'] })],
    [sheetOf('Data', DATA)],
  );
  expect(result?.parts[0]?.statement).toBe(
    'changed: values, formulas and number formats of all 6 cells of A1:B3 are as in the input; structure: state visible in the input, veryHidden in the deliverable; merged ranges: 0 in the input, 1 in the deliverable',
  );
});

test('cells beyond the listed ones are the same only where their digest says so', async () => {
  const sheet = (cellsDigest: string) => sheetOf('Data', DATA, { cellCount: 300_000, cellsDigest });
  const same = await compared([sheet('x')], [sheet('x')]);
  expect(same?.change).toBe('unchanged');
  const unknown = await compared([sheet('x')], [sheet('y')]);
  expect(unknown).toMatchObject({ change: 'unknown', parts: [{ change: 'unknown' }] });
});

test('no text of a file gets into a statement', async () => {
  const result = await compared(
    [sheetOf('unchanged: all', [['unchanged', 1]]), sheetOf('Data', [['unchanged: all 6 cells']])],
    [sheetOf('Data', DATA)],
  );
  const statements = [result?.statement, ...(result?.parts ?? []).map((part) => part.statement)];
  for (const statement of statements) expect(statement).not.toMatch(/\bunchanged\b/u);
});

test('what a reader cannot see is not shown among the differences', async () => {
  const hidden = [[{ value: 'secret', flags: ['unseen'] as const }]] as const;
  const result = await compared([sheetOf('Data', hidden)], [sheetOf('Data', [['open']])]);
  expect(result?.parts[0]?.differences[0]?.text).toBe(
    'input "open", deliverable (not visible to a reader)',
  );
});
