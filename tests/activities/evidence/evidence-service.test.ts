import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEvidence, openEvidenceByKey } from '../../../activities/evidence/evidence-reader';
import { buildView } from '../../../activities/evidence/evidence-service';
import { createInProcessRenderer } from '../../../activities/evidence/in-process-renderer';
import { type Renderer } from '../../../activities/evidence/port';
import { RenderingsUnderWay } from '../../../activities/evidence/renderings-under-way';
import { FileStore } from '../../../activities/store/file-store';
import { Failure } from '../../../core/failure';
import { type FileReference } from '../../../core/task';
import { waitUntil } from '../../support/wait-until';

describe('building and reading a view', () => {
  let folder: string;
  let store: FileStore;
  let rendered: string[];
  let renderer: Renderer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'view-'));
    store = new FileStore(join(folder, 'store'));
    rendered = [];
    const inner = createInProcessRenderer();
    renderer = {
      recipe: inner.recipe,
      render: async (job) => {
        rendered.push(job.format);
        return inner.render(job);
      },
    };
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = async (path: string, content: string): Promise<FileReference> => ({
    path,
    ...(await store.putBlob('open', Buffer.from(content))),
  });
  const manifest = (files: FileReference[], digest = 'd1') => ({
    v: 1 as const,
    files,
    refused: [{ path: 'pipe', reason: 'a special file' }],
    truncated: false,
    digest,
  });
  const deps = () => ({ store, renderer, scratchDir: join(folder, 'scratch') });

  test('deliverables and inputs are entries under their address; what could not be taken is kept', async () => {
    const files = [await put('报告.md', '# 结论\n\n通过'), await put('data.csv', 'a,b\n1,2\n')];
    const { view, viewKey } = await buildView(deps(), {
      task: { digest: 't1', files: [await put('query/task.md', 'Do it.')] },
      deliverables: manifest(files),
    });
    expect(view.entries.map(({ artifact, origin }) => [artifact, origin])).toEqual([
      ['results/报告.md', 'deliverable'],
      ['results/data.csv', 'deliverable'],
      ['inputs/query/task.md', 'input'],
    ]);
    expect(view.refused).toEqual([{ path: 'pipe', reason: 'a special file' }]);
    const evidence = await openEvidenceByKey(store, viewKey);
    expect((await evidence.segments('results/报告.md')).map(({ text }) => text)).toEqual([
      '# 结论',
      '通过',
    ]);
    const place = { artifact: 'results/报告.md', kind: 'lines', from: 3, to: 3 } as const;
    expect((await evidence.segments('results/报告.md'))[1]?.locator).toEqual(place);
    expect(await evidence.resolve(place)).toMatchObject({ text: '通过' });
    expect(Buffer.from(await evidence.original('results/data.csv')).toString()).toBe('a,b\n1,2\n');
    expect(await readdir(join(folder, 'scratch'))).toEqual([]);
  });

  test('the same content is rendered once, whatever run it comes from', async () => {
    const input = await put('in.md', 'input');
    const task = { digest: 't1', files: [input] };
    await buildView(deps(), { task, deliverables: manifest([await put('a.md', 'one')], 'd1') });
    await buildView(deps(), { task, deliverables: manifest([await put('b.md', 'one')], 'd2') });
    await buildView(deps(), { task, deliverables: manifest([await put('b.md', 'one')], 'd2') });
    expect(rendered).toEqual(['markdown', 'markdown']);
  });

  test('runs that begin together wait for one rendering of what they share', async () => {
    const input = await put('in.md', 'input');
    const underWay = new RenderingsUnderWay();
    const views = await Promise.all(
      ['d1', 'd2', 'd3'].map(async (digest) =>
        buildView(
          { ...deps(), underWay },
          { task: { digest: 't1', files: [input] }, deliverables: manifest([], digest) },
        ),
      ),
    );
    expect(rendered).toEqual(['markdown']);
    const [first, ...others] = views.map(({ view }) => view.entries);
    for (const other of others) expect(other).toEqual(first);
  });

  test('a rendering that fails or is stopped is not the failure of those who waited for it', async () => {
    const input = await put('in.md', 'input');
    const task = { digest: 't1', files: [input] };
    const underWay = new RenderingsUnderWay();
    const stop = new AbortController();
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const inner = renderer;
    let calls = 0;
    renderer = {
      ...inner,
      render: (job) => {
        calls++;
        if (calls > 1) return inner.render(job);
        begun();
        return new Promise((_, reject) => {
          job.signal?.addEventListener('abort', () => reject(new Error('stopped')));
        });
      },
    };
    const stopped = buildView(
      { ...deps(), underWay },
      { task, deliverables: manifest([], 'd1'), signal: stop.signal },
    ).catch((error: unknown) => error);
    await isBegun;
    const waiting = buildView({ ...deps(), underWay }, { task, deliverables: manifest([], 'd2') });
    stop.abort();
    expect(await stopped).toMatchObject({ message: 'stopped' });
    expect((await waiting).view.entries[0]?.rendered.status).toBe('rendered');
    expect(calls).toBe(2);
  });

  test('of two workers that need the same file at once, one renders it and the other waits', async () => {
    const input = await put('in.md', 'input');
    const leaseTimings = { beatMs: 50, pollMs: 5, silentPolls: 100_000 };
    const worker = (number: number): Renderer => ({
      recipe: renderer.recipe,
      render: async (job) => ({ ...(await renderer.render(job)), facts: { worker: number } }),
    });
    const views = await Promise.all(
      [1, 2, 3].map((number) =>
        buildView(
          { ...deps(), renderer: worker(number), leaseTimings },
          { task: { digest: 't1', files: [input] }, deliverables: manifest([], `d${number}`) },
        ),
      ),
    );
    expect(rendered).toEqual(['markdown']);
    const [first, ...others] = views.map(({ view }) => view.entries);
    for (const other of others) expect(other).toEqual(first);
  });

  test('a quick renderer claims nothing', async () => {
    const quick = { ...deps(), renderer: createInProcessRenderer() };
    const deliverables = manifest([await put('a.md', 'a')]);
    await buildView(quick, { task: { digest: 't', files: [] }, deliverables });
    for await (const key of store.list('sealed/evidence/claims/')) throw new Error(key);
  });

  test('two at a time', async () => {
    let open = 0;
    let most = 0;
    const slow: Renderer = {
      recipe: renderer.recipe,
      render: async (job) => {
        most = Math.max(most, ++open);
        // The first one stays for a second one, and both for a third that must not come.
        await waitUntil(() => most >= 2);
        await new Promise((resolve) => setTimeout(resolve, 10));
        const result = await renderer.render(job);
        open--;
        return result;
      },
    };
    const files = await Promise.all([1, 2, 3, 4, 5].map((n) => put(`${n}.md`, `text ${n}`)));
    await buildView(
      { ...deps(), renderer: slow },
      { task: { digest: 't', files: [] }, deliverables: manifest(files) },
    );
    expect(most).toBe(2);
  });

  test('ten thousand deliverables fit: the first ones are rendered, the others listed or counted', async () => {
    const file = await put('x.md', 'x');
    const files = Array.from({ length: 10_000 }, (_, n) => ({ ...file, path: `f${n}.md` }));
    const { view } = await buildView(deps(), {
      task: { digest: 't', files: [] },
      deliverables: manifest(files),
    });
    expect(view.entries).toHaveLength(1_000);
    expect(view.entries[200]?.rendered).toMatchObject({
      status: 'refused',
      reason: 'only the first 200 files are rendered',
    });
    expect(view.refused.at(-1)?.reason).toBe('9000 more files are not listed');
  });

  test('a stopped activity renders no further file', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    const work = buildView(deps(), {
      task: { digest: 't', files: [] },
      deliverables: manifest([await put('a.md', 'a')]),
      signal: stop.signal,
    });
    await expect(work).rejects.toThrow('stopped');
    expect(rendered).toEqual([]);
  });

  test('unknown artifacts and views', async () => {
    const { view } = await buildView(deps(), {
      task: { digest: 't', files: [] },
      deliverables: manifest([]),
    });
    const evidence = openEvidence(store, view);
    expect(await evidence.segments('results/none.md')).toEqual([]);
    expect(await evidence.workbook('results/none.md')).toBeUndefined();
    expect(await evidence.pageImage('results/none.md', 1)).toBeUndefined();
    await expect(evidence.original('results/none.md')).rejects.toBeInstanceOf(Failure);
    await expect(openEvidenceByKey(store, 'sealed/evidence/a/b/c/view.json')).rejects.toThrow(
      'no evidence view',
    );
  });
});
