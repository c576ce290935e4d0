import { type Locator, printLocator } from '../../../../../core/locator';
import { type TextSegment } from '../../../../../core/evidence-view';
import { readFixture } from '../../../../support/evidence';

describe('a memo with tables, lists, changes, notes, comments and hidden words', () => {
  let segments: readonly TextSegment[];
  let counts: Readonly<Record<string, number>>;

  beforeAll(async () => {
    const { rendering } = await readFixture('memo.docx');
    segments = rendering.segments;
    counts = rendering.counts;
  });

  const place = (locator: Locator): string => printLocator(locator).replace(/^#/u, '');
  const visibleTexts = (): string[] =>
    segments.filter(({ visibility }) => visibility === 'visible').map(({ text }) => text);

  test('captions stay around their table, nested words within', () => {
    const texts = visibleTexts();
    const order = ['Caption before table', 'Clause', '5.2', 'nested words', 'Low', 'wide'];
    const places = [...order, 'Caption after table[footnote 1]'].map((text) => texts.indexOf(text));
    expect(places).toEqual([...places].sort((left, right) => left - right));
    expect(places).not.toContain(-1);
  });

  test('headings are labelled, list numbers are part of the text', () => {
    expect(segments[0]).toMatchObject({ label: 'heading 1', text: 'Review memo 审查备忘录' });
    expect(visibleTexts()).toEqual(expect.arrayContaining(['1. First point', '2. 第二点']));
  });

  test('cells have the columns of the grid, merged ones their first', () => {
    const cells = segments.filter(({ text }) => ['High', 'wide', 'end', 'below'].includes(text));
    expect(cells.map(({ locator, text }) => `${place(locator)} ${text}`)).toEqual([
      'table=1&row=2&column=3 High',
      'table=3&row=1&column=1 wide',
      'table=3&row=1&column=3 end',
      'table=3&row=2&column=3 below',
    ]);
  });

  test('tracked changes can be read both ways', () => {
    const changed = segments.filter(
      ({ locator }) =>
        locator.kind === 'paragraph' && locator.part === 'body' && locator.from === 6,
    );
    expect(changed.map(({ label, text }) => [label, text])).toEqual([
      [undefined, 'Term is twelve months'],
      ['deletion', 'ten'],
    ]);
    expect(changed[0]).toMatchObject({ original: 'Term is ten months' });
  });

  test('headers, footers, notes, comments and text boxes are read once, with their places', () => {
    const extras = segments.filter(({ label }) =>
      ['header', 'footer', 'footnote 1', 'comment', 'text box'].includes(label ?? ''),
    );
    expect(extras.map(({ label, locator, text }) => [label, place(locator), text])).toEqual([
      ['text box', 'paragraph=body:8-8', 'boxed words'],
      ['header', 'paragraph=header1:1-1', 'Confidential header'],
      ['footer', 'paragraph=footer1:1-1', 'Footer words'],
      ['footnote 1', 'paragraph=footnotes:1-1', 'footnote words'],
      [
        'comment',
        'paragraph=comments:1-1',
        expect.stringMatching(/^Ann \(\d{4}-\d\d-\d\d\), on paragraph=body:9-9: please check$/u),
      ],
    ]);
  });

  test('vanished, white and tiny words and properties are hidden, with the cause', () => {
    const hidden = segments.filter(({ visibility }) => visibility === 'hidden');
    expect(hidden.map(({ label }) => label)).toEqual([
      'hidden text',
      'white text',
      'tiny text',
      'metadata',
    ]);
    expect(hidden.at(-1)?.text).toContain('title: secret title');
    expect(visibleTexts().join('\n')).not.toMatch(/vanished|white words|tiny/u);
  });

  test('counts', () => {
    expect(counts).toMatchObject({
      tables: 3,
      insertions: 1,
      deletions: 1,
      comments: 1,
      footnotes: 1,
      headers: 1,
      footers: 1,
      textBoxes: 1,
    });
  });
});
