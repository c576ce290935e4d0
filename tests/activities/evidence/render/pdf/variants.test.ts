import {
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from 'pdf-lib';
import { inflateSync } from 'node:zlib';
import {
  dropText,
  isOutside,
  revealAll,
} from '../../../../../activities/evidence/render/pdf/variants';
import { CHECKED_PAGES, rangesOf } from '../../../../../activities/evidence/render/pdf/visibility';
import { croppedFile, featureFile, layeredFile } from './pdf-files';

function contents(document: PDFDocument): string {
  return document.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => {
      if (!(object instanceof PDFRawStream)) return [];
      if (object.dict.get(PDFName.of('Subtype')) === PDFName.of('Image')) return [];
      const isFlate = object.dict.get(PDFName.of('Filter')) === PDFName.of('FlateDecode');
      const bytes = Buffer.from(object.contents);
      return [(isFlate ? inflateSync(bytes) : bytes).toString('latin1')];
    })
    .join('\n');
}

test('a copy without text shows none and draws its pictures', async () => {
  const document = await PDFDocument.load(await featureFile(), { updateMetadata: false });
  expect(contents(document)).toMatch(/ Tj\b/u);
  expect(dropText(document)).toBe(0);
  const silent = contents(document);
  expect(silent).not.toMatch(/\bT[jJ]\b/u);
  expect(silent).toMatch(/\bDo\b/u);
  // Still a file that others can read.
  expect((await PDFDocument.load(await document.save())).getPageCount()).toBe(1);
});

test('remarks and fields that viewers give a look themselves have no words in it', async () => {
  const document = await PDFDocument.create();
  const page = document.addPage();
  const { context } = document;
  const look = context.register(context.flateStream('', { Subtype: 'Form' }));
  const annotation = (fields: Parameters<PDFContext['register']>[0]): PDFRef => {
    const ref = context.register(fields);
    page.node.addAnnot(ref);
    return ref;
  };
  const words = PDFString.of('words');
  const bare = annotation(context.obj({ Subtype: 'FreeText', Contents: words }));
  const drawn = annotation(context.obj({ Subtype: 'FreeText', Contents: words, AP: { N: look } }));
  const remark = annotation(context.obj({ Subtype: 'Text', Contents: words }));
  const parent = context.register(context.obj({ FT: 'Tx', V: words }));
  const field = annotation(context.obj({ Subtype: 'Widget', Parent: parent }));
  dropText(document);
  const has = (ref: PDFRef, key: string): boolean =>
    context.lookup(ref, PDFDict).has(PDFName.of(key));
  expect([bare, drawn, remark].map((ref) => has(ref, 'Contents'))).toEqual([false, true, true]);
  expect([has(field, 'Parent'), has(parent, 'V')]).toEqual([true, false]);
});

test('all pages are looked at, a hundred at once, up to the last that can be', () => {
  expect(rangesOf(0)).toEqual([]);
  expect(rangesOf(100)).toEqual([{ first: 1, last: 100 }]);
  expect(rangesOf(101)).toEqual([
    { first: 1, last: 100 },
    { first: 101, last: 101 },
  ]);
  expect(rangesOf(1_000_000).at(-1)).toEqual({ first: 901, last: CHECKED_PAGES });
});

test('a stream that inflates without end is left alone', async () => {
  const document = await PDFDocument.create();
  document.addPage();
  document.context.register(document.context.flateStream(Buffer.alloc(40 * 1024 * 1024)));
  const copy = await PDFDocument.load(await document.save(), { updateMetadata: false });
  expect(dropText(copy)).toBe(1);
});

test('a copy that shows all has no layers, and the page that was cropped in its middle', async () => {
  const layered = await PDFDocument.load(await layeredFile(), { updateMetadata: false });
  revealAll(layered);
  expect(layered.catalog.has(PDFName.of('OCProperties'))).toBe(false);
  const cropped = await PDFDocument.load(await croppedFile(), { updateMetadata: false });
  const [box] = revealAll(cropped).boxes;
  expect(box).toEqual({ left: 0, bottom: 0, width: 300, height: 842 });
  const word = { left: 14_400 + 400, right: 14_400 + 450, top: 14_400, bottom: 14_410 };
  expect(box && isOutside(word, box)).toBe(true);
  expect(box && isOutside({ ...word, left: 14_400 + 290 }, box)).toBe(false);
});
