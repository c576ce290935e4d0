import { EvidenceDesk, describeArtifact } from '../../../activities/judge/evidence-desk';
import { groundCitation } from '../../../activities/judge/grounding/ground-citation';
import { type TextSegment, slideSource } from '../../../core/evidence-view';
import { printLocator } from '../../../core/locator';
import { evidenceOf } from '../../support/evidence';

const DECK = 'results/deck.pptx';

function line(slide: number, shape: number, number: number, text: string): TextSegment {
  const locator = { artifact: '', kind: 'slide', slide, shape, from: number, to: number } as const;
  return { locator, text, visibility: 'visible' };
}

const page = { bytes: 1, widthPixels: 1, heightPixels: 1 };
const desk = new EvidenceDesk(
  evidenceOf({
    [DECK]: {
      rendered: {
        counts: { slides: 3, hiddenSlides: 1 },
        pages: [
          { ...page, page: 1, sha256: 'a', source: slideSource(1) },
          { ...page, page: 2, sha256: 'b', source: slideSource(3) },
        ],
      },
      segments: [
        line(1, 1, 1, 'Quarterly results of the northern region'),
        line(3, 2, 1, 'Revenue rose by twelve'),
        line(3, 2, 2, 'percent against last year'),
        {
          locator: { artifact: '', kind: 'slide', slide: 1, part: 'notes', from: 1, to: 1 },
          text: 'Mention the audited figures here',
          visibility: 'hidden',
          cause: 'notes',
        },
      ],
    },
  }),
);

const opened = (number: number, sha256: string) => ({
  searches: [],
  pages: [{ artifact: DECK, page: number, sha256 }],
});
const nothing = { searches: [], pages: [] };

test('a slide without a quote counts once its own page image was shown', async () => {
  const cited = { locator: `${DECK}#slide=3`, quote: null };
  expect(await groundCitation(cited, desk, opened(2, 'b'))).toHaveProperty('citation.locator');
  expect(await groundCitation(cited, desk, opened(1, 'a'))).toMatchObject({
    problem: expect.stringContaining('only after view_page') as string,
  });
  expect(
    await groundCitation({ locator: `${DECK}#slide=3&shape=2`, quote: null }, desk, opened(2, 'b')),
  ).toMatchObject({
    problem: expect.stringContaining('a quote is needed') as string,
  });
});

test('words of a shape hold; words elsewhere correct the place, over its lines', async () => {
  const held = { locator: `${DECK}#slide=1&shape=1&lines=1-1`, quote: 'northern region' };
  expect(await groundCitation(held, desk, nothing)).toHaveProperty('citation.locator.slide', 1);
  const elsewhere = { locator: `${DECK}#slide=1`, quote: 'rose by twelve percent against' };
  const { citation } = await groundCitation(elsewhere, desk, nothing);
  expect(citation && printLocator(citation.locator)).toBe(`${DECK}#slide=3&shape=2&lines=1-2`);
});

test('speaker notes and slides that are not there prove nothing', async () => {
  const notes = { locator: `${DECK}#slide=1&part=notes&lines=1-1`, quote: 'audited figures' };
  expect(await groundCitation(notes, desk, nothing)).toMatchObject({
    problem: expect.stringContaining('not visible to a reader') as string,
  });
  expect(
    await groundCitation({ locator: `${DECK}#slide=9`, quote: null }, desk, nothing),
  ).toMatchObject({
    problem: expect.stringContaining('nothing is there') as string,
  });
});

test('the manifest says which slide a page image shows', () => {
  const [entry] = desk.entries;
  expect(entry && describeArtifact(entry)).toContain('page 1 = slide 1, page 2 = slide 3');
});
