import { asUtf8, decodeXml, XmlDecoder } from '../../../../activities/evidence/render/xml-encoding';
import { textAt } from './support';
import { readBytes } from '../../../support/evidence';
import { rowsXml, workbookPackage } from '../../../support/workbook-package';

const XML = '<?xml version="1.0" encoding="UTF-16"?><a>预算 é</a>';
const little = (text: string): Buffer => Buffer.from(text, 'utf16le');
const big = (text: string): Buffer => little(text).swap16();

test.each([
  ['UTF-8', Buffer.from(XML.replace('16', '8'))],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${XML.replace('16', '8')}`)],
  ['little-endian UTF-16', little(`\ufeff${XML}`)],
  ['big-endian UTF-16', big(`\ufeff${XML}`)],
  ['little-endian UTF-16 without a mark', little(XML)],
  ['big-endian UTF-16 without a mark', big(XML)],
  ['UTF-8 that says it is UTF-16', Buffer.from(XML)],
])('%s is read, whole or byte by byte', (_name, bytes) => {
  expect(decodeXml('p.xml', bytes)).toMatch(/^<\?xml .*<a>预算 é<\/a>$/u);
  const decoder = new XmlDecoder('p.xml');
  let text = '';
  for (const byte of bytes) text += decoder.write(Buffer.from([byte]));
  expect(text + decoder.end()).toContain('<a>预算 é</a>');
  expect(asUtf8('p.xml', bytes).toString()).toContain('<a>预算 é</a>');
});

test('UTF-8 is given to other readers as it is, UTF-16 without its declaration', () => {
  const bytes = Buffer.from('<?xml version="1.0"?><a/>');
  expect(asUtf8('p.xml', bytes)).toBe(bytes);
  expect(asUtf8('p.xml', little(`\ufeff${XML}`)).toString()).toBe('<a>预算 é</a>');
});

test.each([
  ['ISO-8859-1', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a/>')],
  ['GB2312', Buffer.from("<?xml version='1.0' encoding = 'GB2312'?><a/>")],
  ['UTF-7', Buffer.from('<?xml version="1.0" encoding="UTF-7"?><a/>')],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0])],
  ['UTF-32', Buffer.from([0, 0, 0, 0x3c])],
])('%s is refused by its name', (name, bytes) => {
  expect(() => decodeXml('word/document.xml', bytes)).toThrow(
    `part word/document.xml is in ${name}`,
  );
});

test('what a text says of encodings behind its declaration means nothing', () => {
  const text = '<a>&lt;?xml encoding="GB2312"?&gt; <b encoding="GB2312"/></a>';
  expect(decodeXml('p.xml', Buffer.from(text))).toBe(text);
});

test('a sheet part in another encoding is a status with the true reason', async () => {
  const content = rowsXml([['words']]);
  const book = (encoding: string): Buffer =>
    workbookPackage({
      sheets: [
        {
          name: 'Data',
          isWhole: true,
          xml: `<?xml version="1.0" encoding="${encoding}"?><worksheet>${content}</worksheet>`,
        },
      ],
    });
  const { status, reason } = await readBytes('book.xlsx', book('windows-1252'));
  expect(status).toBe('unsupported');
  expect(reason).toContain('windows-1252');
  expect(textAt(await readBytes('book.xlsx', book('utf-8')), 'cells=Data!A1')).toEqual(['words']);
});
