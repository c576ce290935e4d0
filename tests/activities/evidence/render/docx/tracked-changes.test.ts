import { paragraph, readWord, run, words } from './word-package';

describe('tracked changes', () => {
  const changed = paragraph(
    run('Term is ') +
      `<w:del w:id="1" w:author="Bo" w:date="2024-05-06T07:08:09Z"><w:r><w:delText>ten</w:delText></w:r></w:del>` +
      `<w:ins w:id="2" w:author="Bo" w:date="2024-05-06T07:08:09Z">${run('twelve')}</w:ins>` +
      run(' months'),
  );

  test('both readings, and who changed what when', async () => {
    const { segment, visible } = await readWord({ body: changed });
    expect(segment('paragraph=body:1-1')).toMatchObject({
      text: 'Term is twelve months',
      original: 'Term is ten months',
      changes: [
        { kind: 'deletion', text: 'ten', author: 'Bo', date: '2024-05-06' },
        { kind: 'insertion', text: 'twelve', author: 'Bo', date: '2024-05-06' },
      ],
    });
    expect(visible).toEqual([
      'paragraph=body:1-1 |  | Term is twelve months',
      'paragraph=body:1-1 | deletion | ten',
    ]);
  });

  test('a paragraph that is new as a whole had no words; one taken out has none left', async () => {
    const { rendering } = await readWord({
      body:
        paragraph(`<w:ins w:id="1" w:author="A">${run('all new')}</w:ins>`) +
        paragraph(
          `<w:del w:id="2" w:author="A"><w:r><w:delText>all gone</w:delText></w:r></w:del>`,
        ),
    });
    expect(rendering.segments).toMatchObject([
      { text: 'all new', original: '' },
      { text: 'all gone', label: 'deletion' },
    ]);
    expect(rendering.counts).toMatchObject({ insertions: 1, deletions: 1 });
  });

  test('what was put in and taken out again is in neither reading; moved words are in one place each', async () => {
    const { segment } = await readWord({
      body:
        paragraph(
          run('kept') +
            `<w:ins w:id="1" w:author="A"><w:del w:id="2" w:author="B"><w:r><w:delText> fleeting</w:delText></w:r></w:del></w:ins>`,
        ) +
        paragraph(`<w:moveFrom w:id="3" w:author="A">${run('wandering')}</w:moveFrom>`) +
        paragraph(`<w:moveTo w:id="4" w:author="A">${run('wandering')}</w:moveTo>`),
    });
    expect(segment('paragraph=body:1-1')).toMatchObject({ text: 'kept' });
    expect(segment('paragraph=body:1-1')).not.toHaveProperty('original');
    expect(segment('paragraph=body:2-2')).toMatchObject({ label: 'deletion', text: 'wandering' });
    expect(segment('paragraph=body:3-3')).toMatchObject({ text: 'wandering', original: '' });
  });

  test('a changed look and changed rows are counted', async () => {
    const { rendering, segment } = await readWord({
      body:
        paragraph(
          run('bolder', '<w:b/><w:rPrChange w:id="1" w:author="A"><w:rPr/></w:rPrChange>'),
        ) +
        `<w:tbl><w:tr><w:trPr><w:ins w:id="2" w:author="A"/></w:trPr><w:tc>${words('row')}</w:tc></w:tr></w:tbl>`,
    });
    expect(rendering.counts).toMatchObject({ formattingChanges: 1, insertedRows: 1 });
    expect(segment('paragraph=body:1-1')?.changes).toEqual([
      { kind: 'formatting', text: 'bolder', author: 'A' },
    ]);
  });
});
