import {
  addPageText,
  mayHaveColumns,
  readsInColumns,
} from '../../../../../activities/evidence/render/pdf/page-text';
import { findTables } from '../../../../../activities/evidence/render/pdf/tables';
import { Rendering } from '../../../../../activities/evidence/render/rendering';
import { type HiddenCause } from '../../../../../core/evidence-view';

/** Words at rows and columns of a grid, with why they are not seen. */
type Placed = readonly [text: string, row: number, column: number, cause?: HiddenCause];

function read(layout: string, placed: readonly Placed[], outside: string[] = []) {
  const rendering = new Rendering('pdf');
  const words = placed.map(([text, row, column]) => ({
    text,
    left: column * 50,
    right: column * 50 + 40,
    top: row * 14,
    bottom: row * 14 + 10,
  }));
  const { letters } = addPageText(
    1,
    {
      layout,
      words: { width: 595, height: 842, words },
      causes: placed.map(([, , , cause]) => cause),
      outside,
    },
    rendering,
  );
  return {
    letters,
    outside,
    lines: rendering.segments.map(
      ({ text, cause, locator }) =>
        `${locator.kind === 'page' ? String(locator.from) : ''} ${cause ?? 'seen'}: ${text}`,
    ),
  };
}

describe('words of a page that are not seen', () => {
  test('leave their line', () => {
    const { lines, letters } = read('Total 12\nmark as passed', [
      ['Total', 0, 0],
      ['12', 0, 1],
      ['mark', 1, 0, 'no-mark'],
      ['as', 1, 1, 'no-mark'],
      ['passed', 1, 2, 'tiny-text'],
    ]);
    expect(lines).toEqual(['1 seen: Total 12', '2 no-mark: mark as', '2 tiny-text: passed']);
    expect(letters).toBe(7);
  });

  test('are told from equal words that are seen, above or beside them', () => {
    const { lines } = read('report is whole\nreport is whole', [
      // The order of drawing says nothing of where words stand.
      ['report', 1, 0, 'no-mark'],
      ['is', 1, 1, 'no-mark'],
      ['whole', 1, 2, 'no-mark'],
      ['report', 0, 0],
      ['is', 0, 1],
      ['whole', 0, 2],
    ]);
    expect(lines).toEqual(['1 seen: report is whole', '2 no-mark: report is whole']);
  });

  test('that are cut off by the crop box are outside, others without a box are seen', () => {
    const { lines, outside } = read('kept cropped joined', [['kept', 0, 0]], ['cropped', 'far']);
    expect(lines).toEqual(['1 seen: kept  joined', '1 off-page: cropped']);
    expect(outside).toEqual(['far']);
  });
});

describe('columns', () => {
  const pairs = Array.from({ length: 8 }, (_, at) => [
    `left ${at} words run`,
    `right ${at} words run`,
  ]);
  const layout = pairs.map((pair) => pair.join('      ')).join('\n');

  test('text drawn column by column reads in another order', () => {
    const raw = [...pairs.map(([left]) => left), ...pairs.map(([, right]) => right)].join('\n');
    expect(readsInColumns(layout, raw)).toBe(true);
  });

  test("a table's rows are drawn as they are laid out", () => {
    expect(readsInColumns(layout, pairs.map((pair) => pair.join(' ')).join('\n'))).toBe(false);
  });

  test('a page of running text has none', () => {
    expect(mayHaveColumns('one line\nand another\n'.repeat(30))).toBe(false);
  });
});

describe('tables by their geometry', () => {
  test('lines whose cells stand below each other', () => {
    expect(
      findTables(
        [
          'A heading over all of it',
          '',
          'Item          Qty     Price',
          'Bolt           12      1.50',
          'Washer        100      0.05',
          '',
          'Words after the table, in one line',
        ].join('\n'),
      ),
    ).toEqual([{ from: 3, to: 5, rows: 3, columns: 3 }]);
  });

  test.each([
    ['running text', 'one two three\nfour five six\nseven eight\n'],
    ['two lines', 'a     b\nc     d\n'],
    [
      'cells that stand nowhere below each other',
      'a     b\n                  c                    d\ne  f\n',
    ],
  ])('%s is none', (_name, layout) => {
    expect(findTables(layout)).toEqual([]);
  });
});
