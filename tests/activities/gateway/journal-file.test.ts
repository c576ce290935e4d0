import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  JournalFile,
  readJournal,
  readJournalBytes,
} from '../../../activities/gateway/journal-file';
import { type JournalFrame } from '../../../activities/gateway/journal-frames';

function frames(path: string): JournalFrame[] {
  const found: JournalFrame[] = [];
  readJournal(path, (frame) => found.push(frame));
  return found;
}

function blob(n: number): JournalFrame {
  return {
    t: 'blob',
    n,
    sha256: 'x'.repeat(64),
    value: { text: `nachricht ${n} 世界`, pad: 'p'.repeat(n * 7) },
  };
}

describe('the journal of an attempt', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'journal-'));
    path = join(folder, 'journal.bin');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(count: number): number[] {
    const journal = JournalFile.open(path, () => undefined);
    const ends: number[] = [];
    for (let n = 0; n < count; n++) {
      journal.append([blob(n)]);
      ends.push(statSync(path).size);
    }
    journal.close();
    return ends;
  }

  it('gives back what was appended', () => {
    write(5);
    expect(frames(path)).toEqual([0, 1, 2, 3, 4].map(blob));
    expect(frames(join(folder, 'absent.bin'))).toEqual([]);
  });

  it('loses nothing but the torn frame, wherever it is torn', () => {
    const ends = write(4);
    const whole = readFileSync(path);
    for (let size = 0; size <= whole.length; size += 3) {
      writeFileSync(path, whole.subarray(0, size));
      const kept = ends.filter((end) => end <= size).length;
      const journal = JournalFile.open(path, () => undefined);
      journal.append([blob(9)]);
      journal.close();
      expect(frames(path)).toEqual([...Array.from({ length: kept }, (_, n) => blob(n)), blob(9)]);
    }
  });

  it.each([
    ['zeros', Buffer.alloc(64)],
    ['a length beyond the file', Buffer.from([0xff, 0xff, 0, 0, 1, 2, 3, 4, 5])],
  ])('cuts off %s after the last whole frame', (_title, noise) => {
    const [, end] = write(2);
    appendFileSync(path, noise);
    JournalFile.open(path, () => undefined).close();
    expect(statSync(path).size).toBe(end);
  });

  it.each([
    ['a frame whose content was changed', 20],
    ['a frame whose length was changed', 3],
  ])('stops at %s, and notes what was lost, once', (_title, at) => {
    const [first, , end] = write(3);
    const bytes = readFileSync(path);
    bytes[first! + at] = bytes[first! + at]! ^ 0x40;
    writeFileSync(path, bytes);
    const noted = [blob(0), { t: 'damaged', bytes: end! - first! }];
    expect(frames(path)).toEqual(noted);
    expect(statSync(path).size).toBe(end);
    const seen: JournalFrame[] = [];
    const journal = JournalFile.open(path, (frame, place) => {
      seen.push(frame);
      if (frame.t === 'damaged') expect(place.offset).toBe(first);
    });
    journal.append([blob(9)]);
    journal.close();
    expect(seen).toEqual(noted);
    JournalFile.open(path, () => undefined).close();
    expect(frames(path)).toEqual([...noted, blob(9)]);
  });

  it('reads one frame again by its place', () => {
    const journal = JournalFile.open(path, () => undefined);
    const places = journal.append([blob(1), blob(2)]);
    expect(journal.read(places[1]!)).toEqual(blob(2));
    journal.close();
  });

  it('says why it could not write', () => {
    symlinkSync('/dev/full', path);
    const journal = JournalFile.open(path, () => undefined);
    expect(() => journal.append([blob(1)])).toThrow('ENOSPC');
    journal.close();
  });

  it('hands out parts that put together are the journal again', () => {
    write(6);
    truncateSync(path, statSync(path).size - 3);
    const parts: Uint8Array[] = [];
    let offset = 0;
    for (;;) {
      const { bytes, nextOffset } = readJournalBytes(path, offset, 100);
      if (bytes.length === 0) break;
      parts.push(bytes);
      offset = nextOffset;
    }
    expect(parts.length).toBeGreaterThan(2);
    const copy = join(folder, 'copy.bin');
    writeFileSync(copy, Buffer.concat(parts));
    expect(frames(copy)).toEqual([0, 1, 2, 3, 4].map(blob));
  });
});
