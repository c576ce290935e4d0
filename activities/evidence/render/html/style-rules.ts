import { type HtmlElement, attribute } from './html-tree';

/** What is declared of the properties that are looked at, by name. */
type Declarations = ReadonlyMap<string, string>;

interface StyleRule {
  /** All of them have to be there: `p`, `.a`, `#b`. */
  readonly parts: readonly string[];
  /** What has to stand around it, the nearest first. */
  readonly around: readonly { readonly parts: readonly string[]; readonly isParent: boolean }[];
  /** Text that the sheet puts before or behind the element's own. */
  readonly pseudo: 'before' | 'after' | undefined;
  readonly declarations: Declarations;
  /** More special rules win, and of two as special the later one. */
  readonly weight: number;
  readonly order: number;
}

/** Rules (`.a`, `#b`, `p.a.b`, `div .a`, `ul > li`) of a page's style sheets, each by the last part of its selector. */
export type StyleRules = ReadonlyMap<string, readonly StyleRule[]>;

const MAX_SHEET_LETTERS = 500_000;
/** Rules of one part that count, so that no sheet makes every element slow. */
const MAX_RULES_OF_PART = 50;
const MAX_SELECTOR_LETTERS = 2_000;
const MAX_BODY_LETTERS = 5_000;
const LOOKED_AT = new Set(
  (
    'display visibility opacity font-size position left top text-indent color background background-color ' +
    'background-image clip clip-path height max-height width overflow overflow-y transform text-transform content'
  ).split(' '),
);

/**
 * Reads rules whose selectors name elements, classes and ids, also within others; the rest cannot be told without a
 * browser. What stands within an at-rule
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
    const rule = readSelector(selector);
    const last = rule?.parts.at(-1);
    if (!rule || last === undefined) continue;
    const ofPart = rules.get(last) ?? [];
    rules.set(last, ofPart);
    ofPart.push({ ...rule, declarations, order });
    if (ofPart.length > MAX_RULES_OF_PART) ofPart.shift();
  }
}

const MAX_COMPOUNDS = 6;
const MAX_SELECTOR_PARTS = 20;

function readSelector(
  selector: string,
): Pick<StyleRule, 'parts' | 'around' | 'pseudo' | 'weight'> | undefined {
  const pseudo = /::?(before|after)$/u.exec(selector)?.[1] as StyleRule['pseudo'];
  const plain = selector.replace(/::?(?:before|after)$/u, '').replace(/\s*>\s*/gu, ' > ');
  const words = plain.split(/\s+/u).filter(Boolean);
  const compounds: { parts: string[]; isParent: boolean }[] = [];
  for (const [at, word] of words.entries()) {
    if (word === '>') continue;
    if (!/^(?:[\w-]+)?(?:[.#][\w-]+)*$/u.test(word)) return undefined;
    const parts = word.match(/[.#]?[\w-]+/gu) ?? [];
    compounds.unshift({ parts, isParent: words[at + 1] === '>' });
  }
  const [own, ...around] = compounds;
  const all = compounds.flatMap(({ parts }) => parts);
  if (!own || compounds.length > MAX_COMPOUNDS || all.length > MAX_SELECTOR_PARTS) return undefined;
  const weight = all.reduce((sum, part) => sum + weightOf(part), 0);
  return { parts: own.parts, around, pseudo, weight };
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
    const value = declaration
      .slice(colon + 1)
      .replace('!important', '')
      .trim();
    style.set(name, name === 'content' ? value : value.toLowerCase());
  }
  return style;
}

/** What the page's rules and the element's own attribute declare of it, or of the text that is put around it. */
export function styleOf(
  element: HtmlElement,
  rules: StyleRules,
  pseudo?: StyleRule['pseudo'],
): Declarations {
  const own = pseudo === undefined ? attribute(element, 'style') : undefined;
  if (rules.size === 0) return own === undefined ? NOTHING : readDeclarations(own);
  const names = namesOf(element);
  const style = new Map<string, string>();
  const found = [...names]
    .flatMap((name) => rules.get(name) ?? [])
    .filter(
      (rule) =>
        rule.pseudo === pseudo &&
        rule.parts.every((part) => names.has(part)) &&
        isWithin(element, rule.around),
    )
    .sort((left, right) => left.weight - right.weight || left.order - right.order);
  for (const { declarations } of found)
    for (const [name, value] of declarations) style.set(name, value);
  if (own !== undefined) for (const [name, value] of readDeclarations(own)) style.set(name, value);
  return style;
}

function namesOf(element: HtmlElement): Set<string> {
  const names = new Set([element.tagName]);
  for (const name of (attribute(element, 'class') ?? '').split(/\s+/u, MAX_CLASSES))
    if (name !== '') names.add(`.${name}`);
  const id = attribute(element, 'id');
  if (id !== undefined) names.add(`#${id}`);
  return names;
}

/** Elements around one that are looked at. */
const MAX_LEVELS = 30;

function isWithin(element: HtmlElement, around: StyleRule['around']): boolean {
  let outer = parentOf(element);
  for (const { parts, isParent } of around) {
    let levels = isParent ? 1 : MAX_LEVELS;
    while (outer && levels > 0 && !hasParts(outer, parts)) {
      outer = parentOf(outer);
      levels--;
    }
    if (!outer || levels === 0) return false;
    outer = parentOf(outer);
  }
  return true;
}

function hasParts(element: HtmlElement, parts: readonly string[]): boolean {
  const names = namesOf(element);
  return parts.every((part) => names.has(part));
}

function parentOf(element: HtmlElement): HtmlElement | undefined {
  const parent = element.parentNode;
  return parent && 'tagName' in parent ? parent : undefined;
}

/** Words that a style sheet puts before or behind an element's own. */
export function generatedText(
  element: HtmlElement,
  rules: StyleRules,
  pseudo: 'before' | 'after',
): string {
  if (rules.size === 0) return '';
  const style = styleOf(element, rules, pseudo);
  if (style.get('display') === 'none') return '';
  return /^(["'])(.*)\1$/su.exec(style.get('content') ?? '')?.[2] ?? '';
}

/** How a style shows the letters of an element and of what is within; `undefined` where it says nothing of it. */
export function letterCase(
  element: HtmlElement,
  rules: StyleRules,
): 'upper' | 'lower' | 'as-is' | undefined {
  const value = styleOf(element, rules).get('text-transform');
  if (value === undefined) return undefined;
  return value === 'uppercase' ? 'upper' : value === 'lowercase' ? 'lower' : 'as-is';
}

const NOTHING: Declarations = new Map();
const MAX_CLASSES = 200;
