import { type XmlElement, child, elements, textOf } from '../xml';

export interface SlideParagraph {
  readonly text: string;
  /** 0 for the outermost. */
  readonly level: number;
  /** Has a date or a slide number that is filled in when the file is opened. */
  readonly isVolatile: boolean;
  /** Letters under 3 points, all of them. */
  readonly isTiny: boolean;
  /** Relationship ids of its links, with the words that carry them. */
  readonly links: readonly { readonly id: string; readonly text: string }[];
}

/** Hundredths of a point. */
const TINY = 300;

/** Paragraphs of a text body in order, empty ones too: their numbers are addresses. */
export function paragraphsOf(body: XmlElement | undefined): SlideParagraph[] {
  return body ? elements(body, 'p').map(readParagraph) : [];
}

function readParagraph(paragraph: XmlElement): SlideParagraph {
  const level = Number(child(paragraph, 'pPr')?.attributes['lvl'] ?? 0);
  const runs = elements(paragraph).flatMap(unwrapped);
  const links = runs.flatMap((run) => {
    const id = child(run, 'rPr', 'hlinkClick')?.attributes['r:id'];
    return id === undefined || id === '' ? [] : [{ id, text: runText(run) }];
  });
  const written = runs.filter((run) => runText(run).trim() !== '');
  return {
    text: runs.map(runText).join('').trim(),
    level: Number.isInteger(level) && level > 0 && level < 9 ? level : 0,
    isVolatile: runs.some(({ name, attributes }) => {
      return name === 'fld' && /^(?:datetime|slidenum)/u.test(attributes['type'] ?? '');
    }),
    isTiny: written.length > 0 && written.every((run) => sizeOf(run) < TINY),
    links,
  };
}

/** Of alternatives, the one that new programs take; the fallback says the same in another way. */
export function unwrapped(element: XmlElement): XmlElement[] {
  if (element.name !== 'AlternateContent') return [element];
  const choice = child(element, 'Choice');
  const chosen = choice && choice.children.length > 0 ? choice : child(element, 'Fallback');
  return chosen ? elements(chosen).flatMap(unwrapped) : [];
}

function runText(run: XmlElement): string {
  switch (run.name) {
    case 'br':
      return '\n';
    case 'r':
    case 'fld':
      return textOf(child(run, 't'));
    // Equations: their letters in order.
    case 'm':
    case 'oMath':
    case 'oMathPara':
      return mathText(run);
    default:
      return '';
  }
}

function mathText(element: XmlElement): string {
  return elements(element)
    .map((each) => (each.name === 't' ? textOf(each) : mathText(each)))
    .join('');
}

function sizeOf(run: XmlElement): number {
  const size = Number(child(run, 'rPr')?.attributes['sz'] ?? Number.NaN);
  return Number.isNaN(size) ? Infinity : size;
}
