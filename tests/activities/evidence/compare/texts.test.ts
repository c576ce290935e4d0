import { compareTexts } from '../../../../activities/evidence/compare/texts';
import { type TextSegment } from '../../../../core/evidence-view';
import { type ReadDocument, paragraph, readWord, run, words } from '../render/docx/word-package';

const table = (text: string): string => `<w:tbl><w:tr><w:tc>${words(text)}</w:tc></w:tr></w:tbl>`;
const link = `<w:hyperlink w:anchor="clause5">${run('clause 5')}</w:hyperlink>`;

const compare = (ours: ReadDocument, given: ReadDocument) =>
  compareTexts('results/a.docx', ours.rendering.segments, given.rendering.segments);

describe('a document held against the one it was made from', () => {
  test('paragraphs added and removed, each with its place; tables unchanged', async () => {
    const given = await readWord({ body: words('one') + words('two') + table('cell') });
    const ours = await readWord({
      body: words('one') + words('three') + words('four') + table('cell'),
    });
    const parts = compare(ours, given);
    expect(parts.find(({ part }) => part === 'body')).toMatchObject({
      change: 'changed',
      statement: 'changed: 2 segments only in the deliverable, 1 only in the input, 1 in both',
      differences: [
        { locator: { part: 'body', from: 2 }, text: 'only in the deliverable: three' },
        { locator: { part: 'body', from: 3 }, text: 'only in the deliverable: four' },
        { locator: { part: 'body', from: 2 }, text: 'only in the input: two' },
      ],
    });
    expect(parts.find(({ part }) => part === 'table')).toMatchObject({
      change: 'unchanged',
      statement: 'unchanged: all 1 segments of text',
    });
  });

  test('links are the same ones where a paragraph before them has moved them', async () => {
    const given = await readWord({ body: paragraph(link) });
    const ours = await readWord({ body: words('new') + paragraph(link) });
    expect(compare(ours, given).find(({ part }) => part === 'links')).toMatchObject({
      change: 'unchanged',
    });
  });

  test('a comment that was added is a part of its own', async () => {
    const given = await readWord({ body: words('one') });
    const ours = await readWord({
      body: words('one'),
      parts: {
        'word/comments.xml': {
          type: 'comments',
          id: 'r1',
          root: 'w:comments',
          content: `<w:comment w:id="0" w:author="A">${words('note')}</w:comment>`,
        },
      },
    });
    expect(compare(ours, given).find(({ part }) => part === 'comments')).toMatchObject({
      change: 'added',
      statement: 'added: 1 segments',
    });
  });
});

test('pages of a PDF: the raw order of columns counts no word twice', () => {
  const page = (text: string, label?: string): TextSegment => ({
    locator: { artifact: '', kind: 'page', page: 1 },
    text,
    visibility: 'visible',
    ...(label === undefined ? {} : { label }),
  });
  const [part] = compareTexts(
    'results/a.pdf',
    [page('one'), page('one', 'raw order')],
    [page('one')],
  );
  expect(part).toMatchObject({ part: 'page', change: 'unchanged' });
});
