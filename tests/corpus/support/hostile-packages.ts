import { deflateRawSync } from 'node:zlib';
import { type ZipEntry, writeZip } from '../../../scripts/corpus/zip';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const WORDS = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

export type Parts = Readonly<Record<string, string | Buffer>>;

/** Entries of a package with the given parts; later parts of the same name replace earlier ones. */
export function entriesOf(...parts: readonly Parts[]): ZipEntry[] {
  return Object.entries(Object.assign({}, ...parts) as Parts).map(([name, content]) => ({
    name,
    content: Buffer.from(content),
  }));
}

export interface Relation {
  readonly type: string;
  readonly target: string;
  readonly external?: boolean;
}

export function relationships(...relations: readonly Relation[]): string {
  const lines = relations.map(
    ({ type, target, external }, index) =>
      `<Relationship Id="rId${index + 1}" Type="${type.includes(':') ? type : `${OFFICE}/${type}`}" ` +
      `Target="${target}"${external === true ? ' TargetMode="External"' : ''}/>`,
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${lines.join('')}</Relationships>`;
}

function types(overrides: Readonly<Record<string, string>>): string {
  const lines = Object.entries(overrides).map(
    ([part, type]) =>
      `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
  );
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/` +
    `vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
    `<Default Extension="png" ContentType="image/png"/>${lines.join('')}</Types>`
  );
}

/** Parts of a workbook with one sheet of these rows. */
export function workbook(rows: string, { doctype = '', after = '', before = '' } = {}): Parts {
  return {
    '[Content_Types].xml': types({
      'xl/workbook.xml': 'spreadsheetml.sheet.main',
      'xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
    }),
    '_rels/.rels': relationships({ type: 'officeDocument', target: 'xl/workbook.xml' }),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      type: 'worksheet',
      target: 'worksheets/sheet1.xml',
    }),
    'xl/worksheets/sheet1.xml': `${HEAD}${doctype}<worksheet xmlns="${SHEETS}" xmlns:r="${OFFICE}">${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
  };
}

/** Parts of a document with this body. */
export function document(
  body: string,
  { doctype = '', relations = [] as readonly Relation[], namespaces = '' } = {},
): Parts {
  return {
    '[Content_Types].xml': types({ 'word/document.xml': 'wordprocessingml.document.main' }),
    '_rels/.rels': relationships({ type: 'officeDocument', target: 'word/document.xml' }),
    'word/_rels/document.xml.rels': relationships(...relations),
    'word/document.xml': `${HEAD}${doctype}<w:document xmlns:w="${WORDS}" xmlns:r="${OFFICE}"${namespaces}><w:body>${body}</w:body></w:document>`,
  };
}

export function zipOf(...parts: readonly Parts[]): Buffer {
  return writeZip(entriesOf(...parts));
}

/** Entities that double at each level: 2^levels words of one. */
export function billionLaughs(levels = 30): string {
  const entities = Array.from(
    { length: levels },
    (_, level) => `<!ENTITY e${level + 1} "&e${level};&e${level};">`,
  );
  return `<!DOCTYPE x [<!ENTITY e0 "ha">${entities.join('')}]>`;
}

/** An entry that inflates to `bytes` zeros, whatever it claims. */
export function zeros(name: string, bytes: number, claimedBytes = bytes): ZipEntry {
  const content = Buffer.alloc(bytes);
  return { name, content, claimedBytes, deflated: deflateRawSync(content, { level: 9 }) };
}
