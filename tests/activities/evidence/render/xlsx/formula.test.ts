import {
  isVolatile,
  moveFormula,
  referencesOf,
} from '../../../../../activities/evidence/render/xlsx/formula';

describe('moveFormula', () => {
  test.each([
    ['A1*2', 'B4*2'],
    ['$A$1+A$1+$A1', '$A$1+B$1+$A4'],
    ['SUM(A1:B2)', 'SUM(B4:C5)'],
    ['SUM(A:B)+SUM(1:2)', 'SUM(B:C)+SUM(4:5)'],
    ["SUM('My A1'!A1:A2)", "SUM('My A1'!B4:B5)"],
    ['Sheet1!A1', 'Sheet1!B4'],
    ['"A1"&A1', '"A1"&B4'],
    ['LOG10(A1)', 'LOG10(B4)'],
    ['Taxes2026*A1', 'Taxes2026*B4'],
    ['Table1[A1]', 'Table1[A1]'],
    ['税率!A1', '税率!B4'],
    ['TRUE+A1', 'TRUE+B4'],
  ])('%s three rows down and one column right is %s', (formula, moved) => {
    expect(moveFormula(formula, 3, 1)).toBe(moved);
  });

  test('what leaves the sheet is a broken reference', () => {
    expect(moveFormula('A1+B2', -1, 0)).toBe('#REF!+B1');
  });
});

describe('referencesOf', () => {
  test('names sheets and ranges, and nothing in strings', () => {
    expect(referencesOf('=\'My Sheet\'!A1:B2+C3&"D4"+Data!$E$5+LOG10(F6)')).toEqual([
      { sheet: 'My Sheet', range: { fromRow: 1, fromColumn: 1, toRow: 2, toColumn: 2 } },
      { range: { fromRow: 3, fromColumn: 3, toRow: 3, toColumn: 3 } },
      { sheet: 'Data', range: { fromRow: 5, fromColumn: 5, toRow: 5, toColumn: 5 } },
      { range: { fromRow: 6, fromColumn: 6, toRow: 6, toColumn: 6 } },
    ]);
  });
});

test('functions of the moment are volatile, their names in strings are not', () => {
  expect(isVolatile('=TODAY()+1')).toBe(true);
  expect(isVolatile('=rand()')).toBe(true);
  expect(isVolatile('="TODAY()"')).toBe(false);
  expect(isVolatile('=BRAND(1)')).toBe(false);
});
