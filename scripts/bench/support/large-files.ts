import { PDFDocument, StandardFonts } from 'pdf-lib';
import { cellName } from '../../../core/cell-range';
import { writeZip } from '../../corpus/zip';

/** Numbers in every cell of one sheet. */
export function largeWorkbook(rows: number, columns: number): Buffer {
  const letters = Array.from({ length: columns }, (_, at) => cellName(1, at + 1).slice(0, -1));
  let sheet = '';
  for (let row = 1; row <= rows; row++)
    sheet += `<row r="${row}">${letters.map((letter, at) => `<c r="${letter}${row}"><v>${row * 31 + at * 7}.25</v></c>`).join('')}</row>`;
  return workbookOf(sheet);
}

/** A workbook with one sheet of these rows. */
export function workbookOf(sheet: string): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const types = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`;
  const relation = (type: string, target: string): string =>
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/${type}" Target="${target}"/></Relationships>`;
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types">${types}</Types>`,
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return writeZip(
    Object.entries(parts).map(([name, text]) => ({ name, content: Buffer.from(text) })),
  );
}

/** Rows of text that hardly compresses. */
export function randomRows(count: number): string {
  let state = 1;
  const rows: string[] = [];
  for (let row = 1; row <= count; row++) {
    let text = '';
    for (let part = 0; part < 2; part++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      text += (state >>> 1).toString(36);
    }
    rows.push(`<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`);
  }
  return rows.join('');
}

/** Pages of 40 lines each. */
export async function largePdf(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= pages; number++) {
    const page = document.addPage([595, 842]);
    for (let line = 0; line < 40; line++)
      page.drawText(`Page ${number}, line ${line}: some words of a report`, {
        x: 60,
        y: 780 - line * 18,
        size: 11,
        font,
      });
  }
  return document.save();
}
