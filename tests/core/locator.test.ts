import fc from 'fast-check';
import { type Locator, parseLocator, printLocator } from '../../core/locator';

describe('locators', () => {
  it.each<[string, Locator]>([
    [
      'results/a.xlsx#cells=Stock!B2:B7',
      { artifact: 'results/a.xlsx', kind: 'cells', sheet: 'Stock', range: 'B2:B7' },
    ],
    [
      'results/s.pdf#page=1&lines=3-5',
      { artifact: 'results/s.pdf', kind: 'page', page: 1, from: 3, to: 5 },
    ],
    ['results/s.pdf#page=2', { artifact: 'results/s.pdf', kind: 'page', page: 2 }],
    [
      'inputs/c.docx#paragraph=body:4-6',
      { artifact: 'inputs/c.docx', kind: 'paragraph', part: 'body', from: 4, to: 6 },
    ],
    [
      'results/m.docx#table=1&row=2&column=3',
      { artifact: 'results/m.docx', kind: 'table', table: 1, row: 2, column: 3 },
    ],
    ['results/门诊月报.pdf#file', { artifact: 'results/门诊月报.pdf', kind: 'file' }],
    [
      'results/a%23b%25.csv#lines=1-2',
      { artifact: 'results/a#b%.csv', kind: 'lines', from: 1, to: 2 },
    ],
  ])('prints and reads %s', (text, locator) => {
    expect(printLocator(locator)).toBe(text);
    expect(parseLocator(text)).toEqual(locator);
  });

  it('reads cells with dollar signs as the same cells', () => {
    expect(parseLocator('results/a.xlsx#cells=S!$B$2:$B$7')).toEqual(
      parseLocator('results/a.xlsx#cells=S!B2:B7'),
    );
  });

  it.each([
    '',
    '#file',
    'results/a',
    'results/a#',
    'results/a#cells=B2',
    'results/a#lines=1',
    'results/a#page=x',
    'results/a%2#file',
    'results/a#lines=-1-2',
  ])('refuses %j', (text) => {
    expect(parseLocator(text)).toBeUndefined();
  });

  const number = fc.integer({ min: 1, max: 99_999 });
  const name = fc.string({ minLength: 1, unit: 'grapheme' });
  const cell = fc
    .tuple(fc.stringMatching(/^[A-Z]{1,3}$/u), number)
    .map(([column, row]) => `${column}${row}`);
  const artifact = name.map((text) => `results/${text}`);
  const locator: fc.Arbitrary<Locator> = fc.oneof(
    fc.record({ artifact, kind: fc.constant('file' as const) }),
    fc.record({
      artifact,
      kind: fc.constant('cells' as const),
      sheet: name,
      range: fc.oneof(
        cell,
        fc.tuple(cell, cell).map(([from, to]) => `${from}:${to}`),
      ),
    }),
    fc.record({ artifact, kind: fc.constant('lines' as const), from: number, to: number }),
    fc.record({ artifact, kind: fc.constant('page' as const), page: number }),
    fc.record({
      artifact,
      kind: fc.constant('page' as const),
      page: number,
      from: number,
      to: number,
    }),
    fc.record({
      artifact,
      kind: fc.constant('paragraph' as const),
      part: name,
      from: number,
      to: number,
    }),
    fc.record({ artifact, kind: fc.constant('table' as const), table: number }),
    fc.record({
      artifact,
      kind: fc.constant('table' as const),
      table: number,
      row: number,
      column: number,
    }),
  );

  it('reads names that hold line separators', () => {
    for (const name of ['\r', 'a\u2028b', '\u2029', 'two\nlines'])
      for (const given of [
        { artifact: name, kind: 'cells', sheet: name, range: 'A1' },
        { artifact: name, kind: 'paragraph', part: name, from: 1, to: 2 },
      ] as const)
        expect(parseLocator(printLocator(given))).toEqual(given);
  });

  it('reads every locator that it prints, whatever files and sheets are called', () => {
    fc.assert(
      fc.property(locator, (given) => {
        expect(parseLocator(printLocator(given))).toEqual(given);
      }),
      { numRuns: 1000 },
    );
  });

  it('prints two different locators differently', () => {
    fc.assert(
      fc.property(locator, locator, (left, right) => {
        if (printLocator(left) === printLocator(right)) expect(left).toEqual(right);
      }),
    );
  });

  it('never throws on a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = parseLocator(text);
        if (read !== undefined) expect(parseLocator(printLocator(read))).toEqual(read);
      }),
    );
  });
});
