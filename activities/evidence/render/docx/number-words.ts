const HEAVENLY_STEMS = '甲乙丙丁戊己庚辛壬癸';
const EARTHLY_BRANCHES = '子丑寅卯辰巳午未申酉戌亥';
const LEGAL_DIGITS = '零壹贰叁肆伍陆柒捌玖';
const CHINESE_DIGITS = '〇一二三四五六七八九';
/** U+2460 is 1 in a circle; there are twenty of them. */
const CIRCLED_ONE = 0x2460;
const CIRCLED_LAST = 20;
const FULL_WIDTH_ZERO = 0xff10;

type Writer = (number: number) => string;

const ordinary: Writer = (number) => chinese(number, CHINESE_DIGITS, '十');
const circled: Writer = (number) =>
  number >= 1 && number <= CIRCLED_LAST
    ? String.fromCodePoint(CIRCLED_ONE + number - 1)
    : `(${number})`;
const fullWidth: Writer = (number) =>
  String(number).replace(/\d/gu, (digit) => String.fromCodePoint(FULL_WIDTH_ZERO + Number(digit)));

const WRITERS: ReadonlyMap<string, Writer> = new Map(
  Object.entries({
    lowerLetter: (number) => letters(number).toLowerCase(),
    upperLetter: letters,
    lowerRoman: (number) => roman(number).toLowerCase(),
    upperRoman: roman,
    decimalZero: (number) => String(number).padStart(2, '0'),
    ordinal: (number) => `${number}${ordinalEnding(number)}`,
    numberInDash: (number) => `- ${number} -`,
    decimalEnclosedCircle: circled,
    decimalEnclosedCircleChinese: circled,
    decimalFullWidth: fullWidth,
    decimalFullWidth2: fullWidth,
    ideographTraditional: (number) => cycle(HEAVENLY_STEMS, number),
    ideographZodiac: (number) => cycle(EARTHLY_BRANCHES, number),
    chineseLegalSimplified: (number) => chinese(number, LEGAL_DIGITS, '拾'),
    chineseCounting: ordinary,
    chineseCountingThousand: ordinary,
    ideographDigital: ordinary,
    japaneseCounting: ordinary,
    taiwaneseCountingThousand: ordinary,
  }),
);

/** A list's number as Word's number format of that name writes it; unknown formats in Arabic digits. */
export function formatNumber(number: number, format: string): string {
  return (WRITERS.get(format) ?? String)(number);
}

function cycle(signs: string, number: number): string {
  return signs.charAt((number - 1) % signs.length);
}

/** 1 -> A, 27 -> AA, as word processors count. */
function letters(number: number): string {
  const letter = String.fromCharCode(65 + ((number - 1) % 26));
  return letter.repeat(Math.min(10, Math.floor((number - 1) / 26) + 1));
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

function roman(number: number): string {
  let [rest, text] = [Math.min(number, 3999), ''];
  for (const [value, digits] of ROMAN)
    while (rest >= value) {
      text += digits;
      rest -= value;
    }
  return text;
}

/** 1 to 99 in Chinese numerals; larger ones in Arabic digits. */
function chinese(number: number, digits: string, ten: string): string {
  if (number > 99) return String(number);
  const [tens, ones] = [Math.floor(number / 10), number % 10];
  const isBareTen = tens === 1 && digits === CHINESE_DIGITS;
  const head = tens === 0 ? '' : `${isBareTen ? '' : digits.charAt(tens)}${ten}`;
  return head + (ones === 0 && tens > 0 ? '' : digits.charAt(ones));
}

function ordinalEnding(number: number): string {
  if (number % 100 >= 11 && number % 100 <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
}
