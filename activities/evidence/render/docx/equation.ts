import { type XmlElement, child, elements, textOf } from '../xml';

/** An equation on one line, as people type it: `x=(-b±√(b^2-4ac))/(2a)`, `∑_(i=1)^n x_i`. */
export function linearEquation(element: XmlElement): string {
  return elements(element).map(linear).join('');
}

function linear(element: XmlElement): string {
  const write = WRITERS.get(element.name);
  if (write) return write(element);
  return /Pr$/u.test(element.name) ? '' : linearEquation(element);
}

const WRITERS: ReadonlyMap<string, (element: XmlElement) => string> = new Map(
  Object.entries({
    r: (run) =>
      elements(run, 't').map(textOf).join('') + elements(run, 'delText').map(textOf).join(''),
    f: (fraction) => {
      const [above, below] = [group(fraction, 'num'), group(fraction, 'den')];
      return property(fraction, 'fPr', 'type') === 'noBar'
        ? `(${above}¦${below})`
        : `${above}/${below}`;
    },
    rad: (root) => {
      const degree = part(root, 'deg');
      return `${degree === '' ? '√' : `${degree}√`}(${part(root, 'e')})`;
    },
    sSup: (element) => `${group(element, 'e')}^${group(element, 'sup')}`,
    sSub: (element) => `${group(element, 'e')}_${group(element, 'sub')}`,
    sSubSup: (element) =>
      `${group(element, 'e')}_${group(element, 'sub')}^${group(element, 'sup')}`,
    sPre: (element) => `_${group(element, 'sub')}^${group(element, 'sup')}${group(element, 'e')}`,
    nary: (element) => {
      const sign = property(element, 'naryPr', 'chr') ?? '∫';
      const [below, above] = [part(element, 'sub'), part(element, 'sup')];
      return (
        sign +
        (below === '' ? '' : `_${grouped(below)}`) +
        (above === '' ? '' : `^${grouped(above)}`) +
        ` ${part(element, 'e')}`
      );
    },
    d: (element) => {
      const open = property(element, 'dPr', 'begChr') ?? '(';
      const close = property(element, 'dPr', 'endChr') ?? ')';
      const separator = property(element, 'dPr', 'sepChr') ?? '|';
      return open + elements(element, 'e').map(linearEquation).join(separator) + close;
    },
    func: (element) => `${part(element, 'fName')}(${part(element, 'e')})`,
    limLow: (element) => `${part(element, 'e')}_(${part(element, 'lim')})`,
    limUpp: (element) => `${part(element, 'e')}^(${part(element, 'lim')})`,
    acc: (element) => `${group(element, 'e')}${property(element, 'accPr', 'chr') ?? '\u0302'}`,
    bar: (element) => `${group(element, 'e')}\u0305`,
    m: (matrix) =>
      `[${elements(matrix, 'mr')
        .map((row) => elements(row, 'e').map(linearEquation).join(', '))
        .join('; ')}]`,
    eqArr: (array) => elements(array, 'e').map(linearEquation).join('; '),
  }),
);

function part(element: XmlElement, name: string): string {
  const found = child(element, name);
  return found ? linearEquation(found) : '';
}

function group(element: XmlElement, name: string): string {
  return grouped(part(element, name));
}

/** In parentheses unless it is one sign or number. */
function grouped(text: string): string {
  return /^(?:[\p{L}\p{N}]|\p{N}+(?:\.\p{N}+)?|\([^()]*\))?$/u.test(text) ? text : `(${text})`;
}

/** A property of an operator; an empty value (an invisible bracket) is kept. */
function property(element: XmlElement, properties: string, name: string): string | undefined {
  const found = child(element, properties, name);
  return found && (found.attributes['val'] ?? '');
}
