import { type Background, standsOut } from './colour';
import { type HiddenText } from './paragraph';
import { type RunLook } from './styles';

/** Half-points under which letters are not meant to be read. */
const TINY_HALF_POINTS = 6;
/** Percent of their width under which letters are a line. */
const TINY_SCALE = 10;

/** Why no reader sees a run of that look; `undefined` where one does. */
export function unseenBy(look: RunLook, paper: Background): Omit<HiddenText, 'text'> | undefined {
  if (look.vanish === true) return { cause: 'hidden-text', label: 'hidden text' };
  if ((look.size ?? TINY_HALF_POINTS) < TINY_HALF_POINTS || (look.scale ?? 100) < TINY_SCALE)
    return { cause: 'tiny-text', label: 'tiny text' };
  const { colour = 'auto', background = paper } = look;
  if (colour === 'auto' || standsOut(colour, background)) return undefined;
  return {
    cause: 'no-contrast',
    label: colour === 'FFFFFF' ? 'white text' : 'text in the colour behind it',
  };
}

/**
 * The looks of a run that carry meaning, in words. The colour that all letters of the paragraph's style have says
 * nothing, nor do colour and line of a link.
 */
export function looksOf({ marks = {} }: RunLook, paragraph: RunLook, isLink: boolean): string[] {
  return Object.entries(marks).flatMap(([kind, words]) => {
    if (words === '' || (isLink && (kind === 'colour' || kind === 'underline'))) return [];
    return kind === 'colour' && words === paragraph.marks?.['colour'] ? [] : [words];
  });
}
