import { format, isDateFormat } from 'numfmt';
import { numeralForm, withChineseNumerals } from './chinese-numerals';

/** Format codes that files name by number only. Codes 27-36 and 50-58 are the Chinese locale's dates. */
const BUILT_IN: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0;\\-"$"#,##0',
  6: '"$"#,##0;[Red]\\-"$"#,##0',
  7: '"$"#,##0.00;\\-"$"#,##0.00',
  8: '"$"#,##0.00;[Red]\\-"$"#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: 'm-d-yy',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: '#,##0;\\-#,##0',
  38: '#,##0;[Red]\\-#,##0',
  39: '#,##0.00;\\-#,##0.00',
  40: '#,##0.00;[Red]\\-#,##0.00',
  41: '_ * #,##0_ ;_ * \\-#,##0_ ;_ * "-"_ ;_ @_ ',
  42: '_ "$"* #,##0_ ;_ "$"* \\-#,##0_ ;_ "$"* "-"_ ;_ @_ ',
  43: '_ * #,##0.00_ ;_ * \\-#,##0.00_ ;_ * "-"??_ ;_ @_ ',
  44: '_ "$"* #,##0.00_ ;_ "$"* \\-#,##0.00_ ;_ "$"* "-"??_ ;_ @_ ',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  50: 'yyyy"年"m"月"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
};

export function builtInFormat(id: number): string {
  return BUILT_IN[id] ?? 'General';
}

/** Days between the 1900 and the 1904 calendar. */
const DAYS_1904 = 1462;

/** The text a reader sees: the value under its format code; the plain value where the code cannot be read. */
export function shownText(
  value: string | number | boolean | null,
  code: string,
  date1904 = false,
): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string' && code === 'General') return value;
  try {
    const serial =
      date1904 && typeof value === 'number' && isDateFormat(code) ? value + DAYS_1904 : value;
    const isDate = isDateFormat(code);
    const plain = isDate ? code : withoutLanguages(code);
    const text = format(plain, serial, { nbsp: false, throws: true, overflow: '########' });
    if (typeof value !== 'number') return text;
    const form = numeralForm(code);
    if (form === undefined) return text.trim();
    const isGeneral = /General|^(?:\[[^\]]*\])*$/iu.test(code);
    const kind = isDate ? 'date' : isGeneral ? 'general' : 'digits';
    return withChineseNumerals(text.trim(), form, kind);
  } catch {
    return String(value);
  }
}

/** Of numbers, the language names the currency; separators are those of the reader's program. */
function withoutLanguages(code: string): string {
  return code.includes('[$')
    ? code.replace(/\[\$([^\]-]*)-[0-9A-Fa-f]+\]/gu, (_, sign: string) => sign && `[$${sign}]`)
    : code;
}
