import { serialize } from 'parse5';
import { type HtmlDocument, type HtmlElement, isElement } from './html-tree';

const REMOVED = new Set(
  'script noscript iframe frame frameset object embed applet link base meta audio video source track template portal'.split(
    ' ',
  ),
);
const ADDRESSES = new Set([
  'src',
  'srcset',
  'href',
  'xlink:href',
  'data',
  'background',
  'poster',
  'action',
  'formaction',
  'longdesc',
  'cite',
  'ping',
  'codebase',
  'classid',
]);

/**
 * The page as it may be drawn: nothing that runs, and no address of anything outside of it, be it a page, a file
 * or a style sheet. Pictures within the file stay.
 */
export function sanitized(document: HtmlDocument): string {
  clean(document);
  return `<!DOCTYPE html><meta charset="utf-8">${serialize(document)}`;
}

function clean(node: HtmlDocument | HtmlElement): void {
  node.childNodes = node.childNodes.filter(
    (child) => !isElement(child) || !REMOVED.has(child.tagName),
  );
  for (const child of node.childNodes) {
    if (!isElement(child)) continue;
    child.attrs = child.attrs
      .filter(({ name, value }) => {
        if (/^on/iu.test(name) || name === 'srcdoc') return false;
        return !ADDRESSES.has(name) || /^data:image\/(?:png|jpe?g|gif|webp);/iu.test(value.trim());
      })
      .map((each) =>
        each.name === 'style' ? { ...each, value: withoutAddresses(each.value) } : each,
      );
    if (child.tagName === 'style')
      for (const text of child.childNodes)
        if ('value' in text) text.value = withoutAddresses(text.value);
    clean(child);
  }
}

/** Style sheets without imports, and without any address but data within the file. */
function withoutAddresses(css: string): string {
  return css
    .replace(/@import[^;]*;?/giu, '')
    .replace(/url\(\s*(?!["']?data:image\/)[^)]*\)/giu, 'none')
    .replace(/\\[0-9a-f]{1,6}\s?/giu, '');
}
