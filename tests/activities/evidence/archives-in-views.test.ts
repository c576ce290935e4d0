import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEvidence } from '../../../activities/evidence/evidence-reader';
import { type BuiltView, buildView } from '../../../activities/evidence/evidence-service';
import { createInProcessRenderer } from '../../../activities/evidence/in-process-renderer';
import { writeZip } from '../../../activities/evidence/render/zip-writer';
import { FileStore } from '../../../activities/store/file-store';

describe('what archives hold is evidence', () => {
  let folder: string;
  let store: FileStore;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'view-'));
    store = new FileStore(join(folder, 'store'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function viewOf(files: Readonly<Record<string, Uint8Array | string>>): Promise<BuiltView> {
    const listed = [];
    for (const [path, content] of Object.entries(files))
      listed.push({ path, ...(await store.putBlob('open', Buffer.from(content))) });
    return buildView(
      { store, renderer: createInProcessRenderer(), scratchDir: join(folder, 'scratch') },
      {
        task: { digest: 't', files: [] },
        deliverables: { v: 1, files: listed, refused: [], truncated: false, digest: 'd' },
      },
    );
  }

  const zip = (members: Readonly<Record<string, Uint8Array | string>>): Buffer =>
    writeZip(
      Object.entries(members).map(([name, content]) => ({ name, content: Buffer.from(content) })),
    );

  test('members are artifacts behind their archive, archives in archives too, to a depth', async () => {
    const deep = zip({ 'd.md': 'too deep' });
    const inner = zip({ 'c.md': 'inner', 'deep.zip': deep });
    const { view } = await viewOf({
      'a.zip': zip({ 'data/b.csv': 'x,y\n1,2\n', 'inner.zip': inner }),
      'z.md': 'last',
    });
    expect(view.entries.map(({ artifact }) => artifact)).toEqual([
      'results/a.zip',
      'results/a.zip//data/b.csv',
      'results/a.zip//inner.zip',
      'results/a.zip//inner.zip//c.md',
      'results/a.zip//inner.zip//deep.zip',
      'results/z.md',
    ]);
    const evidence = openEvidence(store, view);
    const place = { artifact: 'results/a.zip//data/b.csv', kind: 'lines', from: 2, to: 2 } as const;
    expect(await evidence.resolve(place)).toMatchObject({ text: '1,2', visibility: 'visible' });
    expect(Buffer.from(await evidence.original('results/a.zip//inner.zip//c.md'))).toEqual(
      Buffer.from('inner'),
    );
  });

  test('two hundred files of one origin are rendered, members among them', async () => {
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`${at}.md`, `${at}`]));
    const { view } = await viewOf({ '1.zip': zip(many), '2.zip': zip(many), '3.zip': zip(many) });
    const states = view.entries.map(({ rendered }) => rendered.status);
    expect(states.filter((status) => status === 'rendered')).toHaveLength(200);
    expect(states.filter((status) => status === 'refused')).toHaveLength(73);
  });

  test('a delivered folder cannot take the address of a member', async () => {
    const { view } = await viewOf({ 'a.zip': zip({ 'b.md': 'true' }), 'a.zip!/b.md': 'false' });
    expect(view.entries.map(({ artifact }) => artifact)).toEqual([
      'results/a.zip',
      'results/a.zip//b.md',
      'results/a.zip!/b.md',
    ]);
  });

  test('pictures of a text are the artifacts beside it, or missing', async () => {
    const { view } = await viewOf({
      'report/a.md': '![x](img/a%20b.png) ![y](../other.png?v=2) ![z](none.png)',
      'report/img/a b.png': 'no picture, but there',
      'other.png': 'too',
      'b.zip': zip({ 'in/c.md': '![q](../p.png)', 'p.png': 'x' }),
      'p.png': 'not this one',
    });
    const imagesOf = (name: string) =>
      view.entries.find(({ artifact }) => artifact === name)?.images;
    expect(imagesOf('results/report/a.md')).toEqual([
      { target: 'img/a%20b.png', artifact: 'results/report/img/a b.png' },
      { target: '../other.png?v=2', artifact: 'results/other.png' },
      { target: 'none.png' },
    ]);
    expect(imagesOf('results/b.zip//in/c.md')).toEqual([
      { target: '../p.png', artifact: 'results/b.zip//p.png' },
    ]);
  });

  test('code is named by its language', async () => {
    const { view } = await viewOf({ 'a.py': 'x = 1', Makefile: 'all:', 'b.txt': 'x' });
    expect(view.entries.map(({ language }) => language)).toEqual(['Python', 'Make', undefined]);
  });
});
