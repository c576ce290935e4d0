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
    decidedBy: 'valid UTF-8',
  });
  expect(decodeText(Buffer.from(`\ufeff${chinese}`)).text).toBe(chinese);
  expect(decodeText(Buffer.from(`\ufeff${chinese}`, 'utf16le'))).toMatchObject({
    text: chinese,
    encoding: 'utf-16le',
    decidedBy: 'byte order mark',
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

/** Longer texts of one-byte encodings, as a program of that country writes them. */
const SINGLE_BYTES: readonly (readonly [string, string, string])[] = [
  [
    'windows-1251',
    'cef2f7b8f220efee20eff0eee4e0e6e0ec20e7e020f2f0e5f2e8e920eae2e0f0f2e0eb',
    'Отчёт по продажам за третий квартал',
  ],
  [
    'koi8-r',
    'efd4dea3d420d0cf20d0d2cfc4c1d6c1cd20dac120d4d2c5d4c9ca20cbd7c1d2d4c1cc',
    'Отчёт по продажам за третий квартал',
  ],
  [
    'windows-1253',
    'c1ede1f6eff1dc20f0f9ebdef3e5f9ed20e3e9e120f4ef20f4f1dff4ef20f4f1dfece7edef',
    'Αναφορά πωλήσεων για το τρίτο τρίμηνο',
  ],
  [
    'windows-1250',
    '5a61bff3b3e62067ea9c6cb9206a619ff13a206b7369b9bf6b61206d61206279e6207ab36f746120692072f3bf6f7761',
    'Zażółć gęślą jaźń: książka ma być złota i różowa',
  ],
];

test.each(SINGLE_BYTES)('%s is told by how its letters stand', (encoding, hex, text) => {
  const decoded = decodeText(Buffer.from(hex, 'hex'));
  expect(decoded).toEqual({ text, encoding, decidedBy: 'letter statistics', replacements: 0 });
});

test('a French text stays windows-1252', () => {
  const text =
    "Le r\xe9sum\xe9 de l'ann\xe9e pass\xe9e \xe0 la fa\xe7on fran\xe7aise, tr\xe8s pr\xe9cis\xe9ment";
  expect(decodeText(Buffer.from(text, 'latin1'))).toMatchObject({
    encoding: 'windows-1252',
    decidedBy: 'no other encoding fits',
  });
});
