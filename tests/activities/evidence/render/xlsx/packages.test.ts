import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { evidenceOf, readBytes } from '../../../../support/evidence';
import { element, rowsXml, workbookPackage } from '../../../../support/workbook-package';
import { writeZip } from '../../../../../activities/evidence/render/zip-writer';
import { printLocator } from '../../../../../core/locator';

// Whole files are read; a busy machine takes its time.

const FIXTURES = join(__dirname, '../../../../fixtures/evidence');

/** A workbook whose every name is unusual: folders, part names, prefixes, upper case, absolute targets. */
function odd(strict: boolean, prefix: string): Buffer {
  const office = strict
    ? 'http://purl.oclc.org/ooxml/officeDocument/relationships'
    : 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = strict
    ? 'http://purl.oclc.org/ooxml/spreadsheetml/main'
    : 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const tag = (name: string, attributes: string, content = ''): string =>
    `<${prefix}${name} ${attributes}>${content}</${prefix}${name}>`;
  const root = (name: string, content: string): string =>
    tag(
      name,
      `xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="${main}" xmlns:rel="${office}"`,
      content,
    );
  const relations = (...rows: readonly (readonly [string, string])[]): string =>
    `<Relationships xmlns="${packages}/relationships">${rows.map(([type, target], at) => `<Relationship Id="R${at}" Type="${office}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
  const cell = tag('c', 'r="B2" t="s"', tag('v', '', '0'));
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="part" ContentType="application/xml"/><Override PartName="/Deep/Folder/Main.part" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    '_rels/.rels': relations(['officeDocument', '/deep/folder/MAIN.part']),
    'Deep/Folder/Main.part': root(
      'workbook',
      tag('sheets', '', tag('sheet', 'name="Odd 表" sheetId="7" rel:id="R0"')),
    ),
    'Deep/Folder/_rels/Main.part.rels': relations(
      ['worksheet', '../Tab one.part'],
      ['sharedStrings', '/Words.part'],
    ),
    'Deep/Tab one.part': root('worksheet', tag('sheetData', '', tag('row', 'r="2"', cell))),
    'Words.part': root('sst', tag('si', '', tag('t', '', 'found'))),
  };
  return writeZip(
    Object.entries(parts).map(([name, text]) => ({ name, content: Buffer.from(text) })),
  );
}

test.each([
  ['prefixes', false, 'x:'],
  ['no prefixes', false, ''],
  ['the strict namespaces', true, ''],
  ['prefixes and the strict namespaces', true, 'ns0:'],
])('a package of odd names with %s', async (_name, strict, prefix) => {
  const { rendering } = await readBytes('odd.xlsx', odd(strict, prefix));
  expect(rendering.workbook?.sheets).toMatchObject([
    { name: 'Odd 表', usedRange: 'B2', cells: [{ ref: 'B2', value: 'found' }] },
  ]);
});

test('macros are named and never run', async () => {
  const project =
    'ID="{0}"\r\nDocument=ThisWorkbook/&H00000000\r\nModule=Report\r\nClass=Helper\r\n';
  const book = workbookPackage({
    sheets: [{ name: 'Data', xml: rowsXml([[1]]) }],
    relations: [['rIdV', 'vbaProject', 'vbaProject.bin']],
    parts: { 'xl/vbaProject.bin': [project, 'application/vnd.ms-office.vbaProject'] },
  });
  const { rendering } = await readBytes('book.xlsm', book);
  expect(rendering.facts['macros']).toBe(true);
  expect(rendering.segments.map(({ text }) => text)).toContain(
    'macros: ThisWorkbook, Report, Helper',
  );
});

test('parts that are not read are counted by kind', async () => {
  const { rendering } = await readBytes(
    'book.xlsx',
    workbookPackage({
      sheets: [
        {
          name: 'Data',
          xml: rowsXml([[1]]),
          relations: [
            ['r1', 'queryTable', '../s.xml'],
            ['r2', 'oleObject', '../o.xml'],
          ],
        },
      ],
      parts: { 'xl/s.xml': [element('queryTable', '')], 'xl/o.xml': [element('x', '')] },
    }),
  );
  expect(rendering.segments[0]?.text).toContain('1 queryTable not read, 1 oleObject not read');
});

test.each([
  'stock.xlsx',
  'workbooks/openpyxl-features.xlsx',
  'workbooks/exceljs-features.xlsx',
  'workbooks/libreoffice-features.xlsx',
])('every locator of %s resolves to its own text', async (name) => {
  const { rendering } = await readBytes(name, await readFile(join(FIXTURES, name)));
  const { workbook, segments } = rendering;
  if (!workbook) throw new Error('no workbook');
  const evidence = evidenceOf({ 'results/a.xlsx': { segments, workbook } });
  const printed = new Set<string>();
  for (const { locator, text, visibility, cause } of segments) {
    const complete = { ...locator, artifact: 'results/a.xlsx' };
    const found = await evidence.resolve(complete);
    const place = printLocator(complete);
    if (locator.kind === 'file') continue;
    expect([place, found?.visibility]).toEqual([place, visibility]);
    if (locator.kind === 'object') expect(found?.text).toBe(text);
    if (locator.kind === 'cells' && cause === undefined)
      expect(found?.text.replace(/(?: \| )+/gu, ' ')).toBe(text.replace(/(?: \| )+/gu, ' '));
    expect(printed.has(place)).toBe(false);
    printed.add(place);
  }
});
