import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5';

export type HtmlNode = DefaultTreeAdapterMap['childNode'];
export type HtmlElement = DefaultTreeAdapterMap['element'];
export type HtmlDocument = DefaultTreeAdapterMap['document'];

/** What is nested deeper than this is cut out of the tree. */
const MAX_DEPTH = 400;

/** The tree of a page as a browser would build it; whether it was cut for its depth. Nothing is run or loaded. */
export function parseHtml(text: string): {
  readonly document: HtmlDocument;
  readonly isCut: boolean;
} {
  const document = parse(text);
  let isCut = false;
  let level: (HtmlDocument | HtmlElement)[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_DEPTH) {
      isCut = level.some(({ childNodes }) => childNodes.length > 0);
      for (const node of level) node.childNodes = [];
      break;
    }
    level = level.flatMap((node) => node.childNodes.filter(isElement));
  }
  return { document, isCut };
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return defaultTreeAdapter.isElementNode(node);
}

export function attribute(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

/** Words of a text node, `undefined` for other nodes. */
export function textOfNode(node: HtmlNode): string | undefined {
  return defaultTreeAdapter.isTextNode(node) ? node.value : undefined;
}

export function commentOf(node: HtmlNode): string | undefined {
  return defaultTreeAdapter.isCommentNode(node) ? node.data : undefined;
}

/** White space as a browser shows it. */
export function squeezed(text: string): string {
  return text.replace(/[ \t\r\n\f]+/gu, ' ').trim();
}

/** All text below an element, unsqueezed. */
export function rawText(element: HtmlElement): string {
  return element.childNodes
    .map((node) => textOfNode(node) ?? (isElement(node) ? rawText(node) : ''))
    .join('');
}
