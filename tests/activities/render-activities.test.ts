import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInProcessRenderer } from '../../activities/evidence/in-process-renderer';
import { openEvidenceByKey } from '../../activities/evidence/evidence-reader';
import { type Renderer } from '../../activities/evidence/port';
import { createPlanCache } from '../../activities/plan-cache';
import { createRenderActivities } from '../../activities/render-activities';
import { FileStore } from '../../activities/store/file-store';
import { type RenderEvidenceResult, type RunReference } from '../../core/activity-contract';
import { Failure } from '../../core/failure';
import { canonicalJson, storeKeys } from '../../core/ids';
import { type RunResult } from '../../core/run';
import { storedRun } from './judge/stored-run';

let folder: string;
let store: FileStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'render-activities-'));
  store = new FileStore(join(folder, 'store'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A second generation of the stored run, whose deliverable is really in the store. */
async function deliveredRun(): Promise<RunReference> {
  const { run } = await storedRun(store);
  const file = {
    path: 'report.md',
    ...(await store.putBlob('open', Buffer.from('The total is 12.'))),
  };
  const first = await store.getRecord(storeKeys.result(run.runKey, 1));
  const result = JSON.parse(Buffer.from(first ?? '').toString()) as RunResult;
  const deliverables = { ...result.deliverables, files: [file] };
  await store.putRecord(
    storeKeys.result(run.runKey, 2),
    canonicalJson({ ...result, generation: 2, deliverables }),
  );
  return { ...run, generation: 2 };
}

function renderEvidence(renderer: Renderer, run: RunReference) {
  const { renderEvidence: activity } = createRenderActivities({
    store,
    plans: createPlanCache(store),
    rendererFor: () => renderer,
    scratchDir: join(folder, 'scratch'),
  });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  return environment.run<[{ run: RunReference }], RenderEvidenceResult, typeof activity>(activity, {
    run,
  });
}

test('renders what the run delivered and returns references only', async () => {
  const run = await deliveredRun();
  const result = await renderEvidence(createInProcessRenderer(), run);
  expect(result.deliverableCount).toBe(1);
  const evidence = await openEvidenceByKey(store, result.viewKey);
  expect((await evidence.segments('results/report.md')).map(({ text }) => text)).toEqual([
    'The total is 12.',
  ]);
  expect((await evidence.segments('inputs/query/task.md'))[0]?.text).toContain('Write a report');
});

test("a renderer of another version than the plan's is refused", async () => {
  const run = await deliveredRun();
  const other: Renderer = { ...createInProcessRenderer(), recipe: 'another' };
  await expect(renderEvidence(other, run)).rejects.toMatchObject({
    type: 'ConfigMissing',
    nonRetryable: true,
    message: expect.stringContaining('has the renderer r, this worker has another') as string,
  });
});

test('a run without a result names the record that is absent', async () => {
  const run = await deliveredRun();
  await expect(
    renderEvidence(createInProcessRenderer(), { ...run, generation: 3 }),
  ).rejects.toMatchObject({
    type: 'InvalidInput',
    message: expect.stringContaining('g3/result.json') as string,
  });
});

test('trouble of the container is retried, not recorded', async () => {
  const run = await deliveredRun();
  const away: Renderer = {
    recipe: 'r',
    render: () => Promise.reject(new Failure('RenderUnavailable', 'no daemon')),
  };
  await expect(renderEvidence(away, run)).rejects.toMatchObject({
    type: 'RenderUnavailable',
    nonRetryable: false,
  });
  for await (const key of store.list('sealed/evidence/'))
    // That the work was claimed, and given up, is no result of it.
    if (!key.startsWith('sealed/evidence/claims/')) throw new Error(`recorded ${key}`);
});
