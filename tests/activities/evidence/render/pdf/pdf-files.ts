import {
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFString,
  StandardFonts,
  TextRenderingMode,
  beginText,
  endText,
  rgb,
  setFontAndSize,
  setTextMatrix,
  setTextRenderingMode,
  showText,
} from 'pdf-lib';
import sharp from 'sharp';

const A4: [number, number] = [595, 842];

/** A file with one feature of each kind that this project reads. */
export async function featureFile(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage(A4);
  const draw = (text: string, y: number, options = {}): void =>
    page.drawText(text, { x: 60, y, size: 11, font, ...options });
  draw('Visible heading', 790);
  draw('Concealed by colour', 770, { color: rgb(1, 1, 1) });
  draw('Minute letters here', 750, { size: 1 });
  await coverWords(document, page, font);
  drawInvisibly(page, font, 'Spoken in silence', 650);
  page.drawText('Beyond the margin', { x: -400, y: 400, size: 11, font });
  addForm(document, page);
  addAnnotations(document, page);
  await document.attach(Buffer.from('a,b\n1,2\n'), 'figures.csv', { description: 'the figures' });
  addOutline(document, page);
  document.setTitle('Features');
  document.catalog.set(
    PDFName.of('OpenAction'),
    document.context.obj({ S: 'JavaScript', JS: PDFString.of('app.alert(1)') }),
  );
  return document.save({ useObjectStreams: false });
}

async function coverWords(
  document: PDFDocument,
  page: PDFPage,
  font: Awaited<ReturnType<PDFDocument['embedFont']>>,
): Promise<void> {
  const noise = await sharp({
    create: {
      width: 300,
      height: 60,
      channels: 3,
      background: '#777',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer();
  const image = await document.embedPng(noise);
  page.drawText('Buried under a picture', { x: 70, y: 705, size: 11, font });
  page.drawImage(image, { x: 60, y: 690, width: 300, height: 40 });
  page.drawText('Printed on a picture', { x: 200, y: 705, size: 11, font, color: rgb(1, 1, 0) });
}

function drawInvisibly(
  page: PDFPage,
  font: Awaited<ReturnType<PDFDocument['embedFont']>>,
  text: string,
  y: number,
): void {
  const key = page.node.newFontDictionary(font.name, font.ref);
  page.pushOperators(
    beginText(),
    setFontAndSize(key, 11),
    setTextRenderingMode(TextRenderingMode.Invisible),
    setTextMatrix(1, 0, 0, 1, 60, y),
    showText(font.encodeText(text)),
    endText(),
  );
}

function addForm(document: PDFDocument, page: PDFPage): void {
  const form = document.getForm();
  const name = form.createTextField('applicant.name');
  name.setText('Li Hua');
  name.addToPage(page, { x: 60, y: 560, width: 200, height: 20 });
  const agreed = form.createCheckBox('agreed');
  agreed.addToPage(page, { x: 60, y: 530, width: 12, height: 12 });
  agreed.check();
  const risk = form.createDropdown('risk');
  risk.setOptions(['High', 'Low']);
  risk.select('Low');
  risk.addToPage(page, { x: 60, y: 500, width: 100, height: 20 });
}

function addAnnotations(document: PDFDocument, page: PDFPage): void {
  const { context } = document;
  const note = (fields: Record<string, unknown>) =>
    context.register(
      context.obj({ Type: 'Annot', Rect: [300, 300, 320, 320], ...fields } as Parameters<
        typeof context.obj
      >[0]),
    );
  const annotations = [
    note({
      Subtype: 'Text',
      Contents: PDFString.of('Please check the sum'),
      T: PDFString.of('Ann'),
    }),
    note({ Subtype: 'Text', Contents: PDFString.of('Nobody sees this'), F: 2 }),
    note({
      Subtype: 'FreeText',
      Rect: [300, 400, 500, 440],
      Contents: PDFString.of('Written across'),
      DA: PDFString.of('/Helv 11 Tf 0 g'),
    }),
    note({ Subtype: 'Link', A: { S: 'URI', URI: PDFString.of('https://example.org/source') } }),
    note({ Subtype: 'Link', A: { S: 'Launch', F: PDFString.of('calc.exe') } }),
  ];
  const known = page.node.Annots();
  for (const annotation of annotations)
    if (known) known.push(annotation);
    else page.node.addAnnot(annotation);
}

function addOutline(document: PDFDocument, page: PDFPage): void {
  const { context } = document;
  const [root, first, inner] = [context.nextRef(), context.nextRef(), context.nextRef()];
  const dest = [page.ref, PDFName.of('Fit')];
  context.assign(
    inner,
    context.obj({ Title: PDFString.of('Part one'), Parent: first, Dest: dest }),
  );
  // The last one points to itself: an endless list.
  context.assign(
    first,
    context.obj({
      Title: PDFString.of('Overview'),
      Parent: root,
      First: inner,
      Last: inner,
      Next: first,
      Dest: dest,
    }),
  );
  context.assign(root, context.obj({ Type: 'Outlines', First: first, Last: first, Count: 2 }));
  document.catalog.set(PDFName.of('Outlines'), root);
}

/** Words on a layer that is off, beside words on one that is on. */
export async function layeredFile(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage(A4);
  const { context } = document;
  const layer = (title: string) =>
    context.register(context.obj({ Type: 'OCG', Name: PDFString.of(title) }));
  const [shown, hidden] = [layer('Plan'), layer('Secret')];
  document.catalog.set(
    PDFName.of('OCProperties'),
    context.obj({ OCGs: [shown, hidden], D: { ON: [shown], OFF: [hidden] } }),
  );
  const key = page.node.newFontDictionary(font.name, font.ref);
  page.node
    .normalizedEntries()
    .Resources.set(PDFName.of('Properties'), context.obj({ L1: shown, L2: hidden }));
  const content = [
    ['L1', 'Shown layer words', 700],
    ['L2', 'Switched off words', 680],
  ]
    .map(
      ([tag, text, y]) =>
        `/OC /${String(tag)} BDC BT ${key.toString()} 11 Tf 1 0 0 1 60 ${String(y)} Tm (${String(text)}) Tj ET EMC`,
    )
    .join('\n');
  page.node.addContentStream(context.register(context.flateStream(content)));
  return document.save({ useObjectStreams: false });
}

/** `pages` pages of running text; the last line of one of them is white. */
export async function longFile(
  pages: number,
  linesOfPage = 45,
  whitePage?: number,
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= pages; number++) {
    const page = document.addPage(A4);
    for (let line = 1; line <= linesOfPage; line++)
      page.drawText(
        `Page ${number} line ${line} the quick brown fox jumps over the lazy dog 1,234.50 again`,
        { x: 50, y: 800 - line * 16, size: 11, font },
      );
    if (number === whitePage)
      page.drawText('whitewords', { x: 50, y: 60, size: 11, font, color: rgb(1, 1, 1) });
  }
  return document.save();
}

/** Two columns of text, drawn one after the other, and a table. */
export async function columnsFile(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage(A4);
  const draw = (text: string, x: number, y: number): void =>
    page.drawText(text, { x, y, size: 10, font });
  for (const [side, x] of [
    ['left', 50],
    ['right', 320],
  ] as const)
    for (let line = 1; line <= 12; line++)
      draw(`${side} column line ${line} runs on`, x, 800 - line * 14);
  [
    ['Item', 'Qty', 'Price'],
    ['Bolt', '12', '1.50'],
    ['Nut', '7', '0.25'],
    ['Washer', '100', '0.05'],
  ].forEach((row, at) =>
    row.forEach((cell, column) => draw(cell, 60 + column * 150, 500 - at * 14)),
  );
  return document.save();
}

/** A page of the given size in points. */
export async function hugePage(width: number, height: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  document
    .addPage([width, height])
    .drawText('Vast', { x: width / 2, y: height / 2, size: 300, font });
  return document.save();
}

/** A page cut to its left half, with words on either side of the cut. */
export async function croppedFile(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage(A4);
  page.drawText('Kept words', { x: 60, y: 700, size: 11, font });
  page.drawText('Cropped words', { x: 400, y: 700, size: 11, font });
  page.node.set(
    PDFName.of('CropBox'),
    document.context.obj([0, 0, 300, 842].map((each) => PDFNumber.of(each))),
  );
  return document.save();
}

/** A page with marked words, a link on words, a field that shows another value than it has, a picture; a page of shapes. */
export async function markedFile(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage(A4);
  page.drawText('Clause 7: within 30 days', { x: 60, y: 700, size: 12, font });
  page.drawText('read the terms', { x: 60, y: 600, size: 12, font });
  const { context } = document;
  const annotate = (fields: Record<string, unknown>): void =>
    page.node.addAnnot(context.register(context.obj(fields as Parameters<typeof context.obj>[0])));
  const days = font.widthOfTextAtSize('Clause 7: within ', 12) + 60;
  const corners = [days, 712, 300, 712, days, 697, 300, 697];
  annotate({
    ...{ Type: 'Annot', Subtype: 'StrikeOut', Rect: [days, 697, 300, 712], QuadPoints: corners },
    ...{ Contents: PDFString.of('too short'), T: PDFString.of('Ann') },
  });
  annotate({
    ...{ Type: 'Annot', Subtype: 'Link', Rect: [58, 596, 145, 614] },
    A: { S: 'URI', URI: PDFString.of('https://example.org/terms') },
  });
  const form = document.getForm();
  const field = form.createTextField('total');
  field.setText('1200');
  field.addToPage(page, { x: 60, y: 500, width: 120, height: 24, font });
  form.updateFieldAppearances(font);
  // What the page shows stays as it is.
  field.acroField.dict.set(PDFName.of('V'), PDFString.of('9900'));
  const pixels = await sharp({
    create: { width: 200, height: 100, channels: 3, background: 'red' },
  })
    .png()
    .toBuffer();
  const picture = await document.embedPng(pixels);
  page.drawImage(picture, { x: 60, y: 200, width: 144, height: 72 });
  page.drawImage(picture, { x: 300, y: 200, width: 5, height: 5 });
  const shapes = document.addPage([300, 120]);
  for (const [index, bars] of ['111', '101', '111'].entries())
    for (const [column, bar] of Array.from(bars).entries())
      if (bar === '1')
        shapes.drawRectangle({ x: 20 + column * 20, y: 20 + index * 25, width: 12, height: 22 });
  return document.save({ useObjectStreams: false });
}
