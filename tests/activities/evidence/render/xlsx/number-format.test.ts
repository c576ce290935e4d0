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
  [1234.5, '[$€-407] #,##0.00', '€ 1,234.50'],
  [1234.5, '[$-407]#,##0.00', '1,234.50'],
  [46_082, '[$-804]aaaa', '星期日'],
  [1234, '[DBNum1][$-804]General', '一千二百三十四'],
  [100_200_305, '[DBNum2]General', '壹亿零贰拾万零叁佰零伍'],
  [12_345, '[DBNum2][$-804]General"元整"', '壹万贰仟叁佰肆拾伍元整'],
  [-10.5, '[DBNum2]General', '-壹拾.伍'],
  [1234, '[DBNum1]0', '一二三四'],
  [12, '[DBNum3]0', '１２'],
  [46_000, '[DBNum1][$-804]yyyy"年"m"月"d"日"', '二〇二五年十二月九日'],
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
