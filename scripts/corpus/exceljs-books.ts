import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { createHash } from 'node:crypto';
import { CORPUS_FOLDER, type CorpusFile, type Marker } from './listing';

/** Workbooks by exceljs. Its packages carry the time of writing: the committed files are the truth. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const FIXED = new Date('2026-01-05T09:00:00Z');

type At = (locator: string, options?: Partial<Marker>) => string;
type Make = (book: ExcelJS.Workbook, at: At) => Record<string, number>;

const BOOKS: Readonly<Record<string, Make>> = {
  'plain.xlsx': (book, at) => {
    const sheet = book.addWorksheet('数据');
    for (let row = 1; row <= 5; row++)
      sheet.addRow([at(`cells=数据!A${row}`), row, at(`cells=数据!C${row}`)]);
    return { cells: 15, sheets: 1 };
  },
  'shared-formulas.xlsx': (book, at) => {
    const sheet = book.addWorksheet('Sheet1');
    for (let row = 1; row <= 6; row++) sheet.getCell(`A${row}`).value = row;
    const formula = `A1&"${at('cells=Sheet1!B1', { where: 'formula' })}"`;
    sheet.getCell('B1').value = { formula, result: '1' };
    sheet.fillFormula('C1:C6', 'A1*9', [9, 18, 27, 36, 45, 54]);
    return { formulas: 7 };
  },
  'rules.xlsx': (book, at) => {
    const sheet = book.addWorksheet('Sheet1');
    sheet.getCell('A1').value = at('cells=Sheet1!A1');
    sheet.getCell('B1').dataValidation = {
      type: 'list',
      formulae: [`"${at('cells=Sheet1!B1', { where: 'workbook' })},b"`],
    };
    sheet.views = [{ state: 'frozen', xSplit: 1, ySplit: 1 }];
    sheet.autoFilter = 'A1:C1';
    return { cells: 1 };
  },
  'rich-and-links.xlsx': (book, at) => {
    const sheet = book.addWorksheet('Sheet1');
    sheet.getCell('A1').value = {
      richText: [{ text: '合计 ' }, { font: { bold: true }, text: at('cells=Sheet1!A1') }],
    };
    sheet.getCell('A2').value = {
      text: at('cells=Sheet1!A2'),
      hyperlink: 'https://example.invalid/',
    };
    sheet.getCell('A3').value = new Date('2026-08-21T00:00:00Z');
    sheet.getCell('A3').numFmt = 'yyyy-mm-dd';
    sheet.getCell('A1').note = at('object=comment:1@Sheet1');
    return { comments: 1 };
  },
  'hidden.xlsx': (book, at) => {
    book.addWorksheet('Seen').getCell('A1').value = at('cells=Seen!A1');
    const deep = book.addWorksheet('Deep', { state: 'veryHidden' });
    deep.getCell('A1').value = at('cells=Deep!A1', { visibility: 'hidden' });
    return { sheets: 2, hiddenSheets: 1 };
  },
  'table.xlsx': (book, at) => {
    const sheet = book.addWorksheet('Sheet1');
    sheet.addTable({
      name: 'Prices',
      ref: 'A1',
      headerRow: true,
      columns: [{ name: '品名' }, { name: '单价' }],
      rows: [2, 3, 4].map((row) => [at(`cells=Sheet1!A${row}`), row]),
    });
    return { tables: 1, cells: 8 };
  },
};

async function main(): Promise<void> {
  const folder = join(CORPUS_FOLDER, 'exceljs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files: CorpusFile[] = [];
  for (const [file, make] of Object.entries(BOOKS)) {
    const markers: Marker[] = [];
    const book = new ExcelJS.Workbook();
    book.created = FIXED;
    book.modified = FIXED;
    const counts = make(book, (locator, options = {}) => {
      const text = markerText(`exceljs ${file} ${markers.length}`);
      markers.push({ text, locator, ...options });
      return text;
    });
    writeFileSync(join(folder, file), Buffer.from(await book.xlsx.writeBuffer()));
    files.push({ file, status: 'rendered', counts, markers });
  }
  const listing = { program: 'exceljs 4.4.0', files };
  writeFileSync(join(CORPUS_FOLDER, 'exceljs.json'), `${JSON.stringify(listing, null, 1)}\n`);
}

function markerText(seed: string): string {
  const digest = createHash('sha256').update(seed).digest().subarray(0, 6);
  return `MK${[...digest].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
