import { type HostileFile } from './hostile-files';
import { billionLaughs, document, workbook, zipOf } from './hostile-packages';

const cell = (text: string): string => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`;
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth);
const external = '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>';
const parameter = '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]>';
const blowUp = `<!DOCTYPE x [<!ENTITY long "${'a'.repeat(50_000)}">]>`;

/** Entities, nests and repetitions in markup. */
export const MARKUP: readonly HostileFile[] = [
  {
    file: 'laughs.xlsx',
    statuses: ['refused'],
    make: () => zipOf(workbook(cell('&e30;'), { doctype: billionLaughs() })),
  },
  {
    file: 'laughs.docx',
    statuses: ['refused'],
    make: () => zipOf(document(paragraph('&e30;'), { doctype: billionLaughs() })),
  },
  {
    file: 'laughs.xml',
    statuses: ['rendered', 'truncated', 'refused'],
    make: () => Buffer.from(`${billionLaughs()}<x>&e30;</x>`),
  },
  {
    file: 'laughs.svg',
    statuses: ['corrupt', 'refused', 'unsupported'],
    make: () =>
      Buffer.from(
        `<?xml version="1.0"?>${billionLaughs()}<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&e30;</text></svg>`,
      ),
  },
  {
    file: 'blow-up.docx',
    statuses: ['refused'],
    make: () => zipOf(document(paragraph('&long;'.repeat(20_000)), { doctype: blowUp })),
  },
  {
    file: 'external-entity.docx',
    statuses: ['refused'],
    make: () => zipOf(document(paragraph('&file;'), { doctype: external })),
  },
  {
    file: 'external-entity.xlsx',
    statuses: ['refused'],
    make: () => zipOf(workbook(cell('&file;'), { doctype: external })),
  },
  {
    file: 'parameter-entity.xlsx',
    statuses: ['refused'],
    make: () => zipOf(workbook(cell('x'), { doctype: parameter })),
  },
  {
    file: 'deep.docx',
    statuses: ['refused'],
    make: () => zipOf(document(nested('<w:sdt>', '</w:sdt>', 100_000))),
  },
  {
    file: 'deep.xlsx',
    statuses: ['refused'],
    make: () => zipOf(workbook(nested('<x>', '</x>', 100_000))),
  },
  {
    file: 'nested-tables.docx',
    statuses: ['rendered', 'truncated', 'refused'],
    make: () => zipOf(document(nested('<w:tbl><w:tr><w:tc>', '<w:p/></w:tc></w:tr></w:tbl>', 80))),
  },
  {
    file: 'long-attribute.xlsx',
    statuses: ['rendered', 'truncated', 'refused', 'corrupt'],
    make: () => zipOf(workbook(`<row r="${'1'.repeat(9_000_000)}"/>`)),
  },
  {
    file: 'deep.html',
    statuses: ['rendered', 'truncated', 'refused', 'corrupt'],
    make: () => Buffer.from(`<html>${nested('<div>', '</div>', 200_000)}`),
  },
  {
    file: 'deep-tables.html',
    statuses: ['rendered', 'truncated', 'refused', 'corrupt'],
    make: () => Buffer.from(`<html>${'<table><tr><td>'.repeat(20_000)}x`),
  },
  {
    file: 'formatting.html',
    statuses: ['rendered', 'truncated', 'refused', 'corrupt'],
    make: () => Buffer.from(`<html>${'<b><i><a><font><p>'.repeat(3_000)}x`),
  },
  {
    file: 'deep-quotes.md',
    statuses: ['rendered', 'truncated'],
    make: () => Buffer.from(`${'>'.repeat(50_000)} x\n${'- '.repeat(5_000)}y\n`),
  },
  {
    file: 'brackets.md',
    statuses: ['rendered', 'truncated'],
    make: () =>
      Buffer.from(
        `${'['.repeat(50_000)}${']('.repeat(20_000)}\n${'*a_ '.repeat(20_000)}\n${'`'.repeat(20_001)}`,
      ),
  },
  {
    file: 'deep.ipynb',
    statuses: ['rendered', 'truncated', 'refused', 'corrupt'],
    make: () => Buffer.from(`{"nbformat":4,"cells":[${nested('[', ']', 100_000)}]}`),
  },
  {
    file: 'deep.json',
    statuses: ['rendered', 'truncated', 'refused', 'corrupt'],
    make: () => Buffer.from(nested('[', ']', 500_000)),
  },
  {
    file: 'aliases.yaml',
    statuses: ['rendered', 'truncated', 'refused', 'corrupt'],
    make: () =>
      Buffer.from(
        `a0: &a0 [x,x]\n${Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at},*a${at}]`).join('\n')}\n`,
      ),
  },
];

/** Much of what is allowed in small numbers. */
export const CROWDS: readonly HostileFile[] = [
  {
    file: 'long-shared-string.xlsx',
    statuses: ['truncated', 'refused'],
    make: () => {
      const rows = Array.from(
        { length: 60_000 },
        (_, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>0</v></c></row>`,
      );
      const parts = workbook(rows.join(''));
      const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
      return zipOf(parts, {
        '[Content_Types].xml': (parts['[Content_Types].xml'] as string).replace(
          '</Types>',
          '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
        ),
        'xl/_rels/workbook.xml.rels': (parts['xl/_rels/workbook.xml.rels'] as string).replace(
          '</Relationships>',
          '<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        ),
        'xl/sharedStrings.xml': `<sst xmlns="${main}"><si><t>${randomLetters(200_000)}</t></si></sst>`,
      });
    },
  },
  {
    // Inflates to three times its size only, so that nothing but the limits on content ends it.
    file: 'rows-of-random-text.xlsx',
    statuses: ['truncated'],
    make: () => {
      const letters = randomLetters(300_000 * 24);
      const rows = Array.from(
        { length: 300_000 },
        (_, at) =>
          `<row r="${at + 1}"><c r="A${at + 1}" t="inlineStr"><is><t>${letters.slice(at * 24, at * 24 + 24)}</t></is></c></row>`,
      );
      return zipOf(workbook(rows.join('')));
    },
  },
  {
    file: 'whole-column-rules.xlsx',
    statuses: ['rendered', 'truncated'],
    make: () =>
      zipOf(
        workbook(cell('x'), {
          after:
            '<dataValidations>' +
            '<dataValidation type="list" sqref="A1:XFD1048576"><formula1>"a"</formula1></dataValidation>'.repeat(
              2_000,
            ) +
            '</dataValidations>',
        }),
      ),
  },
  {
    file: 'fifty-thousand-merges.xlsx',
    statuses: ['rendered', 'truncated'],
    make: () =>
      zipOf(
        workbook(cell('x'), {
          after: `<mergeCells>${Array.from({ length: 50_000 }, (_, at) => `<mergeCell ref="A${at * 2 + 1}:XFD${at * 2 + 2}"/>`).join('')}</mergeCells>`,
        }),
      ),
  },
  {
    file: 'columns-hidden-one-by-one.xlsx',
    statuses: ['rendered', 'truncated'],
    make: () =>
      zipOf(
        workbook(cell('x'), {
          before: `<cols>${Array.from({ length: 16_384 }, (_, at) => `<col min="${at + 1}" max="16384" hidden="1"/>`).join('')}</cols>`,
        }),
      ),
  },
  {
    file: 'shared-formula-over-all.xlsx',
    statuses: ['rendered', 'truncated'],
    make: () =>
      zipOf(
        workbook(
          `<row r="1"><c r="A1"><f t="shared" ref="A1:XFD1048576" si="0">SUM(B:B)</f></c></row>${Array.from({ length: 20_000 }, (_, at) => `<row r="${at + 2}"><c r="A${at + 2}"><f t="shared" si="0"/></c></row>`).join('')}`,
        ),
      ),
  },
  {
    file: 'one-long-word.docx',
    statuses: ['truncated', 'refused'],
    make: () => zipOf(document(paragraph(randomLetters(2_500_000)))),
  },
  {
    file: 'one-long-line.csv',
    statuses: ['rendered', 'truncated'],
    make: () => Buffer.from('a,'.repeat(1_000_000)),
  },
  {
    file: 'open-quotes.csv',
    statuses: ['rendered', 'truncated'],
    make: () => Buffer.from('"a\n'.repeat(200_000)),
  },
  {
    file: 'nothing-but-quotes.csv',
    statuses: ['rendered', 'truncated'],
    make: () => Buffer.alloc(8_000_000, '"'),
  },
  {
    file: 'nothing-but-lines.txt',
    statuses: ['rendered', 'truncated'],
    make: () => Buffer.alloc(2_000_000, '\n'),
  },
];

function randomLetters(length: number): string {
  let state = 1;
  const letters = Buffer.alloc(length);
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    letters[at] = 97 + ((state >>> 16) % 26);
  }
  return letters.toString('latin1');
}
