import { type XmlElement, descendants, textOf } from '../xml';

/** Letters and digits: what two readers of the same file must count alike. */
export function lettersOf(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** The same within an equation. */
export function lettersOfEquation(element: XmlElement): number {
  return descendants(element, 't').reduce((sum, each) => sum + lettersOf(textOf(each)), 0);
}
