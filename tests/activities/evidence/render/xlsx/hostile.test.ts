import { type ArtifactResult } from '../../../../../activities/evidence/render/render-artifact';
import { parseLocator, printLocator } from '../../../../../core/locator';
import { readBytes } from '../../../../support/evidence';
import {
  type TestWorkbook,
  element,
  relationships,
  rowsXml,
  workbookPackage,
} from '../../../../support/workbook-package';

function read(book: TestWorkbook): Promise<ArtifactResult> {
  return readBytes('book.xlsx', workbookPackage(book));
}

const one = (xml: string, more: Partial<TestWorkbook> = {}): TestWorkbook => ({
  sheets: [{ name: 'Data', xml }],
  ...more,
});

describe('sizes', () => {
  test('three million rows: counted to the last row of a sheet, the rest said', async () => {
    const rows = Array.from({ length: 3_000_000 }, () => '<row><c><v>1</v></c></row>').join('');
    const { rendering, status, reason } = await read(one(`<sheetData>${rows}</sheetData>`));
    const [sheet] = rendering.workbook?.sheets ?? [];
    expect(status).toBe('truncated');
    expect(sheet).toMatchObject({ usedRange: 'A1:A1048576', cellCount: 1_048_576 });
    expect(sheet?.cells).toHaveLength(200_000);
    expect(reason).toContain('848576 cells of sheet Data are not listed');
    expect(rendering.warnings).toContain("1951424 cells lie outside of any sheet's limits");
    expect(rendering.facts['secondReading']).toBe('none: over 50000 cells');
  });

  test('whole columns, a merged range over all cells and fifty thousand small ones', async () => {
    const merges = Array.from(
      { length: 50_000 },
      (_, at) => `<mergeCell ref="A${at + 2}:B${at + 2}"/>`,
    );
    const rules = Array.from(
      { length: 3_000 },
      () =>
        '<conditionalFormatting sqref="A1:XFD1048576"><cfRule type="cellIs" operator="equal"><formula>1</formula></cfRule></conditionalFormatting>',
    );
    const { rendering, reason } = await read(
      one(
        `${rowsXml([[1]])}<mergeCells><mergeCell ref="A1:XFD1048576"/>${merges.join('')}</mergeCells>${rules.join('')}<dataValidations><dataValidation type="list" sqref="A1:XFD1048576"><formula1>"a"</formula1></dataValidation></dataValidations>`,
      ),
    );
    const [sheet] = rendering.workbook?.sheets ?? [];
    expect(sheet?.merged).toHaveLength(1_000);
    expect(sheet?.usedRange).toBe('A1');
    expect(reason).toContain('49001 more merged ranges of sheet Data are not listed');
    expect(reason).toContain('2000 more conditional formats of sheet Data are not listed');
  });

  const HUGE = 2_147_483_648;
  const DATA = '<sheetData><row r="1"><c r="A1"><v>7</v></c></row></sheetData>';
  test.each([
    ['a row', `<sheetData><row r="1"><c r="A1"><v>7</v></c></row><row r="${HUGE}"/></sheetData>`],
    ['a merged range', `${DATA}<mergeCells><mergeCell ref="A1:A${HUGE}"/></mergeCells>`],
  ])('%s beyond any sheet is not given to the second reader', async (_, xml) => {
    const { rendering } = await read(one(xml));
    expect(rendering.workbook?.sheets[0]?.cells).toMatchObject([{ shown: '7' }]);
    expect(rendering.facts['secondReading']).toBe('exceljs: cannot read it');
    expect(rendering.warnings).toContainEqual(
      expect.stringContaining(`sheet1.xml names row ${HUGE}, and a sheet has 1048576`),
    );
  });

  test.each([
    ['columns', one(`<cols><col min="1" max="${HUGE}" width="9"/></cols>${DATA}`)],
    ['a last column', one(`<cols><col min="${HUGE}" max="${HUGE}" width="9"/></cols>${DATA}`)],
    [
      // Two sheets share a part, which is what the readers differ on.
      "a sheet's id",
      one(DATA, { extraSheets: `<sheet name="Far" sheetId="${HUGE}" r:id="rId1"/>` }),
    ],
  ])('%s by the thousand million: both readers read it', async (_, book) => {
    const { rendering } = await read(book);
    expect(rendering.workbook?.sheets[0]?.cells).toMatchObject([{ shown: '7' }]);
    expect(rendering.facts['secondReading']).toMatch(/^exceljs: (?:agrees|differs)$/u);
  });

  test('a million styles of which none is plain', async () => {
    // Numbers keep it from being refused for its inflation.
    const entries = Array.from(
      { length: 1_000_000 },
      (_, at) => `<xf numFmtId="9" fontId="${(at * 7919) % 99_991}"/>`,
    );
    const styles = `<fonts><font/></fonts><fills><fill/></fills><cellXfs>${entries.join('')}</cellXfs>`;
    const { rendering, reason } = await read(
      one('<sheetData><row><c s="7"><v>0.5</v></c><c s="999999"><v>0.5</v></c></row></sheetData>', {
        styles,
      }),
    );
    const [first, last] = rendering.workbook?.sheets[0]?.cells ?? [];
    expect([first?.shown, last?.shown]).toEqual(['50%', '0.5']);
    expect(reason).toContain('900000 entries of the style tables beyond 100000 count as plain');
  });

  test('formulas and texts of huge length are cut, and the rest of the sheet is there', async () => {
    const { rendering, reason } = await read(
      one(rowsXml([[`=${'A1+'.repeat(2_000_000)}1`, 'x'.repeat(3_000_000), 'end']])),
    );
    const [formula, text, end] = rendering.workbook?.sheets[0]?.cells ?? [];
    expect(formula?.formula?.length).toBeLessThan(33_000);
    expect(String(text?.value)).toHaveLength(32_768);
    expect(end?.value).toBe('end');
    expect(reason).toContain('2 long texts or formulas of cells are cut');
  });

  test('a long shared formula over a million cells stops being written out', async () => {
    const first = `<row><c><f t="shared" si="0" ref="A1:A1048576">${'B1+'.repeat(2_000)}1</f></c></row>`;
    const rows = '<row><c><f t="shared" si="0"/></c></row>'.repeat(200_000);
    const { rendering, reason } = await read(one(`<sheetData>${first}${rows}</sheetData>`));
    expect(rendering.workbook?.sheets[0]?.formulaCount).toBe(200_001);
    expect(reason).toMatch(/\d+ shared formulas are not written out for their cells/u);
  });

  test('a chain of dependencies up and down the sheet is followed to its end', async () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, at) =>
        `<row><c><f>${at === 0 ? 'NOW()' : `A${at}`}</f></c><c><f>B${at + 2}</f></c></row>`,
    );
    const { rendering } = await read(
      one(`<sheetData>${rows.join('')}<row><c/><c><f>RAND()</f></c></row></sheetData>`),
    );
    const cells = rendering.workbook?.sheets[0]?.cells ?? [];
    expect(cells).toHaveLength(40_001);
    expect(cells.every(({ flags }) => flags?.includes('volatile'))).toBe(true);
  });
});

describe('crooked packages', () => {
  test('sheets that share a part, name a missing one, and repeat a name', async () => {
    const entries = ['A', 'A', 'Gone']
      .map(
        (name, at) =>
          `<sheet name="${name}" sheetId="${at + 2}" r:id="${at === 2 ? 'none' : 'rId1'}"/>`,
      )
      .join('');
    const { rendering } = await read({
      sheets: [{ name: 'First', xml: rowsXml([['x']]) }],
      extraSheets: entries,
    });
    expect(rendering.workbook?.sheets.map(({ name, cellCount }) => [name, cellCount])).toEqual([
      ['First', 1],
      ['A', 0],
      ['A', 0],
      ['Gone', 0],
    ]);
    expect(rendering.warnings.slice(0, 3)).toEqual([
      'sheet A has the part of another sheet and is not read again',
      'two sheets are named A: a locator names the first',
      'sheet Gone has no part in the package',
    ]);
  });

  test('relations in circles end', async () => {
    const { rendering, status } = await read({
      sheets: [
        {
          name: 'Data',
          xml: rowsXml([['x']]),
          relations: [
            ['rId1', 'drawing', 'sheet1.xml'],
            ['rId2', 'table', 'sheet1.xml'],
            ['rId3', 'pivotTable', 'sheet1.xml'],
            ['rId4', 'comments', 'sheet1.xml'],
          ],
        },
      ],
    });
    expect(status).toBe('truncated');
    expect(rendering.workbook?.sheets[0]?.cellCount).toBe(1);
  });

  test('a side part that is broken, hostile or huge takes nothing else with it', async () => {
    const { rendering, reason } = await read({
      sheets: [
        {
          name: 'Data',
          xml: rowsXml([['kept']]),
          relations: [
            ['rId1', 'comments', '../c1.xml'],
            ['rId2', 'comments', '../c2.xml'],
            ['rId3', 'drawing', '../d.xml'],
            ['rId4', 'drawing', '../e.xml'],
          ],
        },
      ],
      relations: [['rIdT', 'theme', 'theme.xml']],
      styles: '<fonts>',
      parts: {
        'xl/theme.xml': ['<theme>'],
        'xl/e.xml': ['<wsDr/>'],
        'xl/_rels/e.xml.rels': ['no relations'],
        'xl/c1.xml': ['<!DOCTYPE x [<!ENTITY e "boom">]><x>&e;</x>'],
        'xl/c2.xml': ['<comments><open></comments>'],
        'xl/d.xml': [`<wsDr>${'<!-- -->'.repeat(2_000_000)}</wsDr>`],
      },
    });
    expect(rendering.segments.map(({ text }) => text)).toContain('kept');
    expect(reason).toContain('part xl/c1.xml declares a DOCTYPE');
    for (const part of ['c2.xml', 'theme.xml', 'styles.xml', '_rels/e.xml.rels'])
      expect(reason).toContain(`part xl/${part} is broken XML`);
    expect(reason).toMatch(/part xl\/d\.xml has \d+ bytes, over/u);
  });

  test.each([
    ['unclosed', '<worksheet><sheetData><row>'],
    ['crossed', '<worksheet><sheetData></row></sheetData></worksheet>'],
    ['doctype', '<!DOCTYPE a><worksheet/>'],
    [
      'unknown entity',
      '<worksheet><sheetData><row><c t="str"><v>&boom;</v></c></row></sheetData></worksheet>',
    ],
    ['text outside', 'words<worksheet/>'],
    ['two roots', '<worksheet/><worksheet/>'],
    ['attribute without value', '<worksheet><row r></row></worksheet>'],
    ['no XML', 'PK not xml at all'],
    ['empty', ''],
    ['deep', '<a>'.repeat(300) + '</a>'.repeat(300)],
  ])(
    'a sheet part that is %s makes the file unreadable, with the part named',
    async (_, content) => {
      const { status, reason } = await read({
        sheets: [{ name: 'Data', xml: content, isWhole: true }],
      });
      expect(['corrupt', 'refused']).toContain(status);
      expect(reason).toContain('part xl/worksheets/sheet1.xml');
    },
  );

  test('names like paths, formulas and markup are names', async () => {
    const names = [
      '../../etc/passwd',
      "O'Neil &amp; Co!A1",
      'a#b@c%20',
      '=HYPERLINK(1)',
      '&lt;b&gt;',
    ];
    const { rendering } = await read({
      sheets: names.map((name) => ({ name, xml: rowsXml([['x']]) })),
    });
    const shown = names.map((name) => name.replace('&amp;', '&').replace('&lt;b&gt;', '<b>'));
    expect(rendering.workbook?.sheets.map(({ name }) => name)).toEqual(shown);
    for (const { locator } of rendering.segments) {
      const complete = { ...locator, artifact: 'results/a.xlsx' };
      expect(parseLocator(printLocator(complete))).toEqual(complete);
    }
  });

  test('another kind of chart part, and one that is not there', async () => {
    const anchor = (id: string) =>
      `<xdr:oneCellAnchor><xdr:from><xdr:col>-4</xdr:col><xdr:row>1e9</xdr:row></xdr:from><c:chart r:id="${id}"/></xdr:oneCellAnchor>`;
    const { rendering, reason } = await read({
      sheets: [{ name: 'Data', xml: rowsXml([[1]]), relations: [['rId1', 'drawing', '../d.xml']] }],
      parts: {
        'xl/d.xml': [element('xdr:wsDr', anchor('rId1') + anchor('rId2') + anchor('none'))],
        'xl/_rels/d.xml.rels': [
          relationships([
            ['rId1', 'chart', 'c.xml'],
            ['rId2', 'chart', 'gone.xml'],
          ]),
        ],
        'xl/c.xml': ['<broken'],
      },
    });
    expect(rendering.workbook?.sheets[0]?.charts).toEqual([
      { type: 'unreadable', title: '', series: [], anchor: 'no cell of the sheet' },
    ]);
    expect(reason).toContain('chart part xl/c.xml cannot be read');
  });
});
