import { type TextMark } from '../../../../core/evidence-view';
import { linearEquation } from '../docx/equation';
import { MarkList } from '../mark-list';
import { type XmlElement, child, elements, textOf } from '../xml';
import { AutoNumbers } from './auto-numbers';
import { looksOfRun } from './marks';

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
  readonly marks: readonly TextMark[];
}

/** Hundredths of a point. */
const TINY = 300;

/**
 * Paragraphs of a text body in order, empty ones too: their numbers are addresses.
 *
 * @param slideNumber what a field for it shows. @default what the file has kept
 */
export function paragraphsOf(body: XmlElement | undefined, slideNumber?: number): SlideParagraph[] {
  if (!body) return [];
  const numbers = new AutoNumbers(child(body, 'lstStyle'));
  return elements(body, 'p').map((paragraph) => readParagraph(paragraph, numbers, slideNumber));
}

function readParagraph(
  paragraph: XmlElement,
  numbers: AutoNumbers,
  slideNumber: number | undefined,
): SlideParagraph {
  const properties = child(paragraph, 'pPr');
  const stated = Number(properties?.attributes['lvl'] ?? 0);
  const level = Number.isInteger(stated) && stated > 0 && stated < 9 ? stated : 0;
  const runs = elements(paragraph).flatMap(unwrapped);
  const links = runs.flatMap((run) => {
    const id = child(run, 'rPr', 'hlinkClick')?.attributes['r:id'];
    return id === undefined || id === '' ? [] : [{ id, text: runText(run) }];
  });
  const written = runs.filter((run) => runText(run).trim() !== '');
  const marks = new MarkList();
  const text = runs
    .map((run) => {
      const words = shownText(run, slideNumber);
      marks.add(words, looksOfRun(child(run, 'rPr')));
      return words;
    })
    .join('')
    .trim();
  return {
    text: text === '' ? '' : `${numbers.next(properties, level)}${text}`,
    level,
    marks: marks.list(),
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

function shownText(run: XmlElement, slideNumber: number | undefined): string {
  const isNumber = run.name === 'fld' && run.attributes['type'] === 'slidenum';
  return isNumber && slideNumber !== undefined ? String(slideNumber) : runText(run);
}

function runText(run: XmlElement): string {
  switch (run.name) {
    case 'br':
      return '\n';
    case 'r':
    case 'fld':
      return textOf(child(run, 't'));
    case 'm':
    case 'oMath':
    case 'oMathPara':
      return mathText(run);
    default:
      return '';
  }
}

/** Equations in one line, as in documents. */
function mathText(element: XmlElement): string {
  if (element.name === 'oMath') return linearEquation(element);
  return elements(element).map(mathText).join('');
}

function sizeOf(run: XmlElement): number {
  const size = Number(child(run, 'rPr')?.attributes['sz'] ?? Number.NaN);
  return Number.isNaN(size) ? Infinity : size;
}
