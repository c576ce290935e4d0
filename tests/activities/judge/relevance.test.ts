import { EvidenceDesk } from '../../../activities/judge/evidence-desk';
import { groundSubmission } from '../../../activities/judge/grounding/ground-submission';
import {
  asksAboutFile,
  asksForHidden,
  isRelated,
} from '../../../activities/judge/grounding/relevance';
import { type Submission } from '../../../activities/judge/grounding/submission';
import { type TextSegment } from '../../../core/evidence-view';
import { evidenceOf } from '../../support/evidence';

const MEMO = 'results/memo.docx';
const place = { artifact: '', kind: 'paragraph', part: 'body', from: 1, to: 1 } as const;
const segments: readonly TextSegment[] = [
  { locator: place, text: 'The contract ends in May.', visibility: 'visible' },
  {
    locator: place,
    text: 'A bar chart of sales',
    visibility: 'hidden',
    label: 'alternative text',
    cause: 'alternative-text',
  },
  { locator: place, text: 'white words', visibility: 'hidden', cause: 'no-contrast' },
  {
    locator: { artifact: '', kind: 'file' },
    text: 'title: Quarterly memo',
    visibility: 'hidden',
    cause: 'metadata',
  },
];

async function ground(submission: Partial<Submission>, itemText: string) {
  const evidence = evidenceOf({
    [MEMO]: { segments, rendered: { counts: { pages: 2 } } },
    'inputs/list.csv': {
      segments: [
        {
          locator: { artifact: '', kind: 'lines', from: 1, to: 1 },
          text: 'M-1036,inactive',
          visibility: 'visible',
        },
      ],
    },
  });
  const query = submission.searched?.[0]?.query ?? '';
  const search = { query, searched: [MEMO], found: [] };
  return groundSubmission(
    { justification: 'as seen', pass: true, citations: [], searched: [], ...submission },
    {
      desk: new EvidenceDesk(evidence),
      log: { searches: query === '' ? [] : [search], pages: [] },
      itemText,
      taskText: 'Write a memo.',
    },
  );
}

const cite = (locator: string, quote: string) => ({ citations: [{ locator, quote }] });

describe("a file's line in the manifest", () => {
  const line = cite(`${MEMO}#file`, 'pages: 2');

  test('grounds an item about the file', async () => {
    expect(await ground(line, 'The memo has at most two pages.')).toMatchObject({ accepted: true });
    expect(await ground(line, 'memo.docx is there')).toMatchObject({ accepted: true });
  });

  test('does not ground an item about what it says', async () => {
    expect(await ground(line, 'The termination clause is explained.')).toMatchObject({
      accepted: false,
      problems: [expect.stringContaining('cite its content')],
    });
  });

  test('is all there is of a file that cannot be read', () => {
    const [entry] = evidenceOf({ [MEMO]: { rendered: { status: 'corrupt' } } }).view.entries;
    expect(entry && asksAboutFile('The termination clause is explained.', entry)).toBe(true);
  });
});

describe('a search that shows absence', () => {
  const absence = (query: string, justification = 'nothing of it is there') => ({
    justification,
    searched: [{ artifact: MEMO, query }],
  });
  const item = 'The memo names no inactive members and no estimates.';

  test.each([
    ['the words of the item', 'estimated', undefined],
    ['a synonym that the justification names', 'guess', 'neither "estimate" nor "guess" occurs'],
    ['what a given file holds', 'M-1036', undefined],
  ])('looks for %s', async (_name, query, justification) => {
    expect(await ground(absence(query, justification), item)).toMatchObject({ accepted: true });
  });

  test('does not look for letters at random', async () => {
    expect(await ground(absence('qzxv'), item)).toMatchObject({
      accepted: false,
      problems: [expect.stringContaining('search for what the item asks for')],
    });
  });

  test.each([
    ['金额合计', '报告没有合计错误', true],
    ['随机', '报告没有合计错误', false],
    ['US', 'because of that', false],
    ['US', 'sold in the US', true],
  ])('%s in %s: %s', (query, text, expected) => {
    expect(isRelated(query, [text])).toBe(expected);
  });
});

describe('hidden text', () => {
  test.each([
    [
      `${MEMO}#paragraph=body:1-1`,
      'A bar chart of sales',
      'Every picture has an alternative text.',
    ],
    [`${MEMO}#file`, 'Quarterly memo', 'The document properties hold a title.'],
  ])('grounds an item that asks for its kind: %s', async (locator, quote, item) => {
    expect(await ground(cite(locator, quote), item)).toMatchObject({ accepted: true });
  });

  test.each([
    [`${MEMO}#paragraph=body:1-1`, 'A bar chart of sales', 'There is a bar chart of sales.'],
    [`${MEMO}#paragraph=body:1-1`, 'white words', 'Every picture has an alternative text.'],
    [`${MEMO}#paragraph=body:1-1`, 'white words', 'No hidden words are left.'],
  ])('grounds nothing else: %s %s', async (locator, quote, item) => {
    expect(await ground(cite(locator, quote), item)).toMatchObject({ accepted: false });
  });

  test('white words are asked for by no item', () => {
    expect(asksForHidden('All hidden white text', 'no-contrast')).toBe(false);
  });
});
