import { type LocatedFile, type Marker, committedCorpus } from '../../scripts/corpus/listing';
import { type ReadFile, faultsOf } from '../../scripts/corpus/markers';
import { readInProcess } from './support/read-in-process';

/** A file with markers in cells, seen and hidden. */
const FILE = committedCorpus().find(({ file }) => file === 'hidden-sheets.xlsx');

describe('what is wrong with a view is found', () => {
  let file: LocatedFile;
  let read: ReadFile;
  let marker: Marker;
  beforeAll(async () => {
    if (!FILE) throw new Error('the corpus has no hidden-sheets.xlsx');
    file = FILE;
    ({ read } = await readInProcess(file));
    marker = { text: 'none', locator: 'file', ...file.markers[0] };
  });
  const withMarkers = (...markers: Marker[]): LocatedFile => ({ ...file, counts: {}, markers });

  test('nothing is wrong with it as it is', async () => {
    expect(await faultsOf(file, read)).toEqual([]);
  });

  test('a word that is nowhere', async () => {
    const faults = await faultsOf(withMarkers({ ...marker, text: 'MKNOWHERE' }), read);
    expect(faults).toEqual([expect.stringContaining('0 times')]);
  });

  test('another place, and another visibility', async () => {
    const moved = { ...marker, locator: 'cells=Shown!B9' };
    expect(await faultsOf(withMarkers(moved), read)).toEqual([
      expect.stringContaining('expected at'),
    ]);
    const hidden = { ...marker, visibility: 'hidden' as const };
    expect(await faultsOf(withMarkers(hidden), read)).toEqual([expect.stringContaining('visible')]);
  });

  test('a word that is there twice', async () => {
    const twice = { ...read, segments: [...read.segments, ...read.segments] };
    expect(await faultsOf(withMarkers(marker), twice)).toEqual([
      expect.stringContaining('2 times'),
    ]);
  });

  test('a locator that leads nowhere', async () => {
    const lost: ReadFile = { ...read, resolve: async () => undefined };
    expect(await faultsOf(withMarkers(marker), lost)).toContainEqual(
      expect.stringContaining('does not resolve'),
    );
  });

  test('a count', async () => {
    const counted = { ...withMarkers(), counts: { sheets: 4 } };
    expect(await faultsOf(counted, read)).toEqual(['sheets: 3 counted, 4 are there']);
  });
});
