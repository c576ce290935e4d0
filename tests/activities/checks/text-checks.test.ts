import { runCheck } from '../../../activities/checks/run-check';
import { type Check } from '../../../core/rubric';
import { evidenceOf, evidenceOfFixture, sheetOf, textEvidence } from '../../support/evidence';

async function outcomeOf(check: Check, lines: readonly string[]): Promise<string> {
  return (await runCheck(check, textEvidence('a.md', lines))).outcome;
}

const FILE = { file: 'a.md' } as const;

test.each<[string, Check, readonly string[], string]>([
  [
    'all words',
    { kind: 'text-contains', ...FILE, all: ['twelve months', '9.1'] },
    ['twelve  months', 'see 9.1.'],
    'met',
  ],
  [
    'over a line end',
    { kind: 'text-contains', ...FILE, all: ['twelve months'] },
    ['twelve', 'months'],
    'met',
  ],
  [
    'one is absent',
    { kind: 'text-contains', ...FILE, all: ['twelve', 'ten'] },
    ['twelve'],
    'unmet',
  ],
  ['any word', { kind: 'text-contains', ...FILE, any: ['ten', 'twelve'] }, ['twelve'], 'met'],
  ['none of any', { kind: 'text-contains', ...FILE, any: ['ten'] }, ['twelve'], 'unmet'],
  ['case counts', { kind: 'text-contains', ...FILE, all: ['Twelve'] }, ['twelve'], 'unmet'],
  [
    'case does not count',
    { kind: 'text-contains', ...FILE, all: ['Twelve'], ignoreCase: true },
    ['twelve'],
    'met',
  ],
  [
    'a part of a number',
    { kind: 'text-contains', ...FILE, all: ['9.1'] },
    ['19.1 and 9.15 and 9.1.2'],
    'unmet',
  ],
  [
    'full-width letters',
    { kind: 'text-contains', ...FILE, all: ['就诊患者数:46'] },
    ['就诊患者数： 46 人'],
    'met',
  ],
  [
    'Chinese over a line end',
    { kind: 'text-contains', ...FILE, all: ['年度财务汇总'] },
    ['年度财', '务汇总'],
    'met',
  ],
  [
    'curly quotes',
    { kind: 'text-contains', ...FILE, all: ['the "Charges"'] },
    ['the “Charges”'],
    'met',
  ],
  ['absent words', { kind: 'text-absent', ...FILE, none: ['lorem'] }, ['words'], 'met'],
  ['present words', { kind: 'text-absent', ...FILE, none: ['lorem'] }, ['lorem ipsum'], 'unmet'],
  ['a missing file', { kind: 'text-absent', file: 'b.md', none: ['lorem'] }, [], 'unmet'],
])('%s', async (_, check, lines, outcome) => {
  expect(await outcomeOf(check, lines)).toBe(outcome);
});

test('cites the line', async () => {
  const { citations } = await runCheck(
    { kind: 'text-contains', ...FILE, all: ['here'] },
    textEvidence('a.md', ['words', 'here it is']),
  );
  expect(citations).toEqual([
    { locator: { artifact: 'results/a.md', kind: 'lines', from: 2, to: 2 }, quote: 'here' },
  ]);
});

describe('words that no reader finds do not count', () => {
  test.each(['vanished words', 'white words', 'ten', 'secret title'])('%s', async (words) => {
    const evidence = await evidenceOfFixture('memo.docx');
    const check: Check = { kind: 'text-contains', file: 'memo.docx', all: [words] };
    // "ten" is a deletion here; the accepted text says "twelve".
    expect((await runCheck(check, evidence)).outcome).toBe('unmet');
  });

  test('words of an insertion, a note and a text box do', async () => {
    const evidence = await evidenceOfFixture('memo.docx');
    const check: Check = {
      kind: 'text-contains',
      file: 'memo.docx',
      all: ['Term is twelve months', 'footnote words', 'boxed words'],
    };
    expect((await runCheck(check, evidence)).outcome).toBe('met');
  });

  test('OCR is no proof of absence or presence', async () => {
    const scan = evidenceOf({
      'results/a.pdf': {
        rendered: { counts: { imagePages: 1 } },
        segments: [
          {
            locator: { artifact: '', kind: 'page', page: 1 },
            text: 'Invoice 48213',
            visibility: 'visible',
            label: 'OCR',
          },
        ],
      },
    });
    for (const words of ['48213', 'nothing'])
      expect(
        (await runCheck({ kind: 'text-contains', file: 'a.pdf', all: [words] }, scan)).outcome,
      ).toBe('not-applicable');
  });
});

describe('files and pages', () => {
  const evidence = evidenceOf({
    'results/a.pdf': { rendered: { counts: { pages: 2 } } },
    'results/fake.xlsx': { rendered: { format: 'text' } },
    'results/empty.md': { rendered: { bytes: 0 } },
    'results/broken.pdf': { rendered: { status: 'corrupt', reason: 'cut' } },
    'results/a.pptx': { rendered: { format: 'other', status: 'unsupported' } },
    'results/a.py': { rendered: { format: 'text' } },
  });

  test.each<[Check, string]>([
    [{ kind: 'file-exists', file: 'a.pdf' }, 'met'],
    [{ kind: 'file-exists', file: 'a.pdf', format: 'pdf' }, 'met'],
    [{ kind: 'file-exists', file: 'fake.xlsx', format: 'xlsx' }, 'unmet'],
    [{ kind: 'file-exists', file: 'empty.md' }, 'unmet'],
    [{ kind: 'file-exists', file: 'broken.pdf' }, 'unmet'],
    [{ kind: 'file-exists', file: 'a.pptx', format: 'pptx' }, 'not-applicable'],
    [{ kind: 'file-exists', file: 'a.py', format: 'code' }, 'met'],
    [{ kind: 'file-exists', file: 'none.md' }, 'unmet'],
    [{ kind: 'page-count', file: 'a.pdf', min: 1, max: 2 }, 'met'],
    [{ kind: 'page-count', file: 'a.pdf', max: 1 }, 'unmet'],
    [{ kind: 'page-count', file: 'a.pdf', min: 3 }, 'unmet'],
    [{ kind: 'page-count', file: 'a.py', min: 1 }, 'not-applicable'],
  ])('%j is %s', async (check, outcome) => {
    expect((await runCheck(check, evidence)).outcome).toBe(outcome);
  });
});

describe('counts in what a check says', () => {
  it('go with their noun', async () => {
    const evidence = evidenceOf({ 'results/a.pdf': { rendered: { counts: { pages: 1 } } } });
    const says = async (bound: { min?: number; max?: number }): Promise<string> =>
      (await runCheck({ kind: 'page-count', file: 'a.pdf', ...bound }, evidence)).explanation;
    expect(await says({ max: 1 })).toBe('results/a.pdf has 1 page');
    expect(await says({ min: 2 })).toBe('results/a.pdf has 1 page, fewer than 2');
  });
});

describe('two places that must agree', () => {
  const with_ = (lines: readonly string[], total: number) =>
    evidenceOf({
      'results/a.pdf': {
        segments: lines.map((text, index) => ({
          locator: { artifact: '', kind: 'page', page: 1, from: index + 1, to: index + 1 },
          text,
          visibility: 'visible' as const,
        })),
      },
      'results/book.xlsx': {
        workbook: {
          sheets: [sheetOf('S', [['Value'], [total]])],
          definedNames: [],
          partCounts: {},
          warnings: [],
        },
      },
    });
  const check: Check = {
    kind: 'values-agree',
    left: { file: 'a.pdf', pattern: 'Total value:?\\s*\\$?([\\d,]+\\.\\d\\d)' },
    right: { file: 'book.xlsx', sheet: 'S', sumColumn: 'Value' },
    tolerance: 0.005,
  };

  test.each([
    ['the same', ['Total value: $1,234.50'], 1234.5, 'met'],
    ['rounded within the tolerance', ['Total value: 1,234.50'], 1234.504, 'met'],
    ['different', ['Total value: 1,234.50'], 1234.6, 'unmet'],
    ['over two lines', ['Total value:', '1,234.50'], 1234.5, 'met'],
    ['not found', ['Sum: 1,234.50'], 1234.5, 'not-applicable'],
    [
      'a second match agrees',
      ['Total value: 9.00', 'Total value: 1,234.50'],
      1234.5,
      'not-applicable',
    ],
  ])('%s', async (_, lines, total, outcome) => {
    expect((await runCheck(check, with_(lines, total))).outcome).toBe(outcome);
  });
});

describe('tables in documents', () => {
  const row = {
    kind: 'table-row-contains',
    file: 'memo.docx',
    keyColumn: 'Clause',
    key: '5.2',
    column: 'Risk',
  } as const;

  test.each<[string, Check, string]>([
    ['headers', { kind: 'table-exists', file: 'memo.docx', headers: ['Clause', 'Risk'] }, 'met'],
    [
      'too few rows',
      { kind: 'table-exists', file: 'memo.docx', headers: ['Clause'], minRows: 3 },
      'unmet',
    ],
    [
      'other headers',
      { kind: 'table-exists', file: 'memo.docx', headers: ['Party', 'Date'] },
      'unmet',
    ],
    [
      'half of the headers',
      { kind: 'table-exists', file: 'memo.docx', headers: ['Clause', 'Level'] },
      'not-applicable',
    ],
    ['a cell by its row', { ...row, any: ['Medium', 'High'] }, 'met'],
    ['another word', { ...row, any: ['Low'] }, 'unmet'],
    ['case counts', { ...row, any: ['high'] }, 'unmet'],
    ['case does not count', { ...row, any: ['high'], ignoreCase: true }, 'met'],
    ['a key that is not there', { ...row, key: '9.9', any: ['High'] }, 'unmet'],
    ['a column that is not there', { ...row, column: 'Level', any: ['High'] }, 'not-applicable'],
  ])('docx: %s', async (_, check, outcome) => {
    expect((await runCheck(check, await evidenceOfFixture('memo.docx'))).outcome).toBe(outcome);
  });

  test.each<[string, Check, string]>([
    [
      'headers',
      { kind: 'table-exists', file: 'report.md', headers: ['Item', 'Qty'], minRows: 2 },
      'met',
    ],
    [
      'too few rows',
      { kind: 'table-exists', file: 'report.md', headers: ['Item'], minRows: 3 },
      'unmet',
    ],
    [
      'a cell',
      {
        kind: 'table-row-contains',
        file: 'report.md',
        keyColumn: 'Item',
        key: 'bolt',
        column: 'Qty',
        any: ['12'],
      },
      'met',
    ],
    [
      'a part of a number',
      {
        kind: 'table-row-contains',
        file: 'report.md',
        keyColumn: 'Item',
        key: 'bolt',
        column: 'Qty',
        any: ['1'],
      },
      'unmet',
    ],
  ])('Markdown: %s', async (_, check, outcome) => {
    expect((await runCheck(check, await evidenceOfFixture('report.md'))).outcome).toBe(outcome);
  });

  test('formats whose tables are not read are left to the judge', async () => {
    const scripted = { rendered: { counts: { scripts: 1 } } };
    const others = evidenceOf({ 'results/a.pdf': {}, 'results/a.html': scripted });
    for (const file of ['a.pdf', 'a.html']) {
      const check: Check = { kind: 'table-exists', file, headers: ['A'] };
      expect((await runCheck(check, others)).outcome).toBe('not-applicable');
    }
  });
});
