import { objectsOfSheet } from '../../../../../core/workbook-objects';
import { element } from '../../../../support/workbook-package';
import { type Read, read } from '../../support/read-workbook';

const font = (content: string): string => `<font>${content}</font>`;
const solid = (color: string): string =>
  `<fill><patternFill patternType="solid">${color}</patternFill></fill>`;

/** Styles by number: 0 plain, 1 header, 2 input, 3 struck out, 4 green, 5 red negatives, 6 white on black, 7 total. */
const STYLES = element(
  'styleSheet',
  '<numFmts><numFmt numFmtId="164" formatCode="#,##0;[Red](#,##0)"/><numFmt numFmtId="165" formatCode="yyyy-mm-dd"/></numFmts>' +
    `<fonts>${[
      font('<sz val="11"/><color theme="1"/><name val="Calibri"/>'),
      font('<b/><sz val="14"/><color rgb="FFFFFFFF"/><name val="Calibri"/>'),
      font('<sz val="11"/><color rgb="FF0000FF"/><name val="宋体"/>'),
      font('<strike/><sz val="11"/><name val="Calibri"/>'),
      font('<u val="double"/><i/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/>'),
    ].join('')}</fonts>` +
    `<fills>${solid('').replace('solid', 'none')}${solid('<fgColor rgb="FF1F3864"/>')}${solid('<fgColor rgb="FFFFF2CC"/>')}${solid('<fgColor rgb="FF00B050"/>')}${solid('')}</fills>` +
    '<borders><border/><border><top style="thin"/><bottom style="double"/></border></borders>' +
    `<cellXfs>${[
      '<xf/>',
      '<xf fontId="1" fillId="1"><alignment horizontal="center" wrapText="1"/></xf>',
      '<xf fontId="2" fillId="2"/>',
      '<xf fontId="3"/>',
      '<xf fillId="3"/>',
      '<xf numFmtId="164"/>',
      '<xf fontId="4" fillId="4"/>',
      '<xf numFmtId="165" borderId="1"/>',
    ].join('')}</cellXfs>`,
);

const text = (ref: string, words: string, style = 0): string =>
  `<c r="${ref}" s="${style}" t="inlineStr"><is><t>${words}</t></is></c>`;
const number = (ref: string, value: number, style = 0): string =>
  `<c r="${ref}" s="${style}"><v>${value}</v></c>`;

function styled(xml: string, strings?: readonly string[]): Promise<Read> {
  return read({
    sheets: [{ name: 'S', xml }],
    styles: STYLES,
    ...(strings === undefined ? {} : { strings }),
  });
}

function line({ sheet }: Read, object: string): string {
  return objectsOfSheet(sheet).find((each) => each.object === object)?.text ?? '';
}

describe('looks', () => {
  test('letters, fields and borders are in words, by ranges; plain cells have none', async () => {
    const book = await styled(
      `<sheetData><row r="1">${text('A1', 'Item', 1)}${text('B1', 'Sum', 1)}</row>` +
        `<row r="2">${text('A2', 'plain')}${number('B2', 5, 2)}</row>` +
        `<row r="3">${text('A3', 'old', 3)}${number('B3', 6, 2)}</row></sheetData>`,
    );
    expect(book.cell('A2')?.look).toBeUndefined();
    expect(line(book, 'looks')).toBe(
      'looks: A1:B1 bold, 14 pt, font FFFFFF, fill 1F3864, centred, wrapped; B2:B3 in 宋体, font 0000FF, fill FFF2CC; A3 struck out',
    );
  });

  test('coloured cells without content are bars of a plan; those under merged cells are part of their first cell', async () => {
    const book = await styled(
      `<sheetData><row r="1">${text('A1', 'Build', 4)}<c r="B1" s="4"/><c r="C1" s="4"/><c r="E1" s="3"/></row>` +
        '<row r="2" s="2" customFormat="1"><c r="B2" s="4"/><c r="C2" s="4"/></row></sheetData>',
    );
    expect(line(book, 'looks')).toBe(
      'looks: A1 fill 00B050; B1:C2 fill 00B050 (empty cells); 2:2 fill FFF2CC (empty cells)',
    );
    const merged = await styled(
      `<sheetData><row r="1">${text('A1', 'Head', 4)}<c r="B1" s="4"/></row></sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells>`,
    );
    expect(line(merged, 'looks')).toBe('looks: A1 fill 00B050');
  });

  test('a solid fill without a colour is black: white letters on it are seen', async () => {
    const book = await styled(`<sheetData><row r="1">${text('A1', 'Seen', 6)}</row></sheetData>`);
    expect(book.cell('A1')).toMatchObject({
      shown: 'Seen',
      look: 'double underlined, italic, font FFFFFF, fill 000000',
    });
    expect(book.cell('A1')?.unseen).toBeUndefined();
  });

  test('a format gives negative numbers their colour, and formulas by what they give', async () => {
    const book = await styled(
      `<sheetData><row r="1">${number('A1', -5, 5)}${number('B1', 5, 5)}</row></sheetData>`,
    );
    expect(book.cell('A1')?.look).toBe('red by its format');
    expect(book.cell('B1')?.look).toBeUndefined();
  });

  test('parts of a text that look otherwise are named with the cell, and counted without their words', async () => {
    const runs =
      '<r><t>Net of </t></r><r><rPr><b/><color rgb="FFFF0000"/></rPr><t>one-off</t></r><r><rPr><strike/></rPr><t> items</t></r>';
    const book = await styled(
      `<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is>${runs}</is></c></row></sheetData>`,
      [runs],
    );
    for (const ref of ['A1', 'B1'])
      expect(book.cell(ref)).toMatchObject({
        shown: 'Net of one-off items',
        look: '"one-off" bold, font FF0000; "items" struck out',
      });
    expect(line(book, 'looks')).toBe('looks: A1:B1 partly bold, font FF0000; partly struck out');
  });
});

describe('what a reader of a sheet sees of its cells together', () => {
  test('formats and formulas by ranges; dragged formulas are one', async () => {
    const book = await styled(
      `<sheetData><row r="1">${number('A1', 1, 5)}<c r="B1" s="5"><f>A1*2</f><v>2</v></c></row>` +
        `<row r="2">${number('A2', 2, 5)}<c r="B2" s="5"><f>A2*2</f><v>4</v></c></row>` +
        '<row r="3"><c r="B3"><f>SUM(B1:B2)</f><v>6</v></c></row></sheetData>',
    );
    expect(line(book, 'formulas')).toBe('formulas: B1:B2 =A1*2; B3 =SUM(B1:B2)');
    expect(line(book, 'number-formats')).toBe('number formats: A1:B2 #,##0;[Red](#,##0)');
  });

  test('numbers wider than their column are seen as ###, texts end at their neighbour', async () => {
    const book = await styled(
      '<cols><col min="2" max="2" width="20"/><col min="4" max="4" width="5"/></cols>' +
        `<sheetData><row r="1">${number('A1', 46000, 7)}${number('B1', 46000, 7)}${number('C1', 1234567)}</row>` +
        `<row r="2">${text('A2', 'a long text that goes on and on')}${text('B2', 'next')}${text('C2', 'free to run on to the right')}</row>` +
        `<row r="3">${number('D3', -1_234_567, 5)}${text('E3', 'wrapped text of some length', 1)}${text('F3', 'x')}</row></sheetData>`,
    );
    expect(line(book, 'sheet')).toContain(
      '2 numbers shown as ### in too narrow columns (estimated): A1 D3, 1 texts cut off at the next cell (estimated): A2',
    );
    expect(book.cell('A1')).toMatchObject({ shown: '2025-12-09', flags: ['too-narrow'] });
    expect(book.cell('A1')?.look).toBe('top border, double bottom border');
  });

  test('rows and columns that can be folded', async () => {
    const book = await styled(
      '<cols><col min="3" max="4" outlineLevel="1" hidden="1"/></cols>' +
        `<sheetData><row r="1">${number('A1', 1)}</row><row r="2" outlineLevel="2">${number('A2', 1)}</row>` +
        `<row r="3" outlineLevel="1">${number('A3', 1)}</row><row r="9" outlineLevel="1">${number('A9', 1)}</row></sheetData>`,
    );
    expect(line(book, 'sheet')).toContain('grouped rows 2:3 (2 levels) 9:9, grouped columns C:D');
  });

  test('a rule that extensions describe once more is one rule', async () => {
    const { sheet } = await styled(
      `<sheetData><row r="1">${number('A1', 1)}</row></sheetData>` +
        '<conditionalFormatting sqref="A1:A9"><cfRule type="dataBar"><dataBar><cfvo type="min"/><cfvo type="max"/><color rgb="FF63C384"/></dataBar><extLst><ext><x14:id>{DA7A}</x14:id></ext></extLst></cfRule></conditionalFormatting>' +
        '<extLst><ext><x14:conditionalFormattings><x14:conditionalFormatting><x14:cfRule type="dataBar" id="{DA7A}"><x14:dataBar><x14:cfvo type="autoMin"/><x14:fillColor rgb="FF000000"/></x14:dataBar></x14:cfRule><x14:cfRule type="iconSet" id="{0}"><x14:iconSet iconSet="3Stars"/></x14:cfRule><xm:sqref>A1:A9</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>',
    );
    expect(sheet.conditionalFormats).toEqual([
      { range: 'A1:A9', rule: 'dataBar min max 63C384' },
      { range: 'A1:A9', rule: 'iconSet icons 3Stars' },
    ]);
  });
});
