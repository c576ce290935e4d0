import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { readBytes } from '../../../../support/evidence';
import { printed } from '../support';

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } });

test('a turned photo stands upright, its size is what a viewer shows', async () => {
  const jpeg = await plain(40, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const { rendering } = await readBytes('a.jpg', jpeg);
  expect(rendering.counts).toMatchObject({ widthPixels: 20, heightPixels: 40 });
  expect(rendering.facts).toMatchObject({ imageFormat: 'jpeg', orientation: 6 });
  expect(rendering.pages).toMatchObject([{ page: 1, widthPixels: 20, heightPixels: 40 }]);
});

test.each(['webp', 'tiff', 'avif', 'gif'] as const)('%s', async (format) => {
  const bytes = await plain(30, 20).toFormat(format).toBuffer();
  const { status, rendering } = await readBytes(`a.${format}`, bytes);
  expect(status).toBe('rendered');
  expect(rendering.facts['imageFormat']).toBe(format);
  expect(rendering.pages).toMatchObject([{ widthPixels: 30, heightPixels: 20 }]);
});

async function animation(frames: number): Promise<Buffer> {
  const raw = Buffer.concat(Array.from({ length: frames }, (_, at) => Buffer.alloc(300, at * 10)));
  return sharp(raw, { raw: { width: 10, height: 10 * frames, channels: 3, pageHeight: 10 } })
    .gif()
    .toBuffer();
}

test('the frames of an animation are pages; of a long one some from its beginning to its end', async () => {
  const { rendering } = await readBytes('a.gif', await animation(2));
  expect(rendering.counts).toMatchObject({ frames: 2, widthPixels: 10, heightPixels: 10 });
  expect(rendering.pages).toMatchObject([{ source: 'frame 1' }, { source: 'frame 2' }]);
  const brightness = await Promise.all(
    rendering.pages.map(async ({ jpeg }) => (await sharp(jpeg).raw().toBuffer())[0]),
  );
  expect(brightness[0]).toBeLessThan(brightness[1] ?? 0);

  const long = await readBytes('a.gif', await animation(20));
  expect(long.rendering.counts).toMatchObject({ frames: 20, pages: 8 });
  expect(long.rendering.pages.map(({ source }) => source)).toEqual(
    [1, 4, 6, 9, 12, 15, 17, 20].map((frame) => `frame ${frame}`),
  );
  expect(long.rendering.warnings).toEqual(['an animation of 20 frames: 8 of them are shown']);
});

test('a PNG that moves says so', async () => {
  const png = await plain(30, 20).png().toBuffer();
  const control = Buffer.alloc(20);
  control.writeUInt32BE(8, 0);
  control.write('acTL', 4, 'latin1');
  control.writeUInt32BE(3, 8);
  control.writeUInt32BE(crc32(control.subarray(4, 16)), 16);
  // Behind the header's chunk.
  const moving = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
  const { rendering } = await readBytes('a.png', moving);
  expect(rendering.counts).toMatchObject({ frames: 3, pages: 1 });
  expect(rendering.warnings).toEqual(['an animation of 3 frames: the first one is shown']);
});

test.each([
  [24, 0],
  [32, 0],
  [8, 2],
  [1, 2],
])('a bitmap of %i bits', async (bits, colors) => {
  const { status, rendering } = await readBytes('a.bmp', bitmap(32, 32, bits, colors));
  expect(status).toBe('rendered');
  expect(rendering.facts['imageFormat']).toBe('bmp');
  const { data } = await sharp(rendering.pages[0]?.jpeg)
    .raw()
    .toBuffer({ resolveWithObject: true });
  // The file has its lines from the bottom up: red above, blue below.
  expect(data[0]).toBeGreaterThan(200);
  expect(data[2]).toBeLessThan(60);
  expect(data.at(-1)).toBeGreaterThan(200);
});

test('a bitmap that promises more than it has, or too much', async () => {
  const cut = bitmap(2, 2, 24, 0).subarray(0, 60);
  expect(await readBytes('a.bmp', cut)).toMatchObject({ status: 'corrupt' });
  const huge = bitmap(2, 2, 24, 0);
  huge.writeInt32LE(20_000, 18);
  huge.writeInt32LE(20_000, 22);
  expect(await readBytes('b.bmp', huge)).toMatchObject({
    status: 'refused',
    reason: 'over 50000000 pixels',
  });
});

describe('drawings', () => {
  const svg = (inner: string, head = '') =>
    Buffer.from(
      `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="60" height="30">${inner}</svg>`,
    );

  test('are drawn, with their words', async () => {
    const doctype =
      '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
    const result = await readBytes(
      'a.svg',
      svg(
        '<title>t</title><text x="1" y="9">销售 <tspan>12</tspan></text><text style="display:none">not seen</text>',
        doctype,
      ),
    );
    expect(result).toMatchObject({ status: 'rendered' });
    expect(printed(result)).toEqual([
      'paragraph=alt:1-1 [alternative-text] | t',
      'page=1&lines=1-1 | 销售 12',
      'page=1&lines=2-2 [hidden-text] | not seen',
    ]);
    expect(result.rendering.pages).toMatchObject([{ widthPixels: 60, heightPixels: 30 }]);
  });

  test('load nothing: a picture from elsewhere is named and leaves its place empty', async () => {
    const inner = ['file:///work/secret.png', 'http://127.0.0.1:9/a.png']
      .map((href) => `<image width="60" height="30" xlink:href="${href}"/>`)
      .join('');
    const { rendering } = await readBytes('a.svg', svg(inner));
    expect(rendering.warnings).toContain('refers to file:///work/secret.png, which is not loaded');
    const { channels } = await sharp(rendering.pages[0]?.jpeg).stats();
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255]);
  });

  test('cannot fill the record with what they refer to', async () => {
    const many = Array.from(
      { length: 5_000 },
      (_, at) => `<image href="${at}${'x'.repeat(900)}"/>`,
    );
    const { rendering } = await readBytes('a.svg', svg(many.join('')));
    expect(rendering.warnings.length).toBeLessThanOrEqual(101);
    expect(rendering.warnings.at(-1)).toBe('and more of the kind');
  });

  test('with entities are refused', async () => {
    const bomb = svg('<text>&a;</text>', '<!DOCTYPE svg [<!ENTITY a "boom">]>');
    expect(await readBytes('a.svg', bomb)).toMatchObject({
      status: 'refused',
      reason: 'the drawing declares entities of its own',
    });
  });

  test('of too many pixels are refused', async () => {
    const huge = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><rect/></svg>',
    );
    expect(await readBytes('a.svg', huge)).toMatchObject({ status: 'refused' });
  });
});

test('a HEIC picture needs a program of the container', async () => {
  const heic = Buffer.concat([Buffer.from('\0\0\0\u0018ftypheic', 'latin1'), Buffer.alloc(200)]);
  expect(await readBytes('a.heic', heic)).toMatchObject({
    status: 'unsupported',
    reason: 'this format needs the renderer container',
  });
});

/** Red lines above blue ones. */
function bitmap(width: number, height: number, bits: number, colors: number): Buffer {
  const stride = Math.ceil((width * bits) / 32) * 4;
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(54 + colors * 4 + stride * height, 2);
  header.writeUInt32LE(54 + colors * 4, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  const palette = Buffer.from(colors === 0 ? [] : [0, 0, 255, 0, 255, 0, 0, 0]);
  const rows = Array.from({ length: height }, (_, fromBottom) => {
    const isRed = fromBottom >= height / 2;
    const row = Buffer.alloc(stride);
    for (let column = 0; column < width; column++) {
      if (bits >= 24) row.set(isRed ? [0, 0, 255] : [255, 0, 0], (column * bits) / 8);
      else if (bits === 8) row[column] = isRed ? 0 : 1;
      else if (!isRed) row[column >> 3] = 0xff;
    }
    return row;
  });
  return Buffer.concat([header, palette, ...rows]);
}

test('a drawing of nothing but DOCTYPEs is refused in no time', async () => {
  const bytes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg">${'<!DOCTYPE'.repeat(400_000)}`,
  );
  expect(await readBytes('a.svg', bytes)).toMatchObject({ status: 'refused' });
});
