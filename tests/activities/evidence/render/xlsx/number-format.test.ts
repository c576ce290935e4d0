import {
  builtInFormat,
  shownText,
} from '../../../../../activities/evidence/render/xlsx/number-format';

test.each([
  [0.256, '0.0%', '25.6%'],
  [1234.5, '#,##0.00', '1,234.50'],
  [-1234.5, '#,##0.00;(#,##0.00)', '(1,234.50)'],
  [1234.5, '"¥"#,##0.00', '¥1,234.50'],
  [1234.5, '[$¥-804]#,##0.00', '¥1,234.50'],
  [45000, 'yyyy-mm-dd', '2023-03-15'],
  [45000, 'yyyy"年"m"月"d"日"', '2023年3月15日'],
  [5, ';;;', ''],
  [0.1 + 0.2, 'General', '0.3'],
  ['text', '@', 'text'],
  ['text', '#,##0.00', 'text'],
  [true, 'General', 'TRUE'],
  [null, 'General', ''],
  [7, 'this is "not a format', '7'],
])('%p under %s is shown as %s', (value, code, shown) => {
  expect(shownText(value, code)).toBe(shown);
});

test('the 1904 calendar moves dates and nothing else', () => {
  expect(shownText(43_538, 'yyyy-mm-dd', true)).toBe('2023-03-15');
  expect(shownText(43_538, '0', true)).toBe('43538');
});

test('format numbers without a code of their own have the built-in one', () => {
  expect([0, 9, 14, 49, 31, 999].map(builtInFormat)).toEqual([
    'General',
    '0%',
    'm/d/yyyy',
    '@',
    'yyyy"年"m"月"d"日"',
    'General',
  ]);
});
