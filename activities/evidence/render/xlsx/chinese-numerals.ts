/** Digits of the number forms that `[DBNum1]`, `[DBNum2]` and `[DBNum3]` ask for, and the units of the first two. */
const FORMS = {
  1: { digits: '〇一二三四五六七八九', units: ['', '十', '百', '千'] },
  2: { digits: '零壹贰叁肆伍陆柒捌玖', units: ['', '拾', '佰', '仟'] },
  3: { digits: '０１２３４５６７８９', units: undefined },
} as const;

const GROUPS = ['', '万', '亿', '万亿'];
/** Longer numbers stay digit by digit. */
const MAX_DIGITS = 16;

type Form = keyof typeof FORMS;

/**
 * The shown text of a number with its digits as Chinese programs write them: in words under General (`一千二百三十四`),
 * day and month of a date in words too, everything else digit by digit (`二〇二六`).
 */
export function withChineseNumerals(
  text: string,
  form: Form,
  kind: 'general' | 'date' | 'digits',
): string {
  const { digits, units } = FORMS[form];
  return text.replace(/\d+/gu, (run, at: number) => {
    const isWord =
      kind === 'general' ? text.charAt(at - 1) !== '.' : kind === 'date' && run.length <= 2;
    if (!isWord || !units || run.length > MAX_DIGITS)
      return run.replace(/\d/gu, (digit) => digits.charAt(Number(digit)));
    return inWords(run, digits, units, kind === 'date');
  });
}

function inWords(run: string, digits: string, units: readonly string[], isShort: boolean): string {
  const number = run.replace(/^0+(?=\d)/u, '');
  if (number === '0') return digits.charAt(0);
  let words = '';
  let isGap = false;
  let isGroupEmpty = true;
  Array.from(number).forEach((digit, at) => {
    const place = number.length - 1 - at;
    if (digit === '0') isGap = true;
    else {
      if (isGap && words !== '') words += digits.charAt(0);
      isGap = false;
      isGroupEmpty = false;
      words += digits.charAt(Number(digit)) + (units[place % 4] ?? '');
    }
    if (place % 4 !== 0) return;
    if (!isGroupEmpty) words += GROUPS[place / 4] ?? '';
    isGroupEmpty = true;
  });
  // Ten to nineteen begin with the ten.
  return isShort && number.length === 2 && number.startsWith('1') ? words.slice(1) : words;
}

/** The form that a format code asks for. */
export function numeralForm(code: string): Form | undefined {
  const number = /\[DBNum([123])\]/iu.exec(code)?.[1];
  return number === '1' ? 1 : number === '2' ? 2 : number === '3' ? 3 : undefined;
}
