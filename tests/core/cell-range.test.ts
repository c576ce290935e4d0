import {
  cellName,
  columnName,
  columnNumber,
  effectiveValue,
  parseCell,
  parseRange,
  printRange,
} from '../../core/cell-range';

describe('cell ranges', () => {
  test.each([
    [1, 'A'],
    [26, 'Z'],
    [27, 'AA'],
    [702, 'ZZ'],
    [703, 'AAA'],
    [16_384, 'XFD'],
  ])('column %i is %s, both ways', (number, name) => {
    expect(columnName(number)).toBe(name);
    expect(columnNumber(name)).toBe(number);
  });

  test.each([
    ['B2', 'B2'],
    ['$B$2:C9', 'B2:C9'],
    ['C9:B2', 'B2:C9'],
    ['b2:c9', 'B2:C9'],
    ['B:C', 'B1:C1048576'],
    ['2:9', 'A2:XFD9'],
  ])('reads %s', (text, printed) => {
    const range = parseRange(text);
    expect(range && printRange(range)).toBe(printed);
  });

  test.each([
    '',
    'B',
    '2',
    'B2:C',
    'B:2',
    'B2:C9:D1',
    'A0',
    'XFE1',
    'A1048577',
    'Sheet1!A1',
    'A1,B2',
  ])('refuses %j', (text) => {
    expect(parseRange(text)).toBeUndefined();
  });

  test('a cell is no range', () => {
    expect(parseCell('C7')).toEqual({ row: 7, column: 3 });
    expect(parseCell('C7:C8')).toBeUndefined();
    expect(cellName(7, 3)).toBe('C7');
  });

  test('a formula without a stored value has the recalculated one', () => {
    const cell = { ref: 'A1', value: null, shown: '3', formula: '=1+2', recalculated: 3 };
    expect(effectiveValue(cell)).toBe(3);
    expect(effectiveValue({ ...cell, value: 9, cached: 9 })).toBe(9);
    expect(effectiveValue({ ref: 'A1', value: 'x', shown: 'x' })).toBe('x');
  });
});
