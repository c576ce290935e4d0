import { formatNumber } from '../../../../activities/evidence/render/docx/number-words';
import { linearEquation } from '../../../../activities/evidence/render/docx/equation';
import {
  backgroundOf,
  UNKNOWN_BACKGROUND,
} from '../../../../activities/evidence/render/docx/colour';
import { placeholderOf } from '../../../../activities/evidence/render/pptx/placeholder';
import { parseXml } from '../../../../activities/evidence/render/xml';
import { readBytes } from '../../../support/evidence';
import { rowsXml, workbookPackage } from '../../../support/workbook-package';

/** Names that every object answers to: in a table of our own words they mean nothing. */
const NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];
const xml = (text: string) => parseXml('part', Buffer.from(text));

describe.each(NAMES)('a file that says %s', (name) => {
  test('as number format has Arabic digits', () => {
    expect(formatNumber(3, name)).toBe('3');
  });

  test('within an equation keeps the words there', () => {
    expect(linearEquation(xml(`<oMath><${name}><r><t>x</t></r></${name}></oMath>`))).toBe('x');
  });

  test('as colour of a highlight has one that is unknown', () => {
    expect(backgroundOf(xml(`<rPr><highlight val="${name}"/></rPr>`))).toBe(UNKNOWN_BACKGROUND);
  });

  test('as kind of a placeholder has a body', () => {
    const shape = `<sp><nvSpPr><cNvPr/><nvPr><ph type="${name}"/></nvPr></nvSpPr></sp>`;
    expect(placeholderOf(xml(shape))).toBe('body');
  });

  test('as kind of a notebook cell has that for a label', async () => {
    const cells = [{ cell_type: name, source: 'words' }];
    const book = Buffer.from(JSON.stringify({ nbformat: 4, metadata: {}, cells }));
    const { rendering } = await readBytes('a.ipynb', book);
    expect(rendering.segments).toMatchObject([{ text: 'words', label: `${name} cell` }]);
  });

  test('as kind of a sheet part is counted like any other', async () => {
    const sheet = { name: 'S', xml: rowsXml([[1]]), relations: [['r1', name, 'x.bin']] as const };
    const { rendering } = await readBytes('a.xlsx', workbookPackage({ sheets: [sheet] }));
    expect(rendering.workbook?.sheets[0]?.otherParts ?? {}).toEqual(
      /_/u.test(name) ? {} : { [name]: 1 },
    );
  });
});
