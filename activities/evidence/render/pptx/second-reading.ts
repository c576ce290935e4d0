import { slideSource } from '../../../../core/evidence-view';
import { type PageSource } from '../office';
import { type PageWords } from '../pdf/poppler';
import { type Rendering } from '../rendering';

/**
 * Holds our reading against LibreOffice's, by way of its pages: a page for each slide that is shown, and on it
 * each paragraph and cell that we found there. What differs is a warning.
 */
export function compareWithPages(
  pages: readonly PageWords[],
  sources: readonly PageSource[],
  rendering: Rendering,
): void {
  const { slides = 0, hiddenSlides = 0 } = rendering.counts;
  const problems: string[] = [];
  const shown = slides - hiddenSlides;
  // Without a slide to show, LibreOffice makes an empty page.
  if (pages.length !== Math.max(1, shown))
    problems.push(`${shown} slides are shown, LibreOffice makes ${pages.length} pages`);
  const letters = new Map(
    sources.map(({ name }, index) => [name, joined(pages[index]?.words ?? [])] as const),
  );
  const [found, total] = countFound(rendering, letters);
  if (found < total)
    problems.push(
      `${total - found} of ${total} texts are not on LibreOffice's page of their slide`,
    );
  rendering.facts['secondReading'] =
    problems.length === 0 ? `LibreOffice: agrees on pages and ${total} texts` : problems.join('; ');
  if (problems.length > 0) rendering.warn(problems.join('; '));
}

function countFound(
  rendering: Rendering,
  letters: ReadonlyMap<string, string>,
): [found: number, total: number] {
  let [found, total] = [0, 0];
  for (const { locator, text, visibility, label, ...segment } of rendering.segments) {
    if (locator.kind !== 'slide' || locator.part !== undefined || visibility === 'hidden') continue;
    // Lines of charts are ours; dates and numbers are made anew on each page.
    if (label === 'chart' || segment.isVolatile === true || segment.isDescription === true)
      continue;
    const page = letters.get(slideSource(locator.slide));
    if (page === undefined) continue;
    total++;
    if (text.split('\n').every((line) => page.includes(lettersOf(line)))) found++;
  }
  return [found, total];
}

function joined(words: PageWords['words']): string {
  return lettersOf(words.map(({ text }) => text).join(''));
}

/** Letters and digits alone: programs differ in signs, spaces and line ends. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
