import { type WordPart, paragraph, readWord, run, words } from './word-package';

const numbering = (definitions: string): Record<string, WordPart> => ({
  'word/numbering.xml': {
    type: 'numbering',
    id: 'rIdN',
    root: 'w:numbering',
    content: definitions,
  },
});
const styles = (definitions: string): Record<string, WordPart> => ({
  'word/styles.xml': { type: 'styles', id: 'rIdS', root: 'w:styles', content: definitions },
});
const level = (index: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const item = (text: string, list: number, at = 0): string =>
  paragraph(run(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);
const texts = (visible: readonly string[]): string[] =>
  visible.map((line) => line.split(' | ').slice(2).join(' | '));

describe('numbers in front of paragraphs', () => {
  test('a list that restarts begins anew, once, also where it shares its levels with another one', async () => {
    const { visible } = await readWord({
      body:
        item('a', 1) +
        item('b', 1) +
        item('c', 2) +
        item('d', 2) +
        item('sub', 2, 1) +
        item('e', 1),
      parts: numbering(
        `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1%2')}</w:abstractNum>` +
          '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>' +
          '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>',
      ),
    });
    expect(texts(visible)).toEqual(['1. a', '2. b', '1. c', '2. d', '2a sub', '3. e']);
  });

  test('a heading has the level that names its style, whatever the style it is based on', async () => {
    const heading = (style: string, text: string): string =>
      paragraph(run(text), `<w:pStyle w:val="${style}"/>`);
    const style = (id: string, name: string, based = ''): string =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${based}<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`;
    const { visible } = await readWord({
      body:
        heading('H1', 'Terms') +
        heading('H2', 'Price') +
        heading('H2', 'Delivery') +
        heading('H1', 'Law'),
      parts: {
        ...numbering(
          `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', 'Article %1', '<w:pStyle w:val="H1"/>')}${level(1, 'decimal', '%1.%2', '<w:pStyle w:val="H2"/>')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
        ),
        ...styles(style('H1', 'heading 1') + style('H2', 'heading 2', '<w:basedOn w:val="H1"/>')),
      },
    });
    expect(texts(visible)).toEqual([
      'Article 1 Terms',
      '1.1 Price',
      '1.2 Delivery',
      'Article 2 Law',
    ]);
  });

  test.each([
    [
      'nothing between number and text',
      'chineseCounting',
      '（%1）',
      '<w:suff w:val="nothing"/>',
      '（一）条',
    ],
    ['a dash as bullet', 'bullet', '–', '', '– 条'],
    [
      'a sign of a symbol font',
      'bullet',
      '\uf0fc',
      '<w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr>',
      '✓ 条',
    ],
    [
      'a letter that is drawn as a ring',
      'bullet',
      'o',
      '<w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr>',
      '○ 条',
    ],
    ['a picture', 'bullet', '', '<w:lvlPicBulletId w:val="0"/>', '• 条'],
  ])('%s', async (_name, format, text, more, expected) => {
    const { visible } = await readWord({
      body: item('条', 1),
      parts: numbering(
        `<w:abstractNum w:abstractNumId="0">${level(0, format, text, more)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
      ),
    });
    expect(texts(visible)).toEqual([expected]);
  });
});

describe('fields without a result', () => {
  const empty = (
    instruction: string,
    separator = '<w:fldChar w:fldCharType="separate"/>',
  ): string =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r><w:r>${separator}</w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;

  test('what programs compute for each page is named; a gap is called one', async () => {
    const { visible, segment } = await readWord({
      body:
        paragraph(run('Page ') + empty('PAGE', '') + run(' of ') + empty('NUMPAGES')) +
        paragraph(run('Figure ') + empty('SEQ Figure \\* ARABIC') + run(': Growth')) +
        paragraph(empty('TOC \\o "1-3"')) +
        paragraph(`${run('See ')}<w:fldSimple w:instr=" REF _Ref1 "/>`) +
        paragraph(run('Term') + empty('XE "Term"')) +
        paragraph(empty('STYLEREF "Heading 1"')),
    });
    expect(texts(visible)).toEqual([
      'Page [page number] of [number of pages]',
      'Figure [no result yet: SEQ Figure]: Growth',
      '[no result yet: TOC]',
      'See [no result yet: REF]',
      'Term',
      '[words of the page in a style]',
    ]);
    expect(segment('paragraph=body:1-1')).toHaveProperty('isVolatile', true);
  });

  test('a result over several paragraphs, of letters or of a picture alone, is one', async () => {
    const { visible } = await readWord({
      body:
        paragraph(
          '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>',
        ) +
        words('Scope 4') +
        paragraph('<w:r><w:fldChar w:fldCharType="end"/></w:r>') +
        paragraph(
          '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF x</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:drawing/></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
        ),
    });
    expect(texts(visible)).toEqual(['Scope 4']);
  });
});

describe('looks that carry meaning', () => {
  test('struck, highlighted, coloured, raised, underlined words are marked; neighbours are one', async () => {
    const { segment } = await readWord({
      body: paragraph(
        run('cap ') +
          run('USD 5', '<w:strike/>') +
          run('00', '<w:strike/>') +
          run(' now ') +
          run('here', '<w:highlight w:val="yellow"/>') +
          run('HIGH', '<w:b/><w:color w:val="C00000"/>') +
          run('2', '<w:vertAlign w:val="superscript"/>') +
          run('    ', '<w:u w:val="single"/>') +
          run('grey', '<w:color w:val="595959"/>') +
          run('off', '<w:strike w:val="0"/><w:u w:val="none"/>'),
      ),
    });
    expect(segment('paragraph=body:1-1')?.marks).toEqual([
      { look: 'struck out', text: 'USD 500' },
      { look: 'yellow highlight', text: 'here' },
      { look: 'letters red (C00000)', text: 'HIGH' },
      { look: 'superscript', text: '2' },
      { look: 'blank line', text: '' },
    ]);
  });

  test('colours of a style and of links say nothing', async () => {
    const { segment } = await readWord({
      body:
        paragraph(run('Heading'), '<w:pStyle w:val="H"/>') +
        paragraph(
          `<w:hyperlink w:anchor="x">${run('link', '<w:color w:val="0000FF"/><w:u w:val="single"/>')}</w:hyperlink>`,
        ),
      parts: styles(
        '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="H"/><w:rPr><w:color w:val="1F3864"/></w:rPr></w:style>',
      ),
    });
    expect(segment('paragraph=body:1-1')).not.toHaveProperty('marks');
    expect(segment('paragraph=body:2-2')).not.toHaveProperty('marks');
  });

  test('the words that a comment is on, over paragraphs', async () => {
    const { segment } = await readWord({
      body:
        paragraph(`${run('pay in ')}<w:commentRangeStart w:id="7"/>${run('30 days')}`) +
        paragraph(`${run('net')}<w:commentRangeEnd w:id="7"/>${run(' of tax')}`),
      parts: {
        'word/comments.xml': {
          type: 'comments',
          id: 'rIdC',
          root: 'w:comments',
          content: `<w:comment w:id="7" w:author="Bo">${words('why?')}</w:comment>`,
        },
      },
    });
    expect(segment('paragraph=body:1-1')?.marks).toEqual([{ look: 'comment 1', text: '30 days' }]);
    expect(segment('paragraph=body:2-2')?.marks).toEqual([{ look: 'comment 1', text: 'net' }]);
  });

  test('marks are few and short, however many runs a file has', async () => {
    const { segment } = await readWord({
      body: paragraph(
        Array.from({ length: 300 }, () => run('x'.repeat(300), '<w:strike/>') + run('y')).join(''),
      ),
    });
    const marks = segment('paragraph=body:1-1')?.marks ?? [];
    expect(marks).toHaveLength(60);
    expect(Math.max(...marks.map(({ text }) => text.length))).toBeLessThanOrEqual(203);
  });
});

test('words are counted as word processors do; headings and formatting changes are counted', async () => {
  const { rendering } = await readWord({
    body:
      paragraph(run('合同 and terms'), '<w:outlineLvl w:val="0"/>') +
      paragraph(run('gone'), '<w:pPrChange w:author="Ann"><w:pPr/></w:pPrChange>'),
  });
  expect(rendering.counts).toMatchObject({ words: 5, headings: 1, formattingChanges: 1 });
});
