import { readingOrder } from '../../../../../activities/evidence/render/pptx/reading-order';

const box = (left: number, top: number, width = 10, height = 10) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

describe('readingOrder', () => {
  test.each([
    ['one below the other', [box(0, 50), box(0, 0)], [1, 0]],
    ['side by side', [box(50, 0), box(0, 1)], [1, 0]],
    [
      'a grid with wide gaps between rows: row by row',
      [box(0, 0), box(12, 0), box(0, 30), box(12, 30)],
      [0, 1, 2, 3],
    ],
    [
      'columns with wide gaps: column by column',
      [box(0, 0), box(40, 0), box(0, 12), box(40, 12)],
      [0, 2, 1, 3],
    ],
    ['what overlaps stays as it is', [box(5, 5), box(0, 0), box(8, 8)], [0, 1, 2]],
    ['nothing', [], []],
  ])('%s', (_name, boxes, expected) => {
    expect(readingOrder(boxes)).toEqual(expected);
  });

  test('every box comes once, wherever it lies', () => {
    const boxes = Array.from({ length: 120 }, (_, at) =>
      box((at * 37) % 100, (at * 53) % 90, 7, 9),
    );
    expect([...readingOrder(boxes)].sort((one, other) => one - other)).toEqual(
      boxes.map((_, at) => at),
    );
  });
});
