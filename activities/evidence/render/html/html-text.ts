import {
  type HtmlElement,
  NestedTooDeep,
  isElement,
  parseHtml,
  rawText,
  squeezed,
} from './html-tree';

/** The words of a piece of HTML, a table's row a line; without scripts and styles. */
export function htmlText(markup: string): string {
  if (markup.trim() === '') return '';
  const lines: string[] = [];
  const walk = (element: HtmlElement): void => {
    if (element.tagName === 'script' || element.tagName === 'style') return;
    if (element.tagName === 'tr') {
      const cells = element.childNodes.filter(isElement).map((cell) => squeezed(rawText(cell)));
      lines.push(cells.join(' | '));
      return;
    }
    const inner = element.childNodes.filter(isElement);
    if (inner.some((child) => child.tagName !== 'br' && rawText(child).trim() !== ''))
      for (const child of inner) walk(child);
    else lines.push(squeezed(rawText(element)));
  };
  try {
    for (const child of parseHtml(markup).childNodes) if (isElement(child)) walk(child);
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    return markup;
  }
  return lines.filter((line) => line !== '').join('\n');
}
