import { tablesOf } from '../../../activities/checks/document-tables';
import { type TextSegment } from '../../../core/evidence-view';
import { type Locator, parseLocator } from '../../../core/locator';
import { evidenceOf } from '../../support/evidence';

async function tables(name: string, cells: readonly (readonly [string, string])[]) {
  const segments = cells.map(([place, text]): TextSegment => ({
    locator: { ...(parseLocator(`results/x#${place}`) as Locator), artifact: '' },
    text,
    visibility: 'visible',
  }));
  const evidence = evidenceOf({ [`results/${name}`]: { segments } });
  const [entry] = evidence.view.entries;
  const found = entry && (await tablesOf(evidence, entry));
  return found?.map(({ rows }) => rows.map((row) => [...row.values()].map(({ text }) => text)));
}

test('tables of slides are told apart by slide and shape', async () => {
  expect(
    await tables('deck.pptx', [
      ['slide=1&shape=1&lines=1-1', 'Title'],
      ['slide=1&shape=2&row=1&column=1', 'a'],
      ['slide=1&shape=2&row=1&column=2', 'b'],
      ['slide=1&shape=2&row=2&column=1', 'c'],
      ['slide=1&shape=3&row=1&column=1', 'other'],
      ['slide=2&shape=2&row=1&column=1', 'next slide'],
    ]),
  ).toEqual([[['a', 'b'], ['c']], [['other']], [['next slide']]]);
});

test('tables of a web page', async () => {
  expect(
    await tables('page.html', [
      ['paragraph=body:1-1', 'words'],
      ['table=1&row=1&column=1', 'a'],
      ['table=2&row=1&column=1', 'b'],
    ]),
  ).toEqual([[['a']], [['b']]]);
});
