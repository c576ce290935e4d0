import { type HiddenCause } from '../../../../core/evidence-view';
import { type HtmlElement, attribute } from './html-tree';

/** Declarations of simple rules (`.a`, `#b`, `p`) in a page's style sheets, by selector. */
export type StyleRules = ReadonlyMap<string, string>;

const MAX_SHEET_LETTERS = 500_000;

/** Reads rules with one simple selector; others cannot be told without a browser. */
export function readRules(sheets: readonly string[]): StyleRules {
  const rules = new Map<string, string>();
  const text = sheets
    .join('\n')
    .slice(0, MAX_SHEET_LETTERS)
    .replace(/\/\*[^]*?\*\//gu, '');
  for (const [, selectors = '', body = ''] of text.matchAll(/([^{}]{1,2000})\{([^{}]{0,5000})\}/gu))
    for (const selector of selectors.split(',').map((each) => each.trim()))
      if (/^[.#]?[\w-]+$/u.test(selector))
        rules.set(selector, `${rules.get(selector) ?? ''};${body}`);
  return rules;
}

/** Why a reader of the page does not see an element, so far as its own attributes and simple rules tell. */
export function concealment(element: HtmlElement, rules: StyleRules): HiddenCause | undefined {
  if (attribute(element, 'hidden') !== undefined) return 'hidden-text';
  const classes = (attribute(element, 'class') ?? '').split(/\s+/u).filter(Boolean);
  const declarations = [
    rules.get(element.tagName),
    ...classes.map((name) => rules.get(`.${name}`)),
    rules.get(`#${attribute(element, 'id') ?? ''}`),
    attribute(element, 'style'),
  ];
  const style = new Map<string, string>();
  for (const declaration of declarations
    .filter((each) => each !== undefined)
    .join(';')
    .split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0)
      style.set(
        declaration.slice(0, colon).trim().toLowerCase(),
        declaration
          .slice(colon + 1)
          .replace('!important', '')
          .trim()
          .toLowerCase(),
      );
  }
  return causeOf(style, attribute(element, 'color'));
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
  const classes = (attribute(element, 'class') ?? '').split(/\s+/u);
  const styles = [
    rules.get(element.tagName),
    ...classes.map((name) => rules.get(`.${name}`)),
    attribute(element, 'style'),
    attribute(element, 'bgcolor') === undefined ? '' : 'background:',
  ];
  return styles.some((style) => style !== undefined && /background/iu.test(style));
}
