import { LAST_ROW } from '../../../../core/cell-range';
import { type OfficePackage } from '../package';
import { type Relationship, relationshipsOf } from '../relationships';
import { Unreadable } from '../rendering';
import { asUtf8 } from '../xml-encoding';
import { type ZipMember, writeZip } from '../zip-writer';
import { mainPart } from './workbook';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** Parts beyond are too large for a reader that holds everything at once. */
const MAX_PART_BYTES = 24 * 1024 * 1024;

/**
 * The cells of a workbook without what exceljs throws on: drawings, comments, tables, pivots, and defined names, which
 * it would expand cell by cell. Parts keep their content and get the names and relative targets that exceljs expects.
 * Throws `Unreadable` where a part is too large or names a row that no sheet has.
 */
export async function slimCopy(parts: OfficePackage): Promise<Buffer> {
  const main = await mainPart(parts);
  const relations = (await relationshipsOf(parts, main)).filter(
    ({ external, target }) => !external && parts.has(target),
  );
  const sheets = relations.filter(({ type }) => type === 'worksheet');
  const single = (type: string, name: string): [Relationship, string][] => {
    const found = relations.find((each) => each.type === type);
    return found ? [[found, name]] : [];
  };
  const kept: readonly [Relationship, string][] = [
    ...sheets.map((relation, at): [Relationship, string] => [
      relation,
      `worksheets/sheet${at + 1}.xml`,
    ]),
    ...single('styles', 'styles.xml'),
    ...single('sharedStrings', 'sharedStrings.xml'),
    ...single('theme', 'theme/theme1.xml'),
  ];
  const members: ZipMember[] = [
    member('[Content_Types].xml', contentTypes(sheets.length)),
    member('_rels/.rels', relationships([['rId1', 'officeDocument', 'xl/workbook.xml', false]])),
    member(
      'xl/workbook.xml',
      numbered(withoutNames((await readUtf8(parts, main)).toString('utf8'))),
    ),
    member(
      'xl/_rels/workbook.xml.rels',
      relationships(kept.map(([{ id, type }, name]) => [id, type, name, false])),
    ),
  ];
  for (const [{ target, type }, name] of kept) {
    const content = await readUtf8(parts, target);
    members.push({ name: `xl/${name}`, content });
    if (type !== 'worksheet') continue;
    requireRowsOfASheet(target, content.toString('utf8'));
    const links = (await relationshipsOf(parts, target)).filter((each) => each.external);
    const file = name.replace('worksheets/', 'xl/worksheets/_rels/');
    const own = links.map(({ id, target: to }): RelationshipRow => [id, 'hyperlink', to, true]);
    members.push(member(`${file}.rels`, relationships(own)));
  }
  return writeZip(members);
}

/** It keeps rows in an array at their numbers, merged ones among them, and walks it from the first to the last. */
function requireRowsOfASheet(part: string, text: string): void {
  for (const [, place = ''] of text.matchAll(/\s(?:r|ref)\s*=\s*["']([^"']*\d{7}[^"']*)["']/gu))
    for (const number of place.match(/\d+/gu) ?? [])
      if (Number(number) > LAST_ROW)
        throw new Unreadable('refused', `${part} names row ${number}, and a sheet has ${LAST_ROW}`);
}

/** It takes every part for UTF-8. */
async function readUtf8(parts: OfficePackage, part: string): Promise<Buffer> {
  return asUtf8(part, await parts.read(part, MAX_PART_BYTES));
}

type RelationshipRow = readonly [id: string, type: string, target: string, isExternal: boolean];

function member(name: string, text: string): ZipMember {
  return { name, content: Buffer.from(text) };
}

function withoutNames(workbook: string): string {
  return workbook.replace(/<((?:[\w-]+:)?definedNames)(?:\s[^>]*)?>[\s\S]*?<\/\1\s*>/u, '');
}

/** It keeps sheets in an array at their ids, and walks it from the first to the last: an id may be two thousand million. */
function numbered(workbook: string): string {
  let sheets = 0;
  return workbook.replace(/\ssheetId\s*=\s*(?:"[^"]*"|'[^']*')/gu, () => ` sheetId="${++sheets}"`);
}

function contentTypes(sheets: number): string {
  const overrides = Array.from(
    { length: sheets },
    (_, at) =>
      `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${SPREADSHEET}.worksheet+xml"/>`,
  );
  return `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>${overrides.join('')}</Types>`;
}

function relationships(rows: readonly RelationshipRow[]): string {
  const entries = rows.map(
    ([id, type, target, isExternal]) =>
      `<Relationship Id="${escaped(id)}" Type="${OFFICE}/${type}" Target="${escaped(target)}"${isExternal ? ' TargetMode="External"' : ''}/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
