import fc from 'fast-check';
import {
  type Locator,
  SLIDE_PARTS,
  memberArtifact,
  parentArtifact,
  parseLocator,
  printLocator,
} from '../../core/locator';

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
    [
      'results/d.pptx#slide=3&shape=2&lines=1-2',
      { artifact: 'results/d.pptx', kind: 'slide', slide: 3, shape: 2, from: 1, to: 2 },
    ],
    [
      'results/d.pptx#slide=3&shape=4&row=2&column=1',
      { artifact: 'results/d.pptx', kind: 'slide', slide: 3, shape: 4, row: 2, column: 1 },
    ],
    [
      'results/d.pptx#slide=1&part=notes',
      { artifact: 'results/d.pptx', kind: 'slide', slide: 1, part: 'notes' },
    ],
    [
      'results/n.ipynb#cell=4&output=1&lines=2-3',
      { artifact: 'results/n.ipynb', kind: 'notebook', cell: 4, output: 1, from: 2, to: 3 },
    ],
    [
      'results/a.zip#entry=2&member=entry=3&member=b.csv',
      { artifact: 'results/a.zip', kind: 'member', member: 'entry=3&member=b.csv', entry: 2 },
    ],
    [
      'results/a.zip#member=数据/b=1&x.csv',
      { artifact: 'results/a.zip', kind: 'member', member: '数据/b=1&x.csv' },
    ],
    [
      'results/a.zip//b.csv#lines=1-1',
      { artifact: 'results/a.zip//b.csv', kind: 'lines', from: 1, to: 1 },
    ],
    [
      'results/a.xlsx#object=chart:2@a@销售:1',
      { artifact: 'results/a.xlsx', kind: 'object', object: 'chart', number: 2, part: 'a@销售:1' },
    ],
    [
      'results/a.xlsx#object=name:1',
      { artifact: 'results/a.xlsx', kind: 'object', object: 'name', number: 1, part: '' },
    ],
    [
      'results/a.xlsx#compare=inputs/a%26b.xlsx&part=R&D',
      { artifact: 'results/a.xlsx', kind: 'comparison', input: 'inputs/a&b.xlsx', part: 'R&D' },
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
    'results/a#slide=1&part=elsewhere',
    'results/a#slide=1&lines=2',
    'results/a#cell=1&output=x',
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
    fc
      .record(
        {
          shape: number,
          part: fc.constantFrom(...SLIDE_PARTS),
          row: number,
          column: number,
          lines: fc.record({ from: number, to: number }),
          artifact,
          slide: number,
        },
        { requiredKeys: ['artifact', 'slide'] },
      )
      .map(({ lines, ...place }) => ({ ...place, ...lines, kind: 'slide' as const })),
    fc
      .record(
        { output: number, lines: fc.record({ from: number, to: number }), artifact, cell: number },
        { requiredKeys: ['artifact', 'cell'] },
      )
      .map(({ lines, ...place }) => ({ ...place, ...lines, kind: 'notebook' as const })),
    fc.record({ artifact, kind: fc.constant('member' as const), member: name }),
    fc.record({
      ...{ artifact, kind: fc.constant('member' as const), member: name },
      entry: fc.integer({ min: 2, max: 10_000 }),
    }),
    fc.record({
      artifact,
      kind: fc.constant('object' as const),
      object: fc.constantFrom('chart', 'conditional-format'),
      number,
      part: fc.oneof(fc.constant(''), name),
    }),
    fc.record(
      { part: name, artifact, kind: fc.constant('comparison' as const), input: artifact },
      { requiredKeys: ['artifact', 'kind', 'input'] },
    ),
  );

  it('names an unpacked member by its archive, archives in archives too', () => {
    const inner = memberArtifact(memberArtifact('results/a.zip', 'b/c.zip'), 'd/e.csv');
    expect(inner).toBe('results/a.zip//b/c.zip//d/e.csv');
    expect(parentArtifact(inner)).toEqual({
      artifact: 'results/a.zip//b/c.zip',
      member: 'd/e.csv',
    });
    expect(parentArtifact('results/d/e.csv')).toBeUndefined();
  });

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
