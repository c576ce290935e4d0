import { TarSplitter } from '../../../../../activities/evidence/render/archive/tar-splitter';
import { tarball } from './tarball';

const LIMITS = { memberBytes: 1_000, totalBytes: 1_500, streamBytes: 100_000 };

function pax(name: string): { name: string; content: Buffer; type: string } {
  const body = ` path=${name}\n`;
  const bytes = Buffer.byteLength(body);
  const length = [1, 2, 3, 4]
    .map((digits) => bytes + digits)
    .find((total) => `${total}`.length + bytes === total);
  return { name: 'pax', content: Buffer.from(`${length ?? 0}${body}`), type: 'x' };
}

const members = [
  { name: 'a', content: Buffer.from('one') },
  { name: 'dir/', content: Buffer.alloc(0), type: '5' },
  pax(`深/${'长'.repeat(60)}\nwith a line end.csv`),
  { name: 'short', content: Buffer.alloc(600, 'b') },
  { name: 'huge', content: Buffer.alloc(1_001) },
  { name: 'empty', content: Buffer.alloc(0) },
  { name: 'beyond', content: Buffer.alloc(900) },
  { name: 'last', content: Buffer.alloc(512, 'c') },
];

test.each([1, 7, 512, 100_000])('a stream in pieces of %i bytes', (size) => {
  const whole = tarball(members);
  const splitter = new TarSplitter(LIMITS);
  for (let at = 0; at < whole.length; at += size)
    expect(splitter.push(whole.subarray(at, at + size))).toBe(true);
  expect(splitter.members.map(({ name, content, index }) => [name, content.length, index])).toEqual(
    [
      ['a', 3, 0],
      [`深/${'长'.repeat(60)}\nwith a line end.csv`, 600, 2],
      ['empty', 0, 4],
      ['last', 512, 6],
    ],
  );
  expect(splitter.members.at(-1)?.content.every((byte) => byte === 'c'.charCodeAt(0))).toBe(true);
});

test('a stream that is too long is not wanted any more', () => {
  const splitter = new TarSplitter({ ...LIMITS, streamBytes: 2_000 });
  const whole = tarball([{ name: 'huge', content: Buffer.alloc(5_000) }]);
  expect([splitter.push(whole.subarray(0, 1_000)), splitter.push(whole.subarray(1_000))]).toEqual([
    true,
    false,
  ]);
  expect(splitter.members).toEqual([]);
});
