import { serialize } from 'parse5';
import { concealment } from './concealment';
import { type HtmlDocument, type HtmlElement, isElement } from './html-tree';
import { type StyleRules } from './style-rules';

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
 * or a style sheet, and nothing that a browser would hide. Pictures within the file stay. Changes the tree.
 */
export function sanitized(document: HtmlDocument, rules: StyleRules): string {
  clean(document, rules);
  return `<!DOCTYPE html><meta charset="utf-8">${serialize(document)}`;
}

function clean(node: HtmlDocument | HtmlElement, rules: StyleRules): void {
  node.childNodes = node.childNodes.filter(
    (child) => !isElement(child) || !isRemoved(child, rules),
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
    clean(child, rules);
  }
}

function isRemoved(element: HtmlElement, rules: StyleRules): boolean {
  return REMOVED.has(element.tagName) || concealment(element, rules) === 'hidden-text';
}

/** Style sheets without imports, and without any address but data within the file. */
function withoutAddresses(css: string): string {
  // Letters may be written as their numbers, which would hide a word from the next steps.
  const plain = css.replace(/\\([0-9a-f]{1,6})\s?/giu, (_, hex: string) => {
    const code = Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
  return plain
    .replace(/@import[^;]*;?/giu, '')
    .replace(/url\(\s*(?!["']?data:image\/)[^)]*\)/giu, 'none');
}
