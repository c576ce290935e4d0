import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Rendering } from '../../../../activities/evidence/render/rendering';
import { RESULT_FILE, writeResult } from '../../../../activities/evidence/render/write-result';
import { outputOf } from '../../../../activities/evidence/renderer-output';

describe('the record that a renderer leaves', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'result-'));
    await writeFile(join(folder, 'source'), 'source');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('stays under what its readers take, whatever a file fills it with', async () => {
    const rendering = new Rendering('archive');
    const long = '\u0001'.repeat(60_000);
    for (let at = 0; at < 200; at++) rendering.warn(`${at}${long}`);
    rendering.facts['sections'] = long;
    rendering.facts['encoding'] = 'utf-8';
    for (let at = 0; at < 20; at++) {
      rendering.addText({ kind: 'member', member: `${at}${long}` }, 'x', { cause: 'metadata' });
      rendering.members.push({ path: `${at}${long}`, content: Buffer.from('x') });
    }
    rendering.addLocalImage(long);
    await writeResult({ rendering, status: 'rendered' }, join(folder, 'source'), folder);
    expect((await readFile(join(folder, RESULT_FILE))).length).toBeLessThan(1024 * 1024);
    expect(await outputOf(folder)).toMatchObject({
      status: 'rendered',
      facts: { encoding: 'utf-8' },
      hidden: [{ cause: 'metadata', count: 20, places: [] }],
    });
  });
});
