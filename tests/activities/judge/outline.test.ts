import { outlineOf } from '../../../activities/judge/prompt/outline';
import { type TextSegment } from '../../../core/evidence-view';
import { type Locator, parseLocator } from '../../../core/locator';

function segment(place: string, text: string, label?: string): TextSegment {
  const locator = parseLocator(`results/a#${place}`) as Locator;
  return { locator, text, visibility: 'visible', ...(label === undefined ? {} : { label }) };
}

const texts = (segments: readonly TextSegment[]): string[] => segments.map(({ text }) => text);

test('headings of a text, in order', () => {
  const outline = outlineOf([
    segment('lines=1-1', '# A', 'heading 1'),
    segment('lines=2-2', 'words'),
    segment('lines=3-3', '## B', 'heading 2'),
  ]);
  expect(texts(outline)).toEqual(['# A', '## B']);
});

test('titles of slides, and the first words of a slide without one', () => {
  const outline = outlineOf([
    segment('slide=1&shape=1&lines=1-1', 'logo'),
    segment('slide=1&shape=2&lines=1-1', 'Agenda', 'title'),
    segment('slide=2&shape=1&lines=1-1', 'Only a box'),
    segment('slide=2&shape=1&lines=2-2', 'more'),
    segment('slide=3&part=comments&lines=1-1', 'Ann: why?', 'comment'),
  ]);
  expect(texts(outline)).toEqual(['Agenda', 'Only a box']);
});

test('the first line of each page and of each notebook cell', () => {
  const outline = outlineOf([
    segment('page=1&lines=1-1', 'one'),
    segment('page=1&lines=2-2', 'two'),
    segment('page=2&lines=4-4', 'three'),
    segment('cell=1&lines=1-1', 'import os', 'code cell'),
    segment('cell=1&lines=2-2', 'run()', 'code cell'),
    segment('cell=1&output=1&lines=1-1', 'printed', 'output'),
  ]);
  expect(texts(outline)).toEqual(['one', 'three', 'import os']);
});

test('a table of lines has none, a long one ends', () => {
  expect(outlineOf([segment('lines=1-1', 'a,b')])).toEqual([]);
  const pages = Array.from({ length: 500 }, (_, at) => segment(`page=${at + 1}&lines=1-1`, 'x'));
  expect(outlineOf(pages)).toHaveLength(60);
});
