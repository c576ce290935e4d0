import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5';

export type HtmlNode = DefaultTreeAdapterMap['childNode'];
export type HtmlElement = DefaultTreeAdapterMap['element'];
export type HtmlDocument = DefaultTreeAdapterMap['document'];

/** Deeper than browsers go; beyond it the work grows with the square of the depth. */
const MAX_DEPTH = 500;

/** A page whose elements are nested too deep for a tree. */
export class NestedTooDeep extends Error {
  constructor() {
    super(`elements are nested deeper than ${MAX_DEPTH}`);
    this.name = 'NestedTooDeep';
  }
}

/** The tree of a page as a browser would build it; nothing is run or loaded. Throws `NestedTooDeep`. */
export function parseHtml(text: string): HtmlDocument {
  let depth = 0;
  return parse(text, {
    treeAdapter: {
      ...defaultTreeAdapter,
      onItemPush: () => {
        if (++depth > MAX_DEPTH) throw new NestedTooDeep();
      },
      onItemPop: () => {
        depth--;
      },
    },
  });
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
