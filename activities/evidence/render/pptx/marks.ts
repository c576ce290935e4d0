import { colourWords } from '../colour-words';
import { type XmlElement, child } from '../xml';

/** Looks of a run on a slide that carry meaning, in words. Bold and italic letters are left to the page images. */
export function looksOfRun(properties: XmlElement | undefined): string[] {
  if (!properties) return [];
  const { strike = 'noStrike', u = 'none', cap = 'none', baseline = '0' } = properties.attributes;
  const isLink = child(properties, 'hlinkClick') !== undefined;
  const highlight = fillColour(child(properties, 'highlight'));
  const letters = isLink ? undefined : fillColour(child(properties, 'solidFill'));
  const raised = Number.parseFloat(baseline);
  return [
    ...(strike === 'noStrike' ? [] : ['struck out']),
    ...(highlight === undefined ? [] : [`${highlight} highlight`]),
    ...(letters === undefined ? [] : [`letters ${letters}`]),
    ...(u === 'none' || isLink ? [] : ['underlined']),
    ...(raised > 0 ? ['superscript'] : raised < 0 ? ['subscript'] : []),
    ...(cap === 'all' ? ['shown in capitals'] : []),
  ];
}

/** A plain colour in words; `undefined` for greys and for colours of the theme. */
export function fillColour(fill: XmlElement | undefined): string | undefined {
  const value = child(fill, 'srgbClr')?.attributes['val'];
  return value === undefined ? undefined : colourWords(value);
}
