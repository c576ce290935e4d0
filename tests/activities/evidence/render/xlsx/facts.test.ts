import { read } from '../../support/read-workbook';
import { printLocator } from '../../../../../core/locator';
import {
  type TestWorkbook,
  element,
  relationships,
  rowsXml,
} from '../../../../support/workbook-package';

// Whole files are read; a busy machine takes its time.

const one = (xml: string, more: Partial<TestWorkbook> = {}): TestWorkbook => ({
  sheets: [{ name: 'Data', xml }],
  ...more,
});

describe('formulas', () => {
  test('an array formula names what it fills, and what it fills names it', async () => {
    const { cell } = await read(
      one(
        '<sheetData><row r="1"><c r="A1"><f t="array" ref="A1:A3">B1:B3*2</f><v>2</v></c></row><row r="2"><c r="A2"><v>4</v></c></row><row r="3"><c r="A3"><v>6</v></c><c r="C3" cm="1"><f t="array" ref="C3">_xlfn._xlws.SORT(A1:A3)</f><v>2</v></c></row></sheetData>',
      ),
    );
    expect(cell('A1')).toMatchObject({
      formula: '=B1:B3*2',
      array: { range: 'A1:A3', isDynamic: false },
    });
    expect(cell('A2')).toMatchObject({ value: 4, arrayOf: 'A1' });
    expect(cell('C3')).toMatchObject({
      formula: '=SORT(A1:A3)',
      array: { range: 'C3', isDynamic: true },
    });
  });

  test('a number typed among formulas of one shape is flagged, a total and a heading are not', async () => {
    const { sheet, segments } = await read(
      one(
        rowsXml([
          ['Qty', 'Price', 'Value'],
          [1, 2, '=A2*B2'],
          [2, 2, '=A3*B3'],
          [3, 2, 7],
          [4, 2, '=A5*B5'],
          [null, null, '=SUM(C2:C5)'],
        ]),
      ),
    );
    const flagged = sheet.cells.filter(({ flags }) => flags?.includes('constant-among-formulas'));
    expect(flagged.map(({ ref }) => ref)).toEqual(['C4']);
    expect(segments[0]?.text).toContain('1 constants among formulas: C4');
  });

  test('volatile functions reach through names, tables and chains; their readers are not stale', async () => {
    const { sheet } = await read(
      one(
        rowsXml([
          ['=OFFSET(A9,0,0)', '=today_plus+1', '=SUM(Prices[Price])', '=A4'],
          ['=INDIRECT("A9")', '=RAND()', 'Price', '=D1+1'],
          [1, 2, '=B2', '=A3+1'],
          ['=A2', '="TODAY()"', 3, '=D2'],
        ]),
        {
          sheets: [
            {
              name: 'Data',
              xml: `${rowsXml([
                ['=OFFSET(A9,0,0)', '=today_plus+1', '=SUM(Prices[Price])', '=A4'],
                ['=INDIRECT("A9")', '=RAND()', 'Price', '=D1+1'],
                [1, 2, '=B2', '=A3+1'],
                ['=A2', '="TODAY()"', 3, '=D2'],
              ])}<tableParts count="1"><tablePart r:id="rId9"/></tableParts>`,
              relations: [['rId9', 'table', '../tables/table1.xml']],
            },
          ],
          workbookXml:
            '<definedNames><definedName name="today_plus">TODAY()+1</definedName></definedNames>',
          parts: {
            'xl/tables/table1.xml': [
              element('table', '').replace(
                '<table ',
                '<table id="1" displayName="Prices" ref="C2:C4" ',
              ),
              'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml',
            ],
          },
        },
      ),
    );
    const volatile = sheet.cells.filter(({ flags }) => flags?.includes('volatile'));
    expect(volatile.map(({ ref }) => ref)).toEqual([
      'A1',
      'B1',
      'C1',
      'D1',
      'A2',
      'B2',
      'D2',
      'C3',
      'A4',
      'D4',
    ]);
  });
});

describe('values', () => {
  test('ISO dates, shared texts that are not there, addresses that no sheet has', async () => {
    const { cell, warnings, sheet } = await read(
      one(
        '<sheetData><row r="-5"><c r="A1" t="d" s="1"><v>2021-05-04</v></c><c r="B1" t="s"><v>0</v></c><c r="C1" t="s"><v>99</v></c></row><row r="3000000"><c><v>7</v></c></row><row r="2"><c r="ZZZ2"><v>1</v></c><c r="A2"><v>2</v></c></row></sheetData>',
        {
          strings: ['here'],
          styles:
            '<fonts><font/></fonts><fills><fill/></fills><cellXfs><xf/><xf numFmtId="14"/></cellXfs>',
        },
      ),
    );
    expect(cell('A1')).toMatchObject({ value: 44_320, shown: '5/4/2021' });
    expect(cell('B1')?.value).toBe('here');
    expect(cell('C1')?.value).toBe('');
    expect(sheet.usedRange).toBe('A1:C2');
    expect(warnings).toEqual(
      expect.arrayContaining([
        "1 cells lie outside of any sheet's limits",
        '1 times a cell names a shared text that the file does not have',
        'part xl/worksheets/sheet1.xml has rows or cells out of order',
      ]),
    );
  });
});

const STYLES =
  '<numFmts><numFmt numFmtId="164" formatCode=";;;"/></numFmts>' +
  '<fonts><font/><font><color rgb="FFFEFEFE"/></font><font><sz val="1"/></font><font><color indexed="13"/></font></fonts>' +
  '<fills><fill/><fill/><fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill></fills>' +
  '<cellXfs><xf/><xf fontId="1"/><xf fontId="2"/><xf fontId="3" fillId="2"/><xf numFmtId="164"/><xf fontId="1" fillId="2"/><xf><protection locked="0"/></xf></cellXfs>' +
  '<dxfs><dxf><font><color rgb="FF9C0006"/><b/></font><fill><patternFill><bgColor rgb="FFFFC7CE"/></patternFill></fill></dxf></dxfs>';

describe('what no reader sees', () => {
  test('each cause keeps its cells apart and names itself', async () => {
    const styled = (ref: string, style: number) =>
      `<c r="${ref}" s="${style}" t="inlineStr"><is><t>${ref} words</t></is></c>`;
    const { segments, sheet } = await read(
      one(
        `<cols><col min="8" max="8" width="0" customWidth="1"/></cols><sheetData><row r="1">${['A', 'B', 'C', 'D', 'E', 'F'].map((column, at) => styled(`${column}1`, at)).join('')}${styled('H1', 0)}</row><row r="2" ht="0" customHeight="1">${styled('A2', 0)}</row><row r="3">${styled('A3', 0)}${styled('B3', 0)}</row>${Array.from({ length: 12 }, (_, at) => `<row r="${at + 4}">${styled(`A${at + 4}`, 0)}</row>`).join('')}<row r="900000">${styled('A900000', 0)}</row></sheetData><mergeCells><mergeCell ref="A3:C3"/></mergeCells>`,
        { styles: STYLES },
      ),
    );
    const hidden = segments.filter(({ cause }) => cause !== undefined);
    expect(hidden.map(({ label, cause, text }) => [label, cause, text])).toEqual([
      ['white text', 'no-contrast', 'B1 words'],
      ['tiny text', 'tiny-text', 'C1 words'],
      ['text like its fill', 'no-contrast', 'D1 words'],
      ['format that shows nothing', 'no-mark', 'E1 words'],
      ['hidden column', 'hidden-cells', 'H1 words'],
      ['hidden row', 'hidden-cells', 'A2 words'],
      ['under merged cells', 'no-mark', 'B3 words'],
      ['far from all other cells', 'off-page', 'A900000 words'],
    ]);
    // White on yellow is bad style and can be seen.
    expect(segments.find(({ text }) => text.includes('F1 words'))?.cause).toBeUndefined();
    expect(sheet).toMatchObject({ hiddenRows: [2], hiddenColumns: ['H'] });
  });

  test('hidden names, very hidden sheets, alternative texts', async () => {
    const { segments } = await read({
      sheets: [
        { name: 'Data', xml: rowsXml([[1]]) },
        { name: 'Deep', entry: 'state="veryHidden"', xml: rowsXml([['secret']]) },
      ],
      workbookXml:
        '<definedNames><definedName name="_secret" hidden="1">"pass"</definedName><definedName name="Rate" localSheetId="0">Data!$A$1</definedName></definedNames>',
    });
    expect(
      segments.map(({ locator, text, cause }) => [printLocator(locator), text, cause]),
    ).toEqual([
      ['#object=sheet:1@Data', 'visible, used range A1, 1 cells, 0 formulas, 0 errors', undefined],
      ['#cells=Data!A1', '1', undefined],
      [
        '#object=sheet:1@Deep',
        'veryHidden, used range A1, 1 cells, 0 formulas, 0 errors',
        undefined,
      ],
      ['#cells=Deep!A1', 'secret', 'hidden-sheet'],
      ['#object=name:1', 'defined name _secret = "pass"', 'hidden-text'],
      ['#object=name:2', 'defined name Rate = Data!$A$1 on sheet Data', undefined],
    ]);
  });
});

describe('rules, links, filters, protection, page setup', () => {
  test('are in words, each under its locator', async () => {
    const { segments, sheet, book } = await read({
      sheets: [
        {
          name: 'Data',
          xml:
            '<sheetPr><tabColor rgb="FFFF0000"/></sheetPr><sheetViews><sheetView showGridLines="0" zoomScale="80"><pane ySplit="1" state="frozen"/></sheetView></sheetViews>' +
            rowsXml([
              ['a', 'b'],
              [1, '<c r="B2" s="6"><v>2</v></c>'],
            ]) +
            '<sheetProtection sheet="1" hashValue="x" sort="0"/>' +
            '<autoFilter ref="A1:B2"><filterColumn colId="1"><customFilters><customFilter operator="greaterThan" val="5"/></customFilters></filterColumn></autoFilter>' +
            '<conditionalFormatting sqref="A1:A9"><cfRule type="cellIs" operator="lessThan" dxfId="0" stopIfTrue="1"><formula>5</formula></cfRule><cfRule type="colorScale"><colorScale><cfvo type="min"/><cfvo type="num" val="7"/><color rgb="FFF8696B"/><color theme="4" tint="0.5"/></colorScale></cfRule></conditionalFormatting>' +
            '<dataValidations><dataValidation type="whole" operator="between" sqref="B1:B9 D1" prompt="Whole" errorTitle="Stop" error="No"><formula1>1</formula1><formula2>10</formula2></dataValidation></dataValidations>' +
            '<hyperlinks><hyperlink ref="A1" r:id="rId5"/><hyperlink ref="B1" location="Data!A2"/></hyperlinks>' +
            '<pageSetup orientation="landscape" paperSize="9"/><headerFooter><oddFooter>Page &amp;P</oddFooter></headerFooter>' +
            '<extLst><ext><x14:conditionalFormattings><x14:conditionalFormatting><x14:cfRule type="dataBar"><x14:dataBar><x14:cfvo type="autoMin"/><x14:fillColor rgb="FF638EC6"/></x14:dataBar></x14:cfRule><xm:sqref>C1:C9</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings><x14:sparklineGroups><x14:sparklineGroup type="column"><x14:sparklines><x14:sparkline><xm:f>Data!A1:A9</xm:f><xm:sqref>D2</xm:sqref></x14:sparkline></x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>',
          relations: [['rId5', 'hyperlink', 'https://example.org/a?b=1&amp;c=2']],
        },
      ],
      styles: STYLES,
      workbookXml: '<workbookProtection lockStructure="1"/>',
      relations: [['rIdX', 'externalLink', 'externalLinks/externalLink1.xml']],
      parts: {
        'xl/externalLinks/externalLink1.xml': [
          element('externalLink', ''),
          'application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml',
        ],
        'xl/externalLinks/_rels/externalLink1.xml.rels': [
          relationships([['rId1', 'externalLinkPath', 'file:///other.xlsx']]),
        ],
      },
    });
    const lines = segments
      .filter(({ locator }) => locator.kind === 'object')
      .map(({ locator, text }) => `${printLocator(locator)} ${text}`);
    expect(lines).toEqual([
      '#object=sheet:1@Data visible, used range A1:B2, 4 cells, 0 formulas, 0 errors, freeze pane A2, auto filter A1:B2, filter on column 2 of it greaterThan 5, 1 unlocked cells: B2, tab colour FF0000, no grid lines, zoom 80 %, prints landscape, paper size A4, footer: in the middle Page [page]',
      '#object=validation:1@Data validation of B1:B9 D1: whole between 1 10 prompt "Whole" error "Stop: No"',
      '#object=conditional-format:1@Data conditional format of A1:A9: cellIs lessThan 5 [font 9C0006, bold, fill FFC7CE] (stops)',
      '#object=conditional-format:2@Data conditional format of A1:A9: colorScale min num 7 F8696B A7C0DE',
      '#object=conditional-format:3@Data conditional format of C1:C9: dataBar autoMin 638EC6',
      '#object=link:1@Data link at A1 to https://example.org/a?b=1&c=2',
      '#object=link:2@Data link at B1 to Data!A2',
      '#object=sparkline:1@Data column sparkline at D2 of Data!A1:A9',
      '#object=protection:1@Data sheet protection with a password, allowed: sort',
      '#object=protection:1 workbook protection of structure without a password',
      '#object=external-link:1 external link to file:///other.xlsx',
    ]);
    expect(sheet.links).toHaveLength(2);
    expect(book.externalLinks).toEqual(['file:///other.xlsx']);
  });
});
