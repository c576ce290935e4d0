import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildReader, createChildReader } from '../../scripts/corpus/read-in-children';
import {
  BOMBS,
  EMPTY_FILES,
  type HostileFile,
  PATH_TRICKS,
  PICTURES,
} from './support/hostile-files';
import { BITMAPS, EMBEDDED } from './support/hostile-embedded';
import { CROWDS, MARKUP } from './support/hostile-markup';

const TIMEOUT_MS = 60_000;
/** The renderer container's memory; the reading process has the renderer's heap limit. */
const MEMORY_BYTES = 1024 ** 3;

describe('files made to exhaust or to escape the reader', () => {
  let folder: string;
  let reader: ChildReader;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hostile-'));
    reader = createChildReader();
  });
  afterAll(async () => {
    reader.close();
    await rm(folder, { recursive: true, force: true });
  });

  const groups: Readonly<Record<string, readonly HostileFile[]>> = {
    bombs: BOMBS,
    markup: MARKUP,
    crowds: CROWDS,
    pictures: PICTURES,
    'bitmaps and icons': BITMAPS,
    'files within files': EMBEDDED,
    'path tricks': PATH_TRICKS,
    'empty files': EMPTY_FILES,
  };
  describe.each(Object.entries(groups))('%s', (_group, files) => {
    test.each(files.map((file) => [file.file, file] as const))(
      '%s',
      async (name, { make, statuses }) => {
        const path = join(folder, 'source');
        await writeFile(path, make());
        const file = { file: name, path, generator: '', status: 'rendered', markers: [] } as const;
        const { status, reason, peakBytes } = await reader.read(file);
        expect(`${statuses.includes(status) ? 'listed' : 'not listed'}: ${status} ${reason}`).toBe(
          `listed: ${status} ${reason}`,
        );
        expect(peakBytes).toBeLessThan(MEMORY_BYTES);
      },
      TIMEOUT_MS,
    );
  });
});
