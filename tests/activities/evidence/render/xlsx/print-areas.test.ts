import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPackage } from '../../../../../activities/evidence/render/package';
import { sourcesOfPages } from '../../../../../activities/evidence/render/pages';
import {
  isLargeSheet,
  withPrintAreas,
} from '../../../../../activities/evidence/render/xlsx/print-areas';
import { workbookPages } from '../../../../../activities/evidence/render/xlsx/render-xlsx';
import { type SheetFact } from '../../../../../core/workbook-facts';
import { sheetOf } from '../../../../support/evidence';
import { type TestWorkbook, rowsXml, workbookPackage } from '../../../../support/workbook-package';

const LARGE: SheetFact = sheetOf("It's data", [[1]], { usedRange: 'C5:XFD1048576' });
const SMALL: SheetFact = sheetOf('Board', [[1]], { usedRange: 'A1' });

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'print-areas-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function copyOf(book: TestWorkbook, sheets: readonly SheetFact[]): Promise<string[]> {
  const source = join(folder, 'source.xlsx');
  await writeFile(source, workbookPackage(book));
  const path = await withPrintAreas(source, sheets, folder);
  if (path === undefined) return [];
  const parts = await openPackage(path);
  try {
    const names = ['xl/workbook.xml', 'xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml'];
    return await Promise.all(names.map(async (name) => (await parts.read(name)).toString()));
  } finally {
    parts.close();
  }
}

test('a large sheet prints its first cells, the others are fitted to a page; other names stay', async () => {
  const [workbook = '', data = '', board = ''] = await copyOf(
    {
      sheets: [
        { name: "It's data", xml: rowsXml([[1]]) },
        {
          name: 'Board',
          xml: `<sheetPr><tabColor rgb="FF00FF00"/></sheetPr>${rowsXml([[1]])}<pageSetup fitToHeight="0" orientation="landscape"/>`,
        },
      ],
      workbookXml:
        '<definedNames><definedName name="_xlnm.Print_Area" localSheetId="1">Board!$A$1</definedName><definedName name="rate">Board!$B$1</definedName></definedNames>',
    },
    [LARGE, SMALL],
  );
  expect(workbook).toContain(
    `<definedNames><definedName name="_xlnm.Print_Area" localSheetId="0">'It''s data'!$C$5:$AP$154</definedName><definedName name="rate">`,
  );
  expect(workbook).not.toContain('Board!$A$1<');
  expect(data).not.toContain('fitToPage');
  expect(board).toContain('<tabColor rgb="FF00FF00"/><pageSetUpPr fitToPage="1"/></sheetPr>');
  expect(board).toContain('<pageSetup orientation="landscape"/>');
});

test.each([
  ['', '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'],
  ['<sheetPr codeName="x"/>', '<sheetPr codeName="x"><pageSetUpPr fitToPage="1"/></sheetPr>'],
  [
    '<sheetPr><pageSetUpPr fitToPage="0" autoPageBreaks="0"/></sheetPr>',
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
  ],
])('a sheet with %p is fitted by %p', async (before, expected) => {
  const sheets = [
    { name: "It's data", xml: rowsXml([[1]]) },
    { name: 'Board', xml: `${before}${rowsXml([[1]])}` },
  ];
  const [workbook, , board] = await copyOf({ sheets }, [LARGE, SMALL]);
  expect(workbook).toContain('</sheets><definedNames><definedName name="_xlnm.Print_Area"');
  expect(board).toContain(`${expected}<sheetData>`);
});

test('a workbook that is no zip any more is drawn as it is', async () => {
  const source = join(folder, 'broken.xlsx');
  await writeFile(source, workbookPackage({ sheets: [{ name: 'A', xml: rowsXml([[1]]) }] }));
  const other = sheetOf('A', [[1]], { usedRange: 'A1:A999' });
  expect(await withPrintAreas(source, [other], folder)).toBeDefined();
  await writeFile(source, 'no zip');
  await expect(withPrintAreas(source, [other], folder)).rejects.toThrow();
});

test('a sheet is large by its cells, or by a chart that lies far off', () => {
  expect([LARGE, SMALL].map(isLargeSheet)).toEqual([true, false]);
  const chart = { type: 'line', title: '', series: [], anchor: 'B5000:C5010' };
  expect(isLargeSheet({ ...SMALL, charts: [chart] })).toBe(true);
});

test('pages are named where one large sheet takes what the others leave', () => {
  const { sources, note } = workbookPages(
    { sheets: [SMALL, LARGE, { ...SMALL, name: 'Z' }] },
    true,
  );
  expect(note).toContain('first 150 rows and 40 columns');
  expect(sourcesOfPages(sources, 5).map(({ name }) => name)).toEqual([
    'Board',
    "It's data",
    "It's data",
    "It's data",
    'Z',
  ]);
  const two = workbookPages({ sheets: [LARGE, { ...LARGE, name: 'B' }] }, true);
  expect(two.sources).toEqual([]);
});
