import { decodeText } from '../../../../activities/evidence/render/decode-text';

const chinese = '科室人次费用合计,内科十二人';

/** Bytes of short texts in encodings that Node cannot write. */
const BYTES: readonly (readonly [string, string, string])[] = [
  ['gb18030', 'bfc6cad2c8cbb4cebacdbcc6', '科室人次和计'],
  ['big5', 'acecabc7a448a6b8a658ad70', '科室人次合計'],
  ['shift_jis', '93fa967b8cea82cc95b68e9a', '日本語の文字'],
  ['euc-kr', 'c7d1b1b9beeeb9aec0e5c0d4b4cfb4d9', '한국어문장입니다'],
];

test('UTF-8 with and without a mark, UTF-16 both ways', () => {
  expect(decodeText(Buffer.from(chinese))).toEqual({
    text: chinese,
    encoding: 'utf-8',
    replacements: 0,
  });
  expect(decodeText(Buffer.from(`\ufeff${chinese}`)).text).toBe(chinese);
  expect(decodeText(Buffer.from(`\ufeff${chinese}`, 'utf16le'))).toMatchObject({
    text: chinese,
    encoding: 'utf-16le',
  });
  const plain = Buffer.from('plain western words', 'utf16le');
  expect(decodeText(plain)).toMatchObject({ text: 'plain western words', encoding: 'utf-16le' });
  expect(decodeText(plain.swap16())).toMatchObject({ encoding: 'utf-16be' });
});

test.each(BYTES)('%s is told by its common characters', (encoding, hex, text) => {
  const decoded = decodeText(Buffer.from(hex, 'hex'));
  expect(decoded.encoding).toBe(encoding);
  if (text !== '') expect(decoded.text).toBe(text);
  expect(decoded.replacements).toBe(0);
});

test('a stray byte in UTF-8 does not change the encoding', () => {
  const decoded = decodeText(
    Buffer.concat([Buffer.from(chinese), Buffer.from([0xff]), Buffer.from(chinese)]),
  );
  expect(decoded).toMatchObject({ encoding: 'utf-8', replacements: 1 });
});

test('western bytes are windows-1252', () => {
  expect(decodeText(Buffer.from('Caf\xe9 cost \x805', 'latin1'))).toMatchObject({
    text: 'Café cost €5',
    encoding: 'windows-1252',
  });
});
