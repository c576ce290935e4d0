const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

/**
 * Raised and lowered numbers as such: the footnote 1 of "1,234" must not make it "1,2341". Other raised letters stand
 * as they are.
 *
 * @param before the text of the word up to there
 */
export function scriptText(
  { text, script }: { readonly text: string; readonly script?: 'above' | 'below' },
  before: string,
): string {
  if (script === undefined || before === '' || !/^[0-9]+$/u.test(text)) return text;
  // Behind a digit, a raised one would be folded into the number when words are compared.
  if (/[0-9]$/u.test(before)) return `${script === 'above' ? '^' : '_'}${text}`;
  const letters = script === 'above' ? SUPERSCRIPTS : SUBSCRIPTS;
  return text.replace(/[0-9]/gu, (digit) => letters[Number(digit)] ?? digit);
}
