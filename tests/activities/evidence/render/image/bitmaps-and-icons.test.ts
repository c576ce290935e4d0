import sharp from 'sharp';
import { readBytes } from '../../../../support/evidence';

const RED = [0, 0, 255, 0];
const BLUE = [255, 0, 0, 0];

/** A header of 40 bytes with what follows it, and the palette red, blue. */
function dib(of: {
  width: number;
  height: number;
  bits: number;
  compression?: number;
  masks?: number[];
  palette?: number[];
  data: number[];
}): Buffer {
  const { masks = [], palette = [] } = of;
  const header = Buffer.alloc(40 + masks.length * 4);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(of.width, 4);
  header.writeInt32LE(of.height, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(of.bits, 14);
  header.writeUInt32LE(of.compression ?? 0, 16);
  header.writeUInt32LE(palette.length / 4, 32);
  masks.forEach((mask, index) => header.writeUInt32LE(mask, 40 + index * 4));
  return Buffer.concat([header, Buffer.from(palette), Buffer.from(of.data)]);
}

function bmp(content: Buffer, dataAt: number): Buffer {
  const header = Buffer.alloc(14);
  header.write('BM');
  header.writeUInt32LE(14 + content.length, 2);
  header.writeUInt32LE(14 + dataAt, 10);
  return Buffer.concat([header, content]);
}

function icon(pictures: readonly { size: number; bits: number; content: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + pictures.length * 16);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let from = head.length;
  pictures.forEach(({ size, bits, content }, index) => {
    const at = 6 + index * 16;
    head[at] = head[at + 1] = size % 256;
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(bits, at + 6);
    head.writeUInt32LE(content.length, at + 8);
    head.writeUInt32LE(from, at + 12);
    from += content.length;
  });
  return Buffer.concat([head, ...pictures.map(({ content }) => content)]);
}

type Read = Awaited<ReturnType<typeof readBytes>>;

/** What stands at a place of the page: `red`, `blue`, `white` or its numbers. */
async function colorAt({ rendering }: Read, column: number, line: number): Promise<string> {
  const { data, info } = await sharp(rendering.pages[0]?.jpeg)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (line * info.width + column) * info.channels;
  const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
  const [high, low] = [(value: number) => value > 190, (value: number) => value < 60];
  if (high(red) && low(green) && low(blue)) return 'red';
  if (low(red) && low(green) && high(blue)) return 'blue';
  return high(red) && high(green) && high(blue) ? 'white' : `${red} ${green} ${blue}`;
}

/** The two halves of a picture of 32 by 32. */
async function halves(read: Read): Promise<string> {
  return `${await colorAt(read, 16, 4)} above ${await colorAt(read, 16, 27)}`;
}

const repeated = (count: number, bytes: number[]): number[] =>
  Array.from({ length: count }, () => bytes).flat();

describe('bitmaps packed in runs', () => {
  const palette = [...RED, ...BLUE];
  const size = { width: 32, height: 32, palette };

  test('of eight bits: runs, plain stretches, steps', async () => {
    const lower = [...repeated(15, [32, 1, 0, 0]), 0, 32, ...repeated(32, [1]), 0, 0];
    const upper = [...repeated(15, [16, 0, 16, 0, 0, 0]), 0, 2, 0, 1, 0, 1];
    const content = dib({ ...size, bits: 8, compression: 1, data: [...lower, ...upper] });
    const read = await readBytes('a.bmp', bmp(content, 48));
    expect(read).toMatchObject({ status: 'rendered' });
    expect(await halves(read)).toBe('red above blue');
  });

  test('of four bits: two indices in turn', async () => {
    const data = [...repeated(16, [32, 0x11, 0, 0]), ...repeated(16, [0, 4, 0, 0, 28, 0, 0, 0])];
    const content = dib({ ...size, bits: 4, compression: 2, data: [...data, 0, 1] });
    const read = await readBytes('a.bmp', bmp(content, 48));
    expect(read).toMatchObject({ status: 'rendered' });
    expect(await halves(read)).toBe('red above blue');
  });

  test('one that ends early is shown as far as it goes, and says so', async () => {
    const data = repeated(16, [32, 1, 0, 0]);
    const content = dib({ ...size, bits: 8, compression: 1, data });
    const read = await readBytes('a.bmp', bmp(content, 48));
    expect(read).toMatchObject({
      status: 'truncated',
      reason: 'the picture ends before its last line',
    });
    expect(await halves(read)).toBe('red above blue');
  });

  test('runs and steps beyond the picture write nothing', async () => {
    const data = [255, 1, 255, 1, 0, 2, 255, 255, 255, 1, 0, 2, 0, 255, 255, 1];
    const content = dib({ ...size, bits: 8, compression: 1, data });
    expect((await readBytes('a.bmp', bmp(content, 48))).rendering.pages).toHaveLength(1);
  });
});

describe('bitmaps of other forms', () => {
  test.each([
    ['five bits a color', 0, [], [0x00, 0x7c], [0x1f, 0x00]],
    ['masks of its own', 3, [0xf800, 0x07e0, 0x001f], [0x00, 0xf8], [0x1f, 0x00]],
  ])('of 16 bits, %s', async (_, compression, masks, red, blue) => {
    const data = [...repeated(512, blue), ...repeated(512, red)];
    const content = dib({ width: 32, height: 32, bits: 16, compression, masks, data });
    const read = await readBytes('a.bmp', bmp(content, 40 + masks.length * 4));
    expect(await halves(read)).toBe('red above blue');
  });

  test('with the short header of OS/2', async () => {
    const header = Buffer.alloc(12);
    [12, 0, 32, 32, 1, 1].forEach((value, index) => header.writeUInt16LE(value, index * 2));
    const lines = [...repeated(16, [255, 255, 255, 255]), ...repeated(16, [0, 0, 0, 0])];
    const content = Buffer.concat([header, Buffer.from([0, 0, 255, 255, 0, 0, ...lines])]);
    expect(await halves(await readBytes('a.bmp', bmp(content, 18)))).toBe('red above blue');
  });

  test('a form that is not decoded says what to do', async () => {
    const content = dib({ width: 4, height: 4, bits: 0, compression: 11, data: [1, 2, 3, 4] });
    expect(await readBytes('a.bmp', bmp(content, 40))).toMatchObject({
      status: 'unsupported',
      reason: 'a bitmap of 0 bits with compression 11, which is not decoded: save it as PNG',
    });
  });

  test.each([
    ['jpeg', 4],
    ['png', 5],
  ] as const)('with a %s in the place of its pixels', async (format, compression) => {
    const picture = await sharp({
      create: { width: 30, height: 20, channels: 3, background: 'red' },
    })
      .toFormat(format)
      .toBuffer();
    const content = dib({ width: 30, height: 20, bits: 0, compression, data: [...picture] });
    const { status, rendering } = await readBytes('a.bmp', bmp(content, 40));
    expect(status).toBe('rendered');
    expect(rendering.facts['imageFormat']).toBe('bmp');
    expect(rendering.pages).toMatchObject([{ widthPixels: 30, heightPixels: 20 }]);
  });

  test('with other bytes than the picture that its header names', async () => {
    const content = dib({ width: 4, height: 4, bits: 0, compression: 5, data: [1, 2, 3, 4] });
    expect(await readBytes('a.bmp', bmp(content, 40))).toMatchObject({
      status: 'corrupt',
      reason: 'the picture is not packed as its header says',
    });
  });
});

describe('icons', () => {
  const small = {
    size: 16,
    bits: 24,
    content: dib({ width: 16, height: 32, bits: 24, data: repeated(16 * 16, [255, 0, 0]) }),
  };
  const half = (upper: number[], lower: number[]): number[] => [
    ...repeated(512, lower),
    ...repeated(512, upper),
  ];

  test('the largest picture is shown, all sizes are named', async () => {
    const png = await sharp({ create: { width: 256, height: 256, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const read = await readBytes('a.ico', icon([small, { size: 256, bits: 32, content: png }]));
    expect(read).toMatchObject({ status: 'rendered' });
    expect(read.rendering.facts).toMatchObject({
      imageFormat: 'icon',
      pictureSizes: '256 x 256, 16 x 16',
    });
    expect(read.rendering.pages).toMatchObject([{ widthPixels: 256, heightPixels: 256 }]);
    expect(await colorAt(read, 128, 128)).toBe('red');
  });

  test('what the mask or the opacity takes out is white', async () => {
    const mask = [...repeated(16, [0, 0, 0, 0]), ...repeated(16, [255, 255, 255, 255])];
    const masked = dib({
      ...{ width: 32, height: 64, bits: 24 },
      data: [...half([0, 0, 255], [255, 0, 0]), ...mask],
    });
    const clear = dib({
      ...{ width: 32, height: 64, bits: 32 },
      data: [...half([0, 0, 255, 0], [255, 0, 0, 255]), ...repeated(128, [0])],
    });
    for (const [bits, content] of [
      [24, masked],
      [32, clear],
    ] as const) {
      const read = await readBytes('a.ico', icon([{ size: 32, bits, content }]));
      expect(await halves(read)).toBe('white above blue');
    }
  });

  test('a broken picture is left out for the next one; one of nothing else is broken', async () => {
    const broken = { size: 64, bits: 24, content: small.content.subarray(0, 60) };
    const read = await readBytes('a.ico', icon([small, broken]));
    expect(read).toMatchObject({
      status: 'truncated',
      reason: 'a picture of the icon is left out: the picture ends before its last line',
    });
    expect(await colorAt(read, 8, 8)).toBe('blue');
    const beyond = icon([small]).subarray(0, 100);
    expect(await readBytes('b.ico', beyond)).toMatchObject({
      status: 'corrupt',
      reason: 'the icon holds no whole picture',
    });
  });

  test('a picture that claims more than it may have is refused', async () => {
    const content = dib({ width: 20_000, height: 40_000, bits: 1, data: [0, 0, 0, 0] });
    expect(await readBytes('a.ico', icon([{ size: 255, bits: 1, content }]))).toMatchObject({
      status: 'refused',
      reason: 'over 50000000 pixels',
    });
  });
});
