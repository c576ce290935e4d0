import { readBytes } from '../../../../support/evidence';
import { printed } from '../support';
import { frame, paragraph, shape, slidePackage, xml } from './slide-package';

const place = (x: number, y: number, width = 1000, height = 500): string =>
  `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>`;
const runOf = (text: string, attributes = '', inner = ''): string =>
  `<a:r><a:rPr ${attributes}>${inner}</a:rPr><a:t>${text}</a:t></a:r>`;
const linesOf = async (
  shapes: string,
  parts: NonNullable<Parameters<typeof slidePackage>[0][number]['parts']> = [],
): Promise<string[]> => printed(await readBytes('deck.pptx', slidePackage([{ shapes, parts }])));

describe('order of reading', () => {
  test('two columns are read one after the other, whatever was drawn first; the numbers are those of the file', async () => {
    expect(
      await linesOf(
        shape(paragraph('right body'), { place: place(5000, 2000) }) +
          shape(paragraph('left body'), { place: place(0, 2000) }) +
          shape(paragraph('right head'), { place: place(5000, 1450) }) +
          shape(paragraph('left head'), { place: place(0, 1450) }) +
          shape(paragraph('title'), { ph: 'title', place: place(0, 0, 6000) }),
      ),
    ).toEqual([
      'slide=1&shape=5&lines=1-1 | title',
      'slide=1&shape=4&lines=1-1 | left head',
      'slide=1&shape=2&lines=1-1 | left body',
      'slide=1&shape=3&lines=1-1 | right head',
      'slide=1&shape=1&lines=1-1 | right body',
    ]);
  });

  test('a placeholder lies where its layout has it', async () => {
    const held = (text: string, idx: number, at = ''): string =>
      shape(paragraph(text), { place: at }).replace(
        '<p:nvPr></p:nvPr>',
        `<p:nvPr><p:ph type="body" idx="${idx}"/></p:nvPr>`,
      );
    const layout = xml(
      `<p:sldLayout><p:cSld><p:spTree>${held('', 4, place(0, 3000))}${held('', 5, place(0, 1000))}</p:spTree></p:cSld></p:sldLayout>`,
    );
    expect(
      await linesOf(held('lower', 4) + held('upper', 5), [
        { id: 'l', type: 'slideLayout', target: '/ppt/slideLayouts/l.xml', content: layout },
      ]),
    ).toEqual(['slide=1&shape=2&lines=1-1 | upper', 'slide=1&shape=1&lines=1-1 | lower']);
  });

  test('where one thing has no place, and on slides of very many things, the order of the file holds', async () => {
    const loose = await linesOf(
      shape(paragraph('lower'), { place: place(0, 3000) }) + shape(paragraph('somewhere')),
    );
    expect(loose[0]).toContain('lower');
    const crowd = await linesOf(
      Array.from({ length: 400 }, (_, at) =>
        shape(paragraph(`n${at}`), { place: place(0, 9000 - at * 10, 10, 5) }),
      ).join(''),
    );
    expect(crowd[0]).toContain('n0');
  });
});

describe('what is shown of text', () => {
  test('numbers of numbered paragraphs, by level and kind', async () => {
    const auto = (type: string, more = ''): string => `<a:buAutoNum type="${type}" ${more}/>`;
    const lines = await linesOf(
      shape(
        paragraph('plan', `<a:pPr>${auto('arabicPeriod')}</a:pPr>`) +
          paragraph('detail', `<a:pPr lvl="1">${auto('alphaLcParenR')}</a:pPr>`) +
          paragraph('build', `<a:pPr>${auto('arabicPeriod')}</a:pPr>`) +
          paragraph('again', `<a:pPr lvl="1">${auto('alphaLcParenR')}</a:pPr>`) +
          paragraph('plain') +
          paragraph('later', `<a:pPr>${auto('arabicPeriod', 'startAt="7"')}</a:pPr>`) +
          paragraph('条', `<a:pPr>${auto('ea1ChsPeriod')}</a:pPr>`),
      ),
    );
    expect(lines.map((line) => line.split(' | ')[1])).toEqual([
      '1. plan',
      'a) detail',
      '2. build',
      'a) again',
      'plain',
      '7. later',
      '一. 条',
    ]);
  });

  test('a slide number is that of its slide, whatever the file has kept', async () => {
    const field = '<a:p><a:fld type="slidenum"><a:t>‹#›</a:t></a:fld></a:p>';
    const plain = slidePackage([{ shapes: '' }, { shapes: shape(field, { ph: 'sldNum' }) }]);
    const { segments } = (await readBytes('deck.pptx', plain)).rendering;
    expect(segments).toMatchObject([{ text: '2', label: 'slide number', isVolatile: true }]);
  });

  test('struck, marked, coloured, raised words; equations in one line', async () => {
    const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>';
    const { rendering } = await readBytes(
      'deck.pptx',
      slidePackage([
        {
          shapes: shape(
            `<a:p>${runOf('old', 'strike="sngStrike"')}${runOf(' new', '', red)}${runOf('2', 'baseline="30000"')}${runOf('!', '', '<a:highlight><a:srgbClr val="FFFF00"/></a:highlight>')}</a:p>` +
              `<a:p>${runOf('link', 'u="sng"', `${red}<a:hlinkClick r:id="x"/>`)}</a:p>` +
              '<a:p><a14:m xmlns:a14="urn:a14" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m></a:p>',
          ),
        },
      ]),
    );
    expect(rendering.segments.map(({ text }) => text)).toEqual(['old new2!', 'link', 'x^2']);
    expect(rendering.segments[0]?.marks).toEqual([
      { look: 'struck out', text: 'old' },
      { look: 'letters red (FF0000)', text: 'new' },
      { look: 'superscript', text: '2' },
      { look: 'yellow (FFFF00) highlight', text: '!' },
    ]);
    expect(rendering.segments[1]).not.toHaveProperty('marks');
  });
});

describe('what is shown beside text', () => {
  test('size, merged and coloured cells of a table', async () => {
    const cell = (text: string, attributes = '', fill = ''): string =>
      `<a:tc ${attributes}><a:txBody>${paragraph(text)}</a:txBody><a:tcPr>${fill}</a:tcPr></a:tc>`;
    const red = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>';
    expect(
      await linesOf(
        frame(
          `<a:tbl><a:tr>${cell('head', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('risk')}${cell('', '', red)}</a:tr></a:tbl>`,
        ),
      ),
    ).toEqual([
      'slide=1&shape=1 | 2 rows x 2 columns; merged: row 1 columns 1-2; filled: row 2 column 2 red (FF0000)',
      'slide=1&shape=1&row=1&column=1 | head',
      'slide=1&shape=1&row=2&column=1 | risk',
    ]);
  });

  test('pictures with their size, and what an arrow joins', async () => {
    const picture =
      '<p:pic><p:nvPicPr><p:cNvPr id="7" name="p"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="i"/></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3600000" cy="720000"/></a:xfrm></p:spPr></p:pic>';
    const arrow = (from: number, to: number): string =>
      `<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="9" name="c"/><p:cNvCxnSpPr><a:stCxn id="${from}" idx="0"/><a:endCxn id="${to}" idx="0"/></p:cNvCxnSpPr><p:nvPr/></p:nvCxnSpPr><p:spPr><a:ln><a:tailEnd type="triangle"/></a:ln></p:spPr></p:cxnSp>`;
    const box = (id: number, text: string): string =>
      shape(paragraph(text)).replace('id="2"', `id="${id}"`);
    expect(
      await linesOf(picture + box(11, 'a') + box(12, 'b') + arrow(12, 11) + arrow(99, 98), [
        { id: 'i', type: 'image', target: '/ppt/media/logo.png', content: 'png' },
      ]),
    ).toEqual([
      'slide=1&shape=1 | ppt/media/logo.png, 10 x 2 cm',
      'slide=1&shape=2&lines=1-1 | a',
      'slide=1&shape=3&lines=1-1 | b',
      'slide=1&shape=4 | arrow from shape 3 to shape 2',
    ]);
  });
});
