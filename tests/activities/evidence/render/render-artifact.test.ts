import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { evidenceFixture, readBytes, readFixture } from '../../../support/evidence';

describe('hostile and broken files end as a status with a reason', () => {
  test.each([
    ['bomb.xlsx', 'refused', 'entry xl/media/padding.bin inflates 1029-fold, over 200'],
    ['doctype.xlsx', 'refused', 'part xl/worksheets/sheet1.xml declares a DOCTYPE'],
    ['escape.xlsx', 'refused', 'the package names files outside itself'],
  ])('%s is %s', async (name, status, reason) => {
    const result = await readFixture(name);
    expect(result).toMatchObject({ status, reason: expect.stringContaining(reason) as string });
  });

  test('a truncated package is corrupt', async () => {
    const whole = await readFile(evidenceFixture('stock.xlsx'));
    expect(await readBytes('cut.xlsx', whole.subarray(0, 4000))).toMatchObject({
      status: 'corrupt',
      reason: expect.stringContaining('not a readable zip package') as string,
    });
  });

  test('an office file with a password is encrypted, one of an unknown kind unsupported', async () => {
    const compound = Buffer.alloc(4096);
    Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(compound);
    expect(await readBytes('old.xls', compound)).toMatchObject({ status: 'unsupported' });
    Buffer.from('EncryptedPackage', 'utf16le').copy(compound, 1024);
    expect(await readBytes('locked.xlsx', compound)).toMatchObject({ status: 'encrypted' });
  });

  test('empty: an office file is corrupt, a text is a text', async () => {
    expect(await readBytes('a.xlsx', new Uint8Array())).toMatchObject({ status: 'corrupt' });
    const { status, rendering } = await readBytes('a.md', new Uint8Array());
    expect([status, rendering.counts['lines']]).toEqual(['rendered', 0]);
    expect(rendering.warnings).toEqual(['the file is empty']);
  });

  test('a picture of too many pixels is refused, a broken one corrupt', async () => {
    const header = await sharp({
      create: { width: 8, height: 8, channels: 3, background: 'red' },
    })
      .png()
      .toBuffer();
    const huge = Buffer.from(header);
    huge.writeUInt32BE(20_000, 16);
    huge.writeUInt32BE(20_000, 20);
    expect(['refused', 'corrupt']).toContain((await readBytes('a.png', huge)).status);
    expect(await readBytes('b.png', header.subarray(0, 40))).toMatchObject({ status: 'corrupt' });
  });
});

describe('the content decides, not the name', () => {
  test('a workbook named .docx is read as a workbook, and that is said', async () => {
    const { rendering } = await readBytes('a.docx', await readFile(evidenceFixture('stale.xlsx')));
    expect(rendering.format).toBe('xlsx');
    expect(rendering.facts['namedAs']).toBe('docx');
    expect(rendering.warnings).toContain('the name says docx, the content is xlsx');
  });

  test('text named .xlsx is text', async () => {
    const { rendering, status } = await readBytes('a.xlsx', Buffer.from('just words\n'));
    expect([rendering.format, status]).toEqual(['text', 'rendered']);
  });

  test('what we cannot read is listed with the reason', async () => {
    const program = await readBytes('a.bin', Buffer.alloc(128, '\u007fELF\u0001\u0000', 'latin1'));
    expect(program).toMatchObject({
      status: 'unsupported',
      reason: 'a program; only its bytes are kept',
    });
    const binary = await readBytes(
      'model.bin',
      Buffer.alloc(4096, '\u0001\u0002\u0000\u00ff', 'latin1'),
    );
    expect(binary).toMatchObject({ status: 'unsupported' });
    expect(binary.rendering.format).toBe('other');
  });

  test('a text that speaks of PDFs stays a text', async () => {
    const { status, rendering } = await readBytes(
      'a.md',
      Buffer.from('A PDF begins with %PDF-1.7.'),
    );
    expect(status).toBe('rendered');
    expect(rendering.segments.map(({ text }) => text)).toEqual(['A PDF begins with %PDF-1.7.']);
  });

  test('a PDF needs programs that this process does not have', async () => {
    expect(await readFixture('summary.pdf')).toMatchObject({
      status: 'unsupported',
      reason: 'this format needs the renderer container',
    });
  });
});

describe('texts', () => {
  test('a GBK table is decoded, with delimiter and size as facts', async () => {
    const { rendering, status } = await readFixture('gbk.csv');
    expect(status).toBe('rendered');
    expect(rendering.facts).toEqual({
      encoding: 'gb18030',
      encodingBy: 'letter statistics',
      delimiter: ',',
    });
    expect(rendering.counts).toMatchObject({ rows: 4, columns: 3, lines: 4 });
    expect(rendering.segments[1]).toEqual({
      locator: { artifact: '', kind: 'lines', from: 2, to: 2 },
      text: '内科,12,"1,234.50"',
      visibility: 'visible',
    });
  });

  test('lines keep their numbers over empty ones', async () => {
    const { rendering } = await readFixture('report.md');
    expect(rendering.format).toBe('markdown');
    expect(rendering.segments.at(-1)).toMatchObject({
      text: 'All counted.',
      locator: { kind: 'lines', from: 8, to: 8 },
    });
  });

  test('bytes that are no text have a view with replacements', async () => {
    const { rendering, status } = await readBytes('a.txt', Buffer.from([0xff, 0x00]));
    expect(status).toBe('rendered');
    expect(rendering.segments[0]?.text).toBe('ÿ\u2400');
  });

  test('invisible characters are counted', async () => {
    const { rendering } = await readBytes('a.txt', Buffer.from('plain\u200b \u{e0041}text'));
    expect(rendering.counts['invisibleCharacters']).toBe(2);
  });

  test('text of many bytes is cut and said', async () => {
    const { reason } = await readBytes(
      'a.txt',
      Buffer.from(`${'word'.repeat(1000)}\n`.repeat(600)),
    );
    expect(reason).toContain('text beyond 2097152 bytes');
  });

  test('text beyond the limit is cut and said', async () => {
    const { rendering, status, reason } = await readBytes(
      'a.txt',
      Buffer.from('word\n'.repeat(700_000)),
    );
    expect([status, rendering.facts['textTruncated']]).toEqual(['truncated', true]);
    expect(reason).toContain('text beyond 250000 pieces');
    expect(rendering.counts['lines']).toBe(700_000);
  });
});

test('pictures become page 1, upright and bounded', async () => {
  const wide = await sharp({ create: { width: 4000, height: 100, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { rendering, status } = await readBytes('a.png', wide);
  expect(status).toBe('rendered');
  expect(rendering.counts).toMatchObject({ widthPixels: 4000, heightPixels: 100 });
  expect(rendering.pages).toMatchObject([{ page: 1, widthPixels: 2000, heightPixels: 50 }]);
});

test('the same file gives the same text, byte by byte', async () => {
  const texts = await Promise.all(
    [1, 2].map(async () => JSON.stringify((await readFixture('memo.docx')).rendering.segments)),
  );
  expect(texts[0]).toBe(texts[1]);
});
