import { type HiddenCause } from '../../../../core/evidence-view';
import { type HtmlElement, attribute } from './html-tree';

/** What is declared of the properties that are looked at, by name. */
type Declarations = ReadonlyMap<string, string>;

interface StyleRule {
  /** All of them have to be there: `p`, `.a`, `#b`. */
  readonly parts: readonly string[];
  readonly declarations: Declarations;
  /** More special rules win, and of two as special the later one. */
  readonly weight: number;
  readonly order: number;
}

/** Simple rules (`.a`, `#b`, `p`, `p.a.b`) of a page's style sheets, each by the last part of its selector. */
export type StyleRules = ReadonlyMap<string, readonly StyleRule[]>;

const MAX_SHEET_LETTERS = 500_000;
/** Rules of one part that count, so that no sheet makes every element slow. */
const MAX_RULES_OF_PART = 50;
const MAX_SELECTOR_LETTERS = 2_000;
const MAX_BODY_LETTERS = 5_000;
const LOOKED_AT = new Set(
  'display visibility opacity font-size position left top text-indent color background background-color background-image'.split(
    ' ',
  ),
);

/**
 * Reads rules with a selector of one element; others cannot be told without a browser. What stands within an at-rule
 * (`@media print`, `@keyframes`) holds at times only, and is left out but for `@media screen` and `all`.
 */
export function readRules(sheets: readonly string[]): StyleRules {
  const rules = new Map<string, StyleRule[]>();
  const text = sheets
    .join('\n')
    .slice(0, MAX_SHEET_LETTERS)
    .replace(/\/\*[^]*?(?:\*\/|$)/gu, '');
  // What each open brace belongs to: true where its rules hold.
  const open: boolean[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter !== '{' && letter !== '}' && letter !== ';') continue;
    const words = text.slice(from, at).trim();
    from = at + 1;
    if (letter === '}') open.pop();
    if (letter !== '{') continue;
    const holds = open.at(-1) ?? true;
    if (words.startsWith('@')) {
      open.push(holds && /^@media\s+(?:screen|all)$|^@(?:supports|layer)\b/iu.test(words));
      continue;
    }
    const end = endOfBody(text, at + 1);
    if (end === undefined) {
      // Braces within: nested rules, which depend on more than one element.
      open.push(false);
      continue;
    }
    if (holds && words.length <= MAX_SELECTOR_LETTERS && end - at <= MAX_BODY_LETTERS)
      addRule(words, readDeclarations(text.slice(at + 1, end)), at, rules);
    at = end;
    from = end + 1;
  }
  return rules;
}

/** Where the body ends that begins here; `undefined` where another brace opens before. */
function endOfBody(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '}') return at;
    if (text[at] === '{') return undefined;
  }
  return text.length;
}

function addRule(
  selectors: string,
  declarations: Declarations,
  order: number,
  rules: Map<string, StyleRule[]>,
): void {
  if (declarations.size === 0) return;
  for (const selector of new Set(selectors.split(',').map((each) => each.trim()))) {
    if (!/^(?:[\w-]+)?(?:[.#][\w-]+)*$/u.test(selector)) continue;
    const parts = selector.match(/[.#]?[\w-]+/gu) ?? [];
    const last = parts.at(-1);
    if (last === undefined) continue;
    const ofPart = rules.get(last) ?? [];
    rules.set(last, ofPart);
    const weight = parts.reduce((sum, part) => sum + weightOf(part), 0);
    ofPart.push({ parts, declarations, weight, order });
    if (ofPart.length > MAX_RULES_OF_PART) ofPart.shift();
  }
}

function weightOf(part: string): number {
  if (part.startsWith('#')) return 10_000;
  return part.startsWith('.') ? 100 : 1;
}

function readDeclarations(text: string): Declarations {
  const style = new Map<string, string>();
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon <= 0) continue;
    const name = declaration.slice(0, colon).trim().toLowerCase();
    if (!LOOKED_AT.has(name)) continue;
    const value = declaration.slice(colon + 1).replace('!important', '');
    style.set(name, value.trim().toLowerCase());
  }
  return style;
}

/** What the page's simple rules and the element's own attribute declare of it. */
function styleOf(element: HtmlElement, rules: StyleRules): Declarations {
  const own = attribute(element, 'style');
  if (rules.size === 0) return own === undefined ? NOTHING : readDeclarations(own);
  const names = new Set([element.tagName]);
  for (const name of (attribute(element, 'class') ?? '').split(/\s+/u, MAX_CLASSES))
    if (name !== '') names.add(`.${name}`);
  const id = attribute(element, 'id');
  if (id !== undefined) names.add(`#${id}`);
  const style = new Map<string, string>();
  const found = [...names]
    .flatMap((name) => rules.get(name) ?? [])
    .filter(({ parts }) => parts.every((part) => names.has(part)))
    .sort((left, right) => left.weight - right.weight || left.order - right.order);
  for (const { declarations } of found)
    for (const [name, value] of declarations) style.set(name, value);
  if (own !== undefined) for (const [name, value] of readDeclarations(own)) style.set(name, value);
  return style;
}

const NOTHING: Declarations = new Map();
const MAX_CLASSES = 200;

/** Why a reader of the page does not see an element, so far as its own attributes and simple rules tell. */
export function concealment(element: HtmlElement, rules: StyleRules): HiddenCause | undefined {
  if (attribute(element, 'hidden') !== undefined) return 'hidden-text';
  return causeOf(styleOf(element, rules), attribute(element, 'color'));
}

function causeOf(
  style: ReadonlyMap<string, string>,
  fontColor: string | undefined,
): HiddenCause | undefined {
  const value = (name: string): string => style.get(name) ?? '';
  if (value('display') === 'none' || ['hidden', 'collapse'].includes(value('visibility')))
    return 'hidden-text';
  if (/^0(?:\.0+)?%?$/u.test(value('opacity'))) return 'hidden-text';
  const size = /^([\d.]+)(px|pt|em|rem|%)?$/u.exec(value('font-size'));
  if (size && isTiny(Number(size[1]), size[2] ?? 'px')) return 'tiny-text';
  if (['absolute', 'fixed'].includes(value('position')) && isFarAway(value('left'), value('top')))
    return 'off-page';
  if (/^-\d{3,}/u.test(value('text-indent'))) return 'off-page';
  const background = `${value('background')}${value('background-color')}`;
  return background === '' && isWhite(value('color') || (fontColor ?? ''))
    ? 'no-contrast'
    : undefined;
}

function isTiny(size: number, unit: string): boolean {
  const points = { px: 0.75, pt: 1, em: 12, rem: 12, '%': 0.12 }[unit] ?? 1;
  return size * points < 3;
}

function isFarAway(left: string, top: string): boolean {
  return [left, top].some((length) => /^-\d{3,}/u.test(length));
}

function isWhite(color: string): boolean {
  return /^(?:white|#fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\)|transparent)$/u.test(
    color.trim().toLowerCase(),
  );
}

/** Whether an element paints something behind its text, so that white letters may be seen on it. */
export function hasBackground(element: HtmlElement, rules: StyleRules): boolean {
  if (attribute(element, 'bgcolor') !== undefined) return true;
  return [...styleOf(element, rules).keys()].some((name) => name.startsWith('background'));
}
