import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPackage } from '../../../../activities/evidence/render/package';
import { relationshipsOf } from '../../../../activities/evidence/render/relationships';
import { withoutLinks } from '../../../../activities/evidence/render/without-links';
import { type RelatedPart, paragraph, shape, slidePackage } from './pptx/slide-package';

describe('the copy of a file that is drawn', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'links-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function drawn(parts: readonly RelatedPart[]): Promise<{ path: string; left: string[] }> {
    const source = join(folder, 'source');
    await writeFile(source, slidePackage([{ shapes: shape(paragraph('words')), parts }]));
    const opened = await openPackage(source);
    const path = await withoutLinks(source, opened, folder).finally(() => opened.close());
    const copy = await openPackage(path);
    try {
      const relations = await relationshipsOf(copy, 'ppt/slides/slide1.xml');
      return { path, left: relations.map(({ type, target }) => `${type} ${target}`) };
    } finally {
      copy.close();
    }
  }

  const inside = { id: 'rId2', type: 'image', target: '/ppt/media/a.png', content: 'picture' };
  const link = { id: 'rId3', type: 'hyperlink', target: 'https://example.org/?a=1&amp;b=2' };

  test('has no pictures, objects or templates from outside; the rest stays', async () => {
    const { path, left } = await drawn([
      inside,
      link,
      { id: 'rId4', type: 'image', target: 'file:///etc/passwd' },
      { id: 'rId5', type: 'oleObject', target: 'http://127.0.0.1/x' },
      { id: 'rId6', type: 'attachedTemplate', target: 'http://127.0.0.1/y' },
    ]);
    expect(path).toBe(join(folder, 'without-links'));
    expect(left).toEqual(['image ppt/media/a.png', 'hyperlink https://example.org/?a=1&b=2']);
  });

  test('is the file itself where nothing is linked', async () => {
    expect((await drawn([inside])).path).toBe(join(folder, 'source'));
  });
});
