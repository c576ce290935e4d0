import {
  type CellFact,
  type SheetFact,
  type WorkbookFacts,
} from '../../../../../core/workbook-facts';
import { type TextSegment } from '../../../../../core/evidence-view';
import { printLocator } from '../../../../../core/locator';
import { readBytes } from '../../../../support/evidence';
import {
  type TestWorkbook,
  element,
  relationships,
  rowsXml,
  workbookPackage,
} from '../../../../support/workbook-package';

interface Read {
  readonly book: WorkbookFacts;
  readonly sheet: SheetFact;
  readonly segments: readonly TextSegment[];
  readonly warnings: readonly string[];
  readonly reason: string;
  cell(ref: string): CellFact | undefined;
}

async function read(book: TestWorkbook, name = 'book.xlsx'): Promise<Read> {
  const { rendering, reason = '', status } = await readBytes(name, workbookPackage(book));
  const sheet = rendering.workbook?.sheets[0];
  if (!rendering.workbook || !sheet) throw new Error(`${status}: ${reason}`);
  return {
    book: rendering.workbook,
    sheet,
    segments: rendering.segments,
    warnings: rendering.warnings,
    reason,
    cell: (ref) => sheet.cells.find((cell) => cell.ref === ref),
  };
}

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
      '#object=sheet:1@Data visible, used range A1:B2, 4 cells, 0 formulas, 0 errors, freeze pane A2, auto filter A1:B2, filter on column 2 of it greaterThan 5, 1 unlocked cells: B2, tab colour FFFF0000, no grid lines, zoom 80 %, prints landscape, paper size A4, oddFooter Page &P',
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

describe('drawn things and comments', () => {
  const anchor = (from: [number, number], to: [number, number], content: string): string =>
    `<xdr:twoCellAnchor><xdr:from><xdr:col>${from[0]}</xdr:col><xdr:row>${from[1]}</xdr:row></xdr:from><xdr:to><xdr:col>${to[0]}</xdr:col><xdr:row>${to[1]}</xdr:row></xdr:to>${content}</xdr:twoCellAnchor>`;
  const shape = (name: string, text: string, hidden = ''): string =>
    `<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" name="${name}"${hidden}/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp>`;

  test('charts with anchor, axes and points; pictures and shapes; what lies off the sheet', async () => {
    const drawing = element(
      'xdr:wsDr',
      anchor(
        [1, 1],
        [5, 9],
        '<xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame>',
      ) +
        anchor(
          [6, 0],
          [7, 3],
          '<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="3" name="Logo" descr="our mark"/></xdr:nvPicPr></xdr:pic>',
        ) +
        anchor([0, 12], [3, 14], shape('Box', 'Seen words')) +
        anchor([0, 500_000], [3, 500_002], shape('Far', 'Far words')) +
        anchor([0, 0], [1, 1], shape('Hid', 'Hidden words', ' hidden="1"')),
    );
    const chart = element(
      'c:chartSpace',
      '<c:chart><c:title><a:t>Sales</a:t></c:title><c:plotArea><c:barChart><c:barDir val="col"/><c:grouping val="stacked"/><c:ser><c:tx><c:strRef><c:f>Data!B1</c:f><c:strCache><c:pt idx="0"><c:v>East</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:f>Data!A2:A3</c:f><c:strCache><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>Data!B2:B3</c:f><c:numCache><c:pt idx="0"><c:v>5</c:v></c:pt><c:pt idx="1"><c:v>7</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart><c:valAx><c:title><a:t>EUR</a:t></c:title></c:valAx></c:plotArea></c:chart>',
    );
    const { segments, sheet, warnings } = await read({
      sheets: [
        {
          name: 'Data',
          xml: `${rowsXml([['a', 1]])}<drawing r:id="rId1"/>`,
          relations: [['rId1', 'drawing', '/xl/odd%20folder/drawing.xml'.replace('%20', '_')]],
        },
      ],
      parts: {
        'xl/odd_folder/drawing.xml': [
          drawing,
          'application/vnd.openxmlformats-officedocument.drawing+xml',
        ],
        'xl/odd_folder/_rels/drawing.xml.rels': [
          relationships([['rId1', 'chart', '../c.bin.xml']]),
        ],
        'xl/c.bin.xml': [
          chart,
          'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
        ],
      },
    });
    expect(warnings).toEqual([]);
    expect(sheet.charts[0]).toEqual({
      type: 'stacked column',
      title: 'Sales',
      axes: ['EUR'],
      series: ['East: Data!A2:A3 -> Data!B2:B3'],
      points: ['East: Q1 = 5; Q2 = 7'],
      anchor: 'B2:F10',
    });
    const drawn = segments.filter(({ label }) =>
      ['image', 'shape', 'alternative text'].includes(label ?? ''),
    );
    expect(drawn.map(({ locator, text, cause }) => [printLocator(locator), text, cause])).toEqual([
      ['#object=image:1@Data', 'image Logo at G1:H4', undefined],
      ['#object=shape:1@Data', 'shape Box at A13:D15: Seen words', undefined],
      ['#object=shape:2@Data', 'shape Far at A500001:D500003 (far off): Far words', 'off-page'],
      ['#object=shape:3@Data', 'shape Hid at A1:B2 (marked as hidden): Hidden words', 'off-page'],
      ['#object=alternative-text:1@Data', 'Logo: our mark', 'alternative-text'],
    ]);
  });

  test('an extended chart has its type, series and data', async () => {
    const cx = 'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"';
    const { sheet } = await read({
      sheets: [
        {
          name: 'Data',
          xml: `${rowsXml([[1]])}<drawing r:id="rId1"/>`,
          relations: [['rId1', 'drawing', '../drawings/drawing1.xml']],
        },
      ],
      parts: {
        'xl/drawings/drawing1.xml': [
          element(
            'xdr:wsDr',
            `<xdr:oneCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:row>0</xdr:row></xdr:from><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice><cx:chart ${cx} r:id="rId1"/></mc:Choice><mc:Fallback>${shape('Old', 'cannot be shown')}</mc:Fallback></mc:AlternateContent></xdr:oneCellAnchor>`,
          ),
          'application/vnd.openxmlformats-officedocument.drawing+xml',
        ],
        'xl/drawings/_rels/drawing1.xml.rels': [
          relationships([['rId1', 'chartEx', '../charts/chartEx1.xml']]),
        ],
        'xl/charts/chartEx1.xml': [
          `<cx:chartSpace ${cx} xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:f>Data!A1:A2</cx:f><cx:lvl><cx:pt idx="0">in</cx:pt><cx:pt idx="1">out</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:f>Data!B1:B2</cx:f><cx:lvl><cx:pt idx="0">9</cx:pt><cx:pt idx="1">-4</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:title><a:t>Cash</a:t></cx:title><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>Flow</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`,
          'application/vnd.ms-office.chartex+xml',
        ],
      },
    });
    expect(sheet.charts).toEqual([
      {
        type: 'waterfall',
        title: 'Cash',
        series: ['Flow: Data!A1:A2 -> Data!B1:B2'],
        points: ['Flow: in = 9; out = -4'],
        anchor: 'A1',
      },
    ]);
    expect(sheet.shapes).toBeUndefined();
  });

  test('threaded comments have authors and answers, and their plain copies are no comments', async () => {
    const { sheet, segments } = await read({
      sheets: [
        {
          name: 'Data',
          xml: rowsXml([[1]]),
          relations: [
            ['rId1', 'comments', '../comments/c1.xml'],
            ['rId2', 'threadedComment', '../threads/t1.xml'],
          ],
        },
      ],
      relations: [['rIdP', 'person', 'persons/person.xml']],
      parts: {
        'xl/comments/c1.xml': [
          element(
            'comments',
            '<authors><author>Ann</author><author>tc={1}</author></authors><commentList><comment ref="B2" authorId="0"><text><r><t>Ann:</t></r><r><t>\ncounted twice</t></r></text></comment><comment ref="A1" authorId="1"><text><t>[Threaded comment] update</t></text></comment></commentList>',
          ),
          'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml',
        ],
        'xl/threads/t1.xml': [
          '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="A1" personId="p1" id="1"><text>why?</text></threadedComment><threadedComment ref="A1" personId="p2" id="2" parentId="1"><text>because</text></threadedComment></ThreadedComments>',
          'application/vnd.ms-excel.threadedcomments+xml',
        ],
        'xl/persons/person.xml': [
          '<personList xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><person id="p1" displayName="李雷"/><person id="p2" displayName="Bo"/></personList>',
        ],
      },
    });
    expect(sheet.comments).toEqual([
      { ref: 'B2', author: 'Ann', text: 'counted twice' },
      { ref: 'A1', author: '李雷', text: 'why?' },
      { ref: 'A1', author: 'Bo', text: 'because', note: 'answer' },
    ]);
    expect(segments.map(({ text }) => text)).toContain('comment at A1 by Bo (answer): because');
  });

  test('a pivot table has its source, its fields on each side, its values', async () => {
    const { sheet } = await read({
      sheets: [
        {
          name: 'Data',
          xml: rowsXml([[1]]),
          relations: [['rId1', 'pivotTable', '../pivotTables/p1.xml']],
        },
      ],
      parts: {
        'xl/pivotTables/p1.xml': [
          element(
            'pivotTableDefinition',
            '<location ref="A3:C9"/><rowFields><field x="0"/></rowFields><colFields><field x="-2"/></colFields><pageFields><pageField fld="1"/></pageFields><dataFields><dataField name="Sum of Sales" fld="2"/><dataField name="Average" fld="2" subtotal="average"/></dataFields>',
          ).replace('<pivotTableDefinition ', '<pivotTableDefinition name="Pivot1" '),
          'application/vnd.openxmlformats-officedocument.spreadsheetml.pivotTable+xml',
        ],
        'xl/pivotTables/_rels/p1.xml.rels': [
          relationships([['rId1', 'pivotCacheDefinition', '../pivotCache/d1.xml']]),
        ],
        'xl/pivotCache/d1.xml': [
          element(
            'pivotCacheDefinition',
            '<cacheSource type="worksheet"><worksheetSource ref="A1:C99" sheet="Raw"/></cacheSource><cacheFields><cacheField name="Region"/><cacheField name="Year"/><cacheField name="Sales"/></cacheFields>',
          ),
        ],
      },
    });
    expect(sheet.pivots).toEqual([
      {
        name: 'Pivot1',
        range: 'A3:C9',
        source: 'Raw!A1:C99',
        fields: ['Region', 'Year', 'Sales'],
        rows: ['Region'],
        columns: ['values'],
        filters: ['Year'],
        values: ['Sum of Sales (sum of Sales)', 'Average (average of Sales)'],
      },
    ]);
  });
});
