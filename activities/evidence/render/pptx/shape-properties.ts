import { type XmlElement, child, elements } from '../xml';

/** English Metric Units of a centimetre. */
const EMU_PER_CENTIMETRE = 360_000;

/** Name, alternative text and the hidden flag stand in the first child's `cNvPr`. */
export function nonVisualProperties(shape: XmlElement): XmlElement | undefined {
  return elements(shape)
    .filter(({ name }) => /^nv\w*Pr$/u.test(name))
    .map((each) => child(each, 'cNvPr'))
    .find((each) => each !== undefined);
}

/** Width and height as the file states them, such as `12.3 x 8 cm`; empty where it does not. */
export function sizeInWords(shape: XmlElement): string {
  const extent = child(shape, 'spPr', 'xfrm', 'ext')?.attributes;
  const [width = Number.NaN, height = Number.NaN] = [extent?.['cx'], extent?.['cy']].map(
    (emu) => Math.round((Number(emu) / EMU_PER_CENTIMETRE) * 10) / 10,
  );
  return Number.isFinite(width + height) ? `${width} x ${height} cm` : '';
}

/** @param numbers of shapes by their ids. `arrow from shape 1 to shape 2`; `undefined` for a line that is fixed to no shape. */
export function connectorWords(
  connector: XmlElement,
  numbers: ReadonlyMap<string, number>,
): string | undefined {
  const properties = child(connector, 'nvCxnSpPr', 'cNvCxnSpPr');
  const [from, to] = ['stCxn', 'endCxn'].map((name) =>
    numbers.get(child(properties, name)?.attributes['id'] ?? ''),
  );
  if (from === undefined && to === undefined) return undefined;
  const line = child(connector, 'spPr', 'ln');
  const hasHead = (name: string): boolean =>
    (child(line, name)?.attributes['type'] ?? 'none') !== 'none';
  const ends = `from ${shapeWords(from)} to ${shapeWords(to)}`;
  if (hasHead('headEnd') && hasHead('tailEnd')) return `arrow both ways ${ends}`;
  if (hasHead('tailEnd')) return `arrow ${ends}`;
  return hasHead('headEnd')
    ? `arrow from ${shapeWords(to)} to ${shapeWords(from)}`
    : `line ${ends}`;
}

function shapeWords(number: number | undefined): string {
  return number === undefined ? 'no shape' : `shape ${number}`;
}
