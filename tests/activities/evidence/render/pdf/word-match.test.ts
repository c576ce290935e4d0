import { findSlanted } from '../../../../../activities/evidence/render/pdf/slanted-words';
import { addPageText } from '../../../../../activities/evidence/render/pdf/page-text';
import { type Word } from '../../../../../activities/evidence/render/pdf/poppler';
import { findTables } from '../../../../../activities/evidence/render/pdf/tables';
import { Rendering } from '../../../../../activities/evidence/render/rendering';
import { type HiddenCause } from '../../../../../core/evidence-view';

const box = (text: string, left: number, top: number, width: number, height: number): Word => ({
  ...{ text, left, top },
  ...{ right: left + width, bottom: top + height },
});

function read(layout: string, boxes: readonly (readonly [Word, HiddenCause?])[]): string[] {
  const rendering = new Rendering('pdf');
  addPageText(
    1,
    {
      layout,
      words: { width: 595, height: 842, words: boxes.map(([word]) => word) },
      causes: boxes.map(([, cause]) => cause),
      outside: [],
    },
    rendering,
  );
  return rendering.segments.map(
    ({ text, cause, label }) => `${cause ?? label ?? 'seen'}: ${text.trim()}`,
  );
}

describe('words of several boxes', () => {
  test('are hidden when their letters have sizes by turns', () => {
    const letters = 'award'
      .split(/(?:)/u)
      .map(
        (letter, at) =>
          [
            box(letter, 60 + at * 6, at % 2 === 0 ? 101 : 100, 6, at % 2 === 0 ? 9 : 10),
            'no-mark',
          ] as const,
      );
    expect(read('award marks', [...letters, [box('marks', 95, 100, 40, 10)]])).toEqual([
      'seen: marks',
      'no-mark: award',
    ]);
  });

  test('show the part that is seen', () => {
    const parts = [[box('Total', 60, 100, 30, 10)], [box('9', 90, 100, 6, 10), 'no-mark']] as const;
    expect(read('Total9', parts)).toEqual(['seen: Total', 'no-mark: 9']);
  });

  test('have their raised and lowered numbers as such', () => {
    expect(
      read('k1; CO2 1,2341 m2', [
        ...([
          [box('k', 10, 100, 6, 10)],
          [box('1', 16, 97, 4, 7)],
          [box(';', 20, 100, 3, 10)],
        ] as const),
        ...([[box('CO', 30, 100, 15, 10)], [box('2', 45, 106, 4, 7)]] as const),
        ...([[box('1,234', 60, 100, 30, 10)], [box('1', 90, 97, 4, 7)]] as const),
        ...([[box('m2', 100, 100, 12, 10)]] as const),
      ]),
    ).toEqual(['seen: k¹; CO₂ 1,234^1 m2']);
  });

  test('written from right to left are hidden with their boxes', () => {
    const words = [
      [box('עולם', 60, 100, 30, 10), 'no-mark'],
      [box('שלום', 95, 100, 30, 10), 'no-mark'],
    ] as const;
    expect(read('\u202B שלום עולם\u202C', words).join()).toMatch(/^no-mark: .*שלום.*עולם$/u);
  });
});

describe('words written aslant', () => {
  const rising = (text: string, left: number, top: number): Word[] =>
    text.split(/(?:)/u).map((letter, at) => box(letter, left + at * 25, top - at * 14.4, 25, 37));
  const steep = (text: string, left: number, top: number): Word[] =>
    text.split(/(?:)/u).map((letter, at) => box(letter, left + at * 30, top - at * 30, 55, 30));

  test('leave the lines that they are torn over', () => {
    const watermark = steep('DRAFT', 100, 300).map((word) => [word] as const);
    expect(
      read('Total T 12\nA\nD F R', [
        ...watermark,
        [box('Total', 60, 175, 30, 10)],
        [box('12', 300, 175, 12, 10)],
      ]),
    ).toEqual(['seen: Total  12', 'written aslant: DRAFT']);
  });

  test('are hidden when their letters leave no mark', () => {
    const words = rising('PASS', 100, 300).map((word) => [word, 'no-mark'] as const);
    expect(read('S\nS\nA\nP', words)).toEqual(['no-mark: PASS']);
  });

  test('flat and steep, rising and falling', () => {
    const falling = 'down'
      .split(/(?:)/u)
      .map((letter, at) => box(letter, 25 * at, 14.4 * at, 25, 37));
    const sinking = 'fall'
      .split(/(?:)/u)
      .map((letter, at) => box(letter, 300 + 30 * at, 400 + 30 * at, 55, 30));
    const found = (...words: Word[]): string[] =>
      findSlanted(words).map((word) => word.map(({ text }) => text).join(''));
    expect(found(...falling, ...sinking, ...rising('up', 600, 300))).toEqual(['down', 'fall']);
    // One that is too short to tell is as steep as another.
    expect(found(...rising('rise', 0, 300), ...rising('up', 600, 300))).toEqual(['rise', 'up']);
  });

  test('upright lines that touch are none', () => {
    const lines = ['The', 'in', 'to', 'a'].map((text, at) =>
      box(text, 60 + at * 2, 100 + at * 12, text.length * 6, 11),
    );
    const row = ['x', 'y', 'z'].map((text, at) => box(text, 60 + at * 6, 300, 6, 10));
    expect(findSlanted([...lines, ...row])).toEqual([]);
  });
});

describe('tables by their geometry', () => {
  test('cells of several lines belong to their row', () => {
    const layout = [
      'Risk             Description of the risk and of what     Owner',
      '                 it means',
      '',
      'Supply chain     A single supplier delivers all of       Purchasing',
      '                 the ceramic cores',
      '',
      'Currency         The contract is in dollars              Treasury',
      '                 and the costs are not',
    ].join('\n');
    expect(findTables(layout)).toEqual([{ from: 1, to: 8, rows: 3, columns: 3 }]);
  });

  test('the items of a list are none', () => {
    expect(findTables('•     one thing\n•     another\n\n1     first\n2     second\n')).toEqual([]);
  });

  test('a page in columns has those whose rows are drawn as rows', () => {
    const [left, right] = [
      ['Words of one', 'Item    Qty    EUR', 'Nails   10     3.20', 'Bolts   5      1.15'],
      ['column of text', 'and of another', 'that goes on to', 'the end of it'],
    ];
    const layout = left.map((line, at) => line.padEnd(30) + (right[at] ?? '')).join('\n');
    expect(findTables(layout, [...left, ...right].join('\n'))).toEqual([
      { from: 2, to: 4, rows: 3, columns: 3 },
    ]);
  });
});
