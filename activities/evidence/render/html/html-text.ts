import { concealment } from './concealment';
import {
  type HtmlElement,
  NestedTooDeep,
  isElement,
  parseHtml,
  rawText,
  squeezed,
  textOfNode,
} from './html-tree';
import { type StyleRules } from './style-rules';

/** Elements that stand within a line; all others, and a `br`, begin one. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark meter output q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const SKIPPED = new Set(['script', 'style', 'head', 'template']);

/**
 * The words of a piece of HTML, each once and in order, a table's row a line; without scripts and styles, and without
 * what its own attributes hide from a reader.
 */
export function htmlText(markup: string): string {
  if (markup.trim() === '') return '';
  const lines: string[] = [];
  let line = '';
  const flush = (): void => {
    lines.push(squeezed(line));
    line = '';
  };
  const walk = (element: HtmlElement): void => {
    if (SKIPPED.has(element.tagName) || isHidden(element)) return;
    const isInline = INLINE.has(element.tagName);
    if (!isInline) flush();
    if (element.tagName === 'tr') {
      const cells = element.childNodes.filter(isElement).map((cell) => squeezed(rawText(cell)));
      lines.push(cells.join(' | '));
      return;
    }
    for (const child of element.childNodes)
      if (isElement(child)) walk(child);
      else line += textOfNode(child) ?? '';
    if (!isInline) flush();
  };
  try {
    for (const child of parseHtml(markup).childNodes) if (isElement(child)) walk(child);
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    return markup;
  }
  return lines.filter((line) => line !== '').join('\n');
}

function isHidden(element: HtmlElement): boolean {
  const cause = concealment(element, NO_RULES);
  return cause !== undefined && cause !== 'no-contrast';
}

const NO_RULES: StyleRules = new Map();
