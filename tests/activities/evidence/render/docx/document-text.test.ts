import { paragraph, readWord, run, words } from './word-package';

describe('what a reader does not see', () => {
  const hiddenLabels = async (body: string): Promise<string[]> =>
    (await readWord({ body })).rendering.segments
      .filter(({ visibility }) => visibility === 'hidden')
      .map(({ cause, text }) => `${String(cause)}: ${text}`);

  test.each([
    ['vanished', run('x', '<w:vanish/>'), ['hidden-text: x']],
    ['vanish switched off', run('x', '<w:vanish w:val="0"/>'), []],
    ['hidden in the browser only', run('x', '<w:webHidden/>'), []],
    ['white', run('x', '<w:color w:val="FFFFFF"/>'), ['no-contrast: x']],
    ['nearly white', run('x', '<w:color w:val="F6F6F6"/>'), ['no-contrast: x']],
    ['white by the theme', run('x', '<w:color w:themeColor="background1"/>'), ['no-contrast: x']],
    ['light grey', run('x', '<w:color w:val="D0D0D0"/>'), []],
    ['white on a highlight', run('x', '<w:color w:val="FFFFFF"/><w:highlight w:val="blue"/>'), []],
    [
      'yellow on yellow',
      run('x', '<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>'),
      ['no-contrast: x'],
    ],
    [
      'white on shading',
      run('x', '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="1F3864"/>'),
      [],
    ],
    [
      'black on black',
      run('x', '<w:color w:val="000000"/><w:shd w:val="clear" w:fill="000000"/>'),
      ['no-contrast: x'],
    ],
    [
      'automatic on black',
      run('x', '<w:color w:val="auto"/><w:shd w:val="clear" w:fill="000000"/>'),
      [],
    ],
    ['one point high', run('x', '<w:sz w:val="2"/>'), ['tiny-text: x']],
    ['squeezed', run('x', '<w:w w:val="1"/>'), ['tiny-text: x']],
  ])('%s', async (_name, content, expected) => {
    expect(await hiddenLabels(paragraph(content))).toEqual(expected);
  });

  test('shading of the paragraph, the cell and the table around it', async () => {
    const white = run('x', '<w:color w:val="FFFFFF"/>');
    const cell = (properties: string): string =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(white)}</w:tc>`;
    expect(await hiddenLabels(paragraph(white, '<w:shd w:val="clear" w:fill="000080"/>'))).toEqual(
      [],
    );
    expect(
      await hiddenLabels(
        `<w:tbl><w:tr>${cell('<w:shd w:val="clear" w:fill="000080"/>')}${cell('')}</w:tr></w:tbl>`,
      ),
    ).toEqual(['no-contrast: x']);
    expect(
      await hiddenLabels(
        `<w:tbl><w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr><w:tr>${cell('')}</w:tr></w:tbl>`,
      ),
    ).toEqual([]);
  });

  test('hidden rows, cells merged away and boxes outside of the page', async () => {
    const box = (offset: number): string =>
      paragraph(
        `<w:r><w:drawing><wp:anchor><wp:positionH relativeFrom="page"><wp:posOffset>${offset}</wp:posOffset></wp:positionH><wp:extent cx="1000" cy="1000"/><wps:txbx><w:txbxContent>${words(`box ${offset}`)}</w:txbxContent></wps:txbx></wp:anchor></w:drawing></w:r>`,
      );
    const { hidden, visible } = await readWord({
      body:
        `<w:tbl><w:tr><w:trPr><w:hidden/></w:trPr><w:tc>${words('in a hidden row')}</w:tc></w:tr>` +
        `<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>${words('top')}</w:tc></w:tr>` +
        `<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr>${words('merged away')}</w:tc></w:tr></w:tbl>` +
        box(-5_000_000) +
        box(5_000),
    });
    expect(visible).toEqual([
      'table=1 | table | 3 rows x 1 column; merged: rows 2-3 column 1',
      'table=1&row=2&column=1 |  | top',
      'paragraph=body:2-2 | text box | box 5000',
    ]);
    expect(hidden).toEqual([
      'table=1&row=1&column=1 | hidden row | in a hidden row',
      'table=1&row=3&column=1 | cell merged into the one above | merged away',
      'paragraph=body:1-1 | text box outside of the page | box -5000000',
    ]);
  });
});

describe('signs, equations and words around words', () => {
  const textOf = async (content: string): Promise<string | undefined> =>
    (await readWord({ body: paragraph(content) })).segment('paragraph=body:1-1')?.text;
  const m = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
  const e = (name: string, content: string): string => `<m:${name}>${content}</m:${name}>`;

  test.each([
    ['fraction', e('f', e('num', m('a+b')) + e('den', m('2'))), '(a+b)/2'],
    ['root', e('rad', e('deg', '') + e('e', m('x'))), '√(x)'],
    ['powers', e('sSup', e('e', m('x')) + e('sup', m('2'))), 'x^2'],
    ['indices', e('sSubSup', e('e', m('x')) + e('sub', m('i+1')) + e('sup', m('2'))), 'x_(i+1)^2'],
    [
      'sum',
      e(
        'nary',
        '<m:naryPr><m:chr m:val="∑"/></m:naryPr>' +
          e('sub', m('i=1')) +
          e('sup', m('n')) +
          e('e', m('k')),
      ),
      '∑_(i=1)^n k',
    ],
    [
      'brackets',
      e('d', '<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>' + e('e', m('x'))),
      '[x]',
    ],
    ['function', e('func', e('fName', m('sin')) + e('e', m('x'))), 'sin(x)'],
    [
      'matrix',
      e('m', e('mr', e('e', m('1')) + e('e', m('0'))) + e('mr', e('e', m('0')) + e('e', m('1')))),
      '[1, 0; 0, 1]',
    ],
  ])('%s', async (_name, content, expected) => {
    expect(await textOf(e('oMath', content))).toBe(expected);
  });

  test('symbols of symbol fonts, readings above words, word art', async () => {
    expect(await textOf('<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>')).toBe('☑');
    expect(await textOf('<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>')).toBe('α');
    expect(await textOf('<w:r><w:sym w:font="Odd" w:char="F061"/></w:r>')).toBe('□');
    expect(
      await textOf(
        `<w:r><w:ruby><w:rt>${run('han')}</w:rt><w:rubyBase>${run('漢')}</w:rubyBase></w:ruby></w:r>`,
      ),
    ).toBe('漢(han)');
    expect(
      await textOf('<w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>'),
    ).toBe('DRAFT');
  });
});

describe('numbering as shown', () => {
  const list = (levels: string) => ({
    'word/numbering.xml': {
      type: 'numbering',
      id: 'rIdN',
      root: 'w:numbering',
      content: `<w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
    },
  });
  const level = (index: number, format: string, text: string, extra = ''): string =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${extra}<w:lvlText w:val="${text}"/></w:lvl>`;
  const item = (depth: number): string =>
    paragraph(run('x'), `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr>`);
  const numbers = async (levels: string, ...depths: number[]): Promise<string[]> => {
    const { rendering } = await readWord({ body: depths.map(item).join(''), parts: list(levels) });
    return rendering.segments.map(({ text }) => text.replace(/ x$/u, ''));
  };

  test('levels count within the ones above them', async () => {
    const levels = level(0, 'decimal', '%1.') + level(1, 'lowerLetter', '%1%2)');
    expect(await numbers(levels, 0, 1, 1, 0, 1)).toEqual(['1.', '1a)', '1b)', '2.', '2a)']);
  });

  test('a level that never begins anew, and legal numbers', async () => {
    const levels =
      level(0, 'upperRoman', '%1.') +
      level(1, 'decimal', '%1.%2', '<w:lvlRestart w:val="0"/><w:isLgl/>');
    expect(await numbers(levels, 0, 1, 0, 1)).toEqual(['I.', '1.1', 'II.', '2.2']);
  });

  test.each([
    ['chineseCounting', '一'],
    ['chineseLegalSimplified', '壹'],
    ['ideographTraditional', '甲'],
    ['decimalEnclosedCircle', '①'],
    ['ordinal', '1st'],
    ['decimalZero', '01'],
  ])('%s', async (format, expected) => {
    expect(await numbers(level(0, format, '%1'), 0)).toEqual([expected]);
  });
});

describe('dialects', () => {
  const source = {
    body: words('one') + `<w:tbl><w:tr><w:tc>${words('cell')}</w:tc></w:tr></w:tbl>`,
  };
  const expected = ['paragraph=body:1-1 |  | one', 'table=1&row=1&column=1 |  | cell'];

  test.each([
    [
      'strict namespaces',
      (xml: string) =>
        xml
          .replaceAll(
            'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
            'http://purl.oclc.org/ooxml/wordprocessingml/main',
          )
          .replaceAll(
            'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
            'http://purl.oclc.org/ooxml/officeDocument/relationships',
          ),
    ],
    [
      'another prefix',
      (xml: string) =>
        xml
          .replaceAll('<w:', '<ns0:')
          .replaceAll('</w:', '</ns0:')
          .replaceAll('xmlns:w=', 'xmlns:ns0='),
    ],
    [
      'the default namespace',
      (xml: string) =>
        xml.replaceAll('<w:', '<').replaceAll('</w:', '</').replaceAll('xmlns:w=', 'xmlns='),
    ],
  ])('%s', async (_name, dialect) => {
    expect((await readWord({ ...source, dialect })).visible).toEqual(expected);
  });

  test('absolute targets', async () => {
    const { visible } = await readWord({
      body: words('one') + '<w:sectPr><w:footerReference w:type="default" r:id="rId1"/></w:sectPr>',
      parts: {
        'word/footer1.xml': { type: 'footer', id: 'rId1', root: 'w:ftr', content: words('foot') },
      },
      absoluteTargets: true,
    });
    expect(visible).toContain('paragraph=footer1:1-1 | footer | foot');
  });
});

describe('a second reader', () => {
  test('counts the same over all parts, and each version of a content once', async () => {
    const box = `<w:txbxContent>${words('boxed')}</w:txbxContent>`;
    const { rendering } = await readWord({
      body:
        words('one &amp; &#20108; &#x4e09;') +
        paragraph(
          `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>${box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
        ) +
        `<w:tbl><w:tr><w:tc>${words('cell')}</w:tc></w:tr></w:tbl>`,
      parts: {
        'word/comments.xml': {
          type: 'comments',
          id: 'r1',
          root: 'w:comments',
          content: `<w:comment w:id="0" w:author="A">${words('note')}</w:comment>`,
        },
      },
    });
    expect(rendering.warnings).toEqual([]);
    expect(rendering.facts['secondReading']).toBe(
      'fast-xml-parser counts the same paragraphs, tables and letters',
    );
  });

  test('says what the view lacks', async () => {
    // A text that stands where no reader of paragraphs looks.
    const { rendering } = await readWord({ body: `${words('seen')}<w:r><w:t>stray</w:t></w:r>` });
    expect(rendering.warnings).toEqual(['letters: this view has 4, fast-xml-parser counts 9']);
  });

  test('a document of 20,000 paragraphs is read twice in no long time', async () => {
    const { rendering } = await readWord({ body: words('word '.repeat(20)).repeat(20_000) });
    expect(rendering.counts['paragraphs']).toBe(20_000);
    expect(rendering.warnings).toEqual([]);
  });
});

describe('embedded documents', () => {
  test('HTML chunks are read, others named', async () => {
    const { visible, rendering } = await readWord({
      body: '<w:altChunk r:id="r1"/><w:altChunk r:id="r2"/>',
      parts: {
        'word/chunk.html': {
          type: 'aFChunk',
          id: 'r1',
          content:
            '<html><head><title>t</title></head><body><p>A &amp; B</p><p>C</p></body></html>',
        },
        'word/chunk.rtf': { type: 'aFChunk', id: 'r2', content: '{\\rtf1}' },
      },
    });
    expect(visible).toEqual([
      'paragraph=chunk1:1-1 | embedded document | A & B',
      'paragraph=chunk1:2-2 | embedded document | C',
    ]);
    expect(rendering.warnings).toEqual([
      'an embedded document (altChunk word/chunk.rtf) is not read',
    ]);
  });
});
