import { rowsXml, workbookPackage } from '../../support/workbook-package';
import { RendererBench } from './support/renderer-bench';

const TIMEOUT_MS = 120_000;

describe('pages of workbooks in the renderer container', () => {
  let bench: RendererBench;
  beforeAll(async () => {
    bench = await RendererBench.open();
  });
  afterAll(() => bench.close());

  test(
    'a sheet with words far down ends after its first cells, the others have their page, calculated as on opening',
    async () => {
      const corner =
        '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>near</t></is></c></row>' +
        '<row r="60000"><c r="H60000" t="inlineStr"><is><t>far down</t></is></c></row></sheetData>';
      const { artifact, segments, workbook } = await bench.render(
        'far.xlsx',
        workbookPackage({
          sheets: [
            { name: 'Far', xml: corner },
            {
              name: 'Board',
              xml: '<sheetData><row r="1"><c r="A1"><f>1+2</f><v>0</v></c></row></sheetData>',
            },
            { name: 'Notes', xml: rowsXml([['words']]) },
          ],
          workbookXml: '<calcPr fullCalcOnLoad="1"/>',
        }),
      );
      expect(artifact).toMatchObject({ status: 'rendered', counts: { pages: 3 } });
      expect(artifact.pages.map(({ source }) => source)).toEqual(['Far', 'Board', 'Notes']);
      expect(artifact.facts['pagesNote']).toContain('first 150 rows and 40 columns');
      expect(segments.map(({ text }) => text)).toEqual(expect.arrayContaining(['far down', '3']));
      expect(workbook?.sheets[1]?.cells[0]).toMatchObject({
        cached: 0,
        recalculated: 3,
        shown: '3',
        flags: ['calculated-on-opening'],
      });
    },
    TIMEOUT_MS,
  );
});
