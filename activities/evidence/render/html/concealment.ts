import { type HiddenCause } from '../../../../core/evidence-view';
import { type HtmlElement, attribute } from './html-tree';
import { type StyleRules, styleOf } from './style-rules';

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
  if (isTransparent(value('opacity')) || isCollapsed(style)) return 'hidden-text';
  const size = /^([\d.]+)(px|pt|em|rem|%)?$/u.exec(value('font-size'));
  if (size && isTiny(Number(size[1]), size[2] ?? 'px')) return 'tiny-text';
  if (['absolute', 'fixed'].includes(value('position')) && isFarAway(value('left'), value('top')))
    return 'off-page';
  if (/^-\d{3,}/u.test(value('text-indent'))) return 'off-page';
  return causeOfColor(style, value('color') || (fontColor ?? ''));
}

function causeOfColor(style: ReadonlyMap<string, string>, color: string): HiddenCause | undefined {
  if (color === '') return undefined;
  const background = style.get('background-color') ?? style.get('background') ?? '';
  // Whatever is painted behind it.
  if (isClear(color) || sameColor(color, background)) return 'no-mark';
  return background === '' && isWhite(color) ? 'no-contrast' : undefined;
}

/** Opacity below which nothing is seen. */
const MIN_OPACITY = 0.05;

function isTransparent(opacity: string): boolean {
  const match = /^(\d*\.?\d+)(%?)$/u.exec(opacity);
  return match !== null && Number(match[1]) / (match[2] === '%' ? 100 : 1) < MIN_OPACITY;
}

/** Cut to nothing, shrunk to nothing, or in a box without height or width. */
function isCollapsed(style: ReadonlyMap<string, string>): boolean {
  const value = (name: string): string => style.get(name) ?? '';
  if (/^(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0(?:px|%)?\s*[)a])/u.test(value('clip-path')))
    return true;
  if (
    /^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)$/u.test(
      value('clip'),
    )
  )
    return true;
  if (/\bscale(?:3d|x|y)?\(\s*0(?:\.0+)?\s*[,)]/u.test(value('transform'))) return true;
  const isCut = `${value('overflow')} ${value('overflow-y')}`.includes('hidden');
  return (
    isCut && ['height', 'max-height', 'width'].some((name) => /^[01](?:px)?$/u.test(value(name)))
  );
}

function isClear(color: string): boolean {
  return /^(?:transparent|(?:rgb|hsl)a?\([^)]*[,/]\s*0(?:\.0\d*)?%?\s*\)|#[\da-f]{3}0|#[\da-f]{6}0\d)$/u.test(
    color.replace(/^(?:rgb|hsl)\([^,)]*,[^,)]*,[^,)]*\)$/u, ''),
  );
}

function sameColor(color: string, background: string): boolean {
  const plain = (text: string): string =>
    text
      .replace(/\s+/gu, '')
      .replace(/^#([\da-f])([\da-f])([\da-f])$/u, '#$1$1$2$2$3$3')
      .replace(/^white$/u, '#ffffff')
      .replace(/^black$/u, '#000000');
  return plain(color) === plain(background);
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
