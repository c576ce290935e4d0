import { printLocator } from '../../../../../core/locator';
import { element, relationships, rowsXml } from '../../../../support/workbook-package';
import { read } from '../../support/read-workbook';

// Whole files are read; a busy machine takes its time.

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
          xml: `${rowsXml([['a', 'East']])}<drawing r:id="rId1"/>`,
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
      details: ['no legend'],
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
