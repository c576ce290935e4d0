import { fitRecord } from '../../../activities/evidence/fit-record';
import { type ArtifactEntry } from '../../../core/evidence-view';
import { evidenceOf } from '../../support/evidence';

function entryOf(name: string, pages: number): ArtifactEntry {
  const image = { sha256: 'a'.repeat(64), bytes: 1, widthPixels: 1, heightPixels: 1 };
  const rendered = {
    pages: Array.from({ length: pages }, (_, at) => ({ page: at + 1, ...image })),
  };
  const [entry] = evidenceOf({ [`results/${name}`]: { rendered } }).view.entries;
  if (!entry) throw new Error('no entry');
  return entry;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test('what fits stays as it is', () => {
  const entries = [entryOf('a.pdf', 3), entryOf('b.pdf', 2)];
  expect(fitRecord(entries)).toEqual({ entries, leftOut: 0 });
});

test('page images go first, and the entry says so', () => {
  const entries = [entryOf('a.pdf', 3), entryOf('b.pdf', 60), entryOf('c.pdf', 1)];
  const { entries: fitted, leftOut } = fitRecord(entries, 3_000);
  expect(leftOut).toBe(0);
  expect(fitted.map(({ rendered }) => rendered.pages.length)).toEqual([3, 0, 1]);
  expect(fitted[1]?.rendered).toMatchObject({
    status: 'truncated',
    warnings: [expect.stringContaining('page images are left out')],
  });
  expect(bytesOf(fitted)).toBeLessThan(3_000);
});

test('long names: entries beyond the record are counted', () => {
  const entries = Array.from({ length: 1_000 }, (_, n) =>
    entryOf(`${'名'.repeat(1_000)}${n}.md`, 0),
  );
  const { entries: fitted, leftOut } = fitRecord(entries);
  expect(fitted.length + leftOut).toBe(1_000);
  expect(leftOut).toBeGreaterThan(0);
  expect(bytesOf(fitted)).toBeLessThan(1024 * 1024);
});
