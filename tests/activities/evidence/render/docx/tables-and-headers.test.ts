import { type WordPart, paragraph, readWord, run, words } from './word-package';

describe('tables', () => {
  const cell = (text: string, properties = ''): string =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${words(text)}</w:tc>`;
  const row = (cells: string, properties = ''): string =>
    `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;

  test('size, merged cells, header rows and coloured cells, empty ones too', async () => {
    const { segment } = await readWord({
      body: `<w:tbl>${
        row(cell('Matrix', '<w:gridSpan w:val="3"/>'), '<w:tblHeader/>') +
        row(
          cell('9.2', '<w:vMerge w:val="restart"/>') +
            cell('cap', '<w:shd w:val="clear" w:fill="D9E2F3"/>') +
            cell('', '<w:shd w:val="clear" w:fill="FF0000"/>'),
        ) +
        row(
          cell('', '<w:vMerge/>') + cell('x') + cell('', '<w:shd w:val="clear" w:fill="00B050"/>'),
        )
      }</w:tbl>`,
    });
    expect(segment('table=1')).toMatchObject({
      isDescription: true,
      text: '3 rows x 3 columns; 1 row repeated as header; merged: row 1 columns 1-3, rows 2-3 column 1; filled: row 2 column 3 red (FF0000), row 3 column 3 green (00B050)',
    });
  });

  test('a row that a tracked change takes out is no text of the accepted document', async () => {
    const { visible, rendering } = await readWord({
      body: `<w:tbl>${row(cell('stays'))}${row(cell('goes'), '<w:del w:author="Ann"/>')}${row(cell('comes'), '<w:ins w:author="Ann"/>')}</w:tbl>`,
    });
    expect(visible).toEqual([
      'table=1 | table | 3 rows x 1 column; row 2 is taken out (tracked); row 3 was put in (tracked)',
      'table=1&row=1&column=1 |  | stays',
      'table=1&row=2&column=1 | deletion | goes',
      'table=1&row=3&column=1 |  | comes',
    ]);
    expect(rendering.counts).toMatchObject({ deletedRows: 1, insertedRows: 1, words: 2 });
  });
});

describe('headers', () => {
  const part = (kind: 'header' | 'footer', id: string, text: string): Record<string, WordPart> => ({
    [`word/${id}.xml`]: {
      type: kind,
      id,
      root: kind === 'header' ? 'w:hdr' : 'w:ftr',
      content: words(text),
    },
  });
  const reference = (kind: string, id: string, type: string): string =>
    `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`;

  test('each says of which sections and pages it is; one is inherited from the section before', async () => {
    const { visible } = await readWord({
      body:
        paragraph(
          run('one'),
          `<w:sectPr>${reference('header', 'h1', 'default')}${reference('header', 'h2', 'first')}${reference('footer', 'f1', 'default')}<w:titlePg/></w:sectPr>`,
        ) +
        words('two') +
        `<w:sectPr>${reference('header', 'h3', 'default')}<w:pgSz w:w="11906" w:h="16838"/></w:sectPr>`,
      parts: {
        ...part('header', 'h1', 'running'),
        ...part('header', 'h2', 'letterhead'),
        ...part('header', 'h3', 'appendix'),
        ...part('footer', 'f1', 'foot'),
      },
    });
    expect(visible.filter((line) => /=(?:header|footer)/u.test(line))).toEqual([
      'paragraph=header1:1-1 | header of section 1 | running',
      'paragraph=header2:1-1 | header of section 1, first page | letterhead',
      'paragraph=header3:1-1 | header of section 2 | appendix',
      'paragraph=footer1:1-1 | footer | foot',
    ]);
  });

  test('a watermark is apart from the words of the header', async () => {
    const { visible } = await readWord({
      body: `${words('text')}<w:sectPr>${reference('header', 'h1', 'default')}</w:sectPr>`,
      parts: {
        'word/h1.xml': {
          type: 'header',
          id: 'h1',
          root: 'w:hdr',
          content: paragraph(
            `${run('Dept')}<w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>`,
          ),
        },
      },
    });
    expect(visible).toContain('paragraph=header1:1-1 | header | Dept');
    expect(visible).toContain('paragraph=header1:1-1 | watermark | DRAFT');
  });
});
