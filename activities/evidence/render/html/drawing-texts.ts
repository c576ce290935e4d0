import { concealment } from './concealment';
import { type HtmlElement, attribute, isElement, rawText } from './html-tree';
import { type StyleRules } from './style-rules';

export interface DrawingText {
  readonly text: string;
  readonly isHidden: boolean;
}

/** Words of a drawing within a page. */
export function drawingTexts(
  element: HtmlElement,
  rules: StyleRules,
  isWithinHidden = false,
): DrawingText[] {
  const isHidden =
    isWithinHidden ||
    attribute(element, 'display') === 'none' ||
    attribute(element, 'visibility') === 'hidden' ||
    ['defs', 'symbol'].includes(element.tagName) ||
    concealment(element, rules) === 'hidden-text';
  // A page within the drawing is shown as one text.
  if (element.tagName === 'text' || element.tagName === 'foreignObject')
    return [{ text: rawText(element), isHidden }];
  return element.childNodes
    .filter(isElement)
    .flatMap((each) => drawingTexts(each, rules, isHidden));
}
