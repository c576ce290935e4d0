import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ConfigurationError } from '../../config/configuration-error';
import { runKey, runKeyParts, storeKeys } from '../../core/ids';
import { type RunResult } from '../../core/run';
import { readJson } from '../../activities/read-json';
import { SweepService } from '../../activities/sweep-activities';
import { explainRun } from '../../workers/explain-run';
import { importSubmission } from '../../workers/import-submission';
import { listSubmissions } from '../../workers/plan-submissions';
import { runDetails } from '../../workers/run-details';
import { findRun } from '../../workers/find-run';
import { StoredSweep } from '../support/stored-sweep';
import { SYSTEM_YAML } from '../support/submission-folder';
import { newFolder, type TestFolder } from '../support/task-folder';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

let sweep: StoredSweep;
let folder: TestFolder;
beforeEach(() => {
  sweep = new StoredSweep();
  folder = newFolder({
    'system.yaml': SYSTEM_YAML,
    'one/r1/report.md': 'The total is 42; the largest number is 22.\n',
    'one/r2/report.md': 'The total is 41.\n',
    'two/r1/report.md': 'x\n',
    'two/r2/report.md': 'x\n',
  });
});
afterEach(() => {
  sweep.remove();
  folder.remove();
});

const bring = (name = 'acme') =>
  importSubmission(sweep.store, {
    folder: folder.path,
    name,
    tasks: [join(sweep.folder.path, 'tasks/*')],
  });

async function messageOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ type: 'InvalidInput' });
  return (error as Error).message;
}

/** A plan of the submission alone. */
async function plan(lines: Readonly<Record<string, string | undefined>> = {}) {
  sweep.writeSweep({ submissions: '[acme]', ...lines });
  return sweep.build();
}

describe('importSubmission', () => {
  it('is idempotent, and never changes what was imported', async () => {
    const first = await bring();
    expect(first.isNew).toBe(true);
    const again = await bring();
    expect(again).toMatchObject({ isNew: false, submission: first.submission });
    folder.write('one/r1/report.md', 'changed\n');
    expect(await messageOf(bring())).toMatch(
      /has a submission acme .* differs in one\/r1: .* --name/u,
    );
    folder.write('one/r1/report.md', 'The total is 42; the largest number is 22.\n');
    folder.write('system.yaml', 'product: Acme 4\ndate: 2026-11-20\noperator: The lab\n');
    expect(await messageOf(bring())).toContain('differs in system.yaml');
    expect((await bring('acme-4')).isNew).toBe(true);
    expect((await listSubmissions(sweep.store)).map(({ id }) => id)).toEqual(['acme', 'acme-4']);
    expect(await readJson(sweep.store, storeKeys.submission('acme'))).toEqual(first.submission);
  });

  it('gives two imports that race one record', async () => {
    const both = await Promise.all([bring(), bring(), bring()]);
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(both.map(({ submission }) => submission.importedAt)).size).toBe(1);
  });

  it('uploads nothing of a folder with a fault, and says all of them', async () => {
    folder.write('nope/r1/x.txt', 'x');
    const error: unknown = await bring('No Id').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).faults).toHaveLength(2);
    const keys: string[] = [];
    for await (const key of sweep.store.list('open/')) keys.push(key);
    expect(keys).toEqual([]);
  });
});

describe('a sweep with a submission', () => {
  it('plans a lane that only needs judging, its key made of task, submission and repetition', async () => {
    const { submission } = await bring();
    const {
      plan: made,
      counts,
      estimate,
    } = await plan({ models: undefined, harnesses: undefined });
    expect(made.lanes.map(({ id }) => id)).toEqual(['acme@imported']);
    expect(counts).toMatchObject({ planned: 4, toJudge: 4, toRun: 0 });
    expect(estimate.agent).toEqual({ low: 0, high: 0 });
    const [lane] = made.lanes;
    const [task] = made.tasks;
    const parts = runKeyParts(made, lane!, task!, 1);
    expect(parts).toEqual({
      v: 1,
      cohort: made.cohort,
      task: task!.digest,
      model: { provider: 'imported', submission: submission.digest },
      harness: { name: 'imported', version: '1' },
      repetition: 1,
    });
    const other = { ...made, limits: { ...made.limits, maxSteps: 7 }, gatewayProtocolDigest: 'x' };
    expect(runKey(other, lane!, task!, 1, sha256)).toBe(runKey(made, lane!, task!, 1, sha256));
    expect(runKey(made, lane!, task!, 2, sha256)).not.toBe(runKey(made, lane!, task!, 1, sha256));
  });

  it('stands beside lanes of our own, whose keys do not change', async () => {
    sweep.writeSweep();
    const before = await sweep.build();
    await bring();
    const { plan: made, counts } = await plan();
    expect(made.lanes).toHaveLength(before.plan.lanes.length + 1);
    expect(counts).toMatchObject({ toJudge: 4, toRun: before.counts.toRun, orphaned: 0 });
    const run = `${before.plan.lanes[0]!.id}/one/r1`;
    expect(explainRun(made, before.plan, run).differences).toEqual([]);
  });

  it('enters the deliverables as the run begins, once, without an attempt', async () => {
    await bring();
    const { plan: made, planKey } = await plan({ models: undefined, harnesses: undefined });
    const service = new SweepService({ store: sweep.store });
    const position = { planKey, laneId: 'acme@imported', taskIndex: 0, repetition: 2 };
    const loaded = await service.loadRun(position);
    expect(loaded).toMatchObject({ state: 'delivered', needsSandbox: false, attemptsUsed: 0 });
    expect(await service.loadRun(position)).toEqual(loaded);
    const { runKey: key, runId } = loaded.reference;
    const result = await readJson<RunResult>(sweep.store, storeKeys.result(key, 1));
    expect(result).toMatchObject({
      attempt: 0,
      stopReason: 'imported',
      modelProvider: 'imported',
      deliverables: { files: [{ path: 'report.md' }], refused: [], truncated: false },
    });
    const details = await runDetails(sweep.source(made), findRun(made, runId));
    expect(details).toMatchObject({
      provider: 'imported',
      submission: { id: 'acme', product: 'Acme Office 3' },
      state: 'incomplete',
      attempts: [],
    });
  });

  it('refuses a submission that is not there, and runs that it does not hold', async () => {
    sweep.writeSweep({ submissions: '[acme, acme]' });
    expect(await messageOf(sweep.build())).toContain('submissions: acme is named twice');
    sweep.writeSweep({ submissions: '[acme]' });
    expect(await messageOf(sweep.build())).toMatch(
      /sweep\.yaml:\d+: submissions: no acme in .*import it/u,
    );
    await bring();
    sweep.writeSweep({ submissions: '[acme]', repetitions: '3' });
    expect(await messageOf(sweep.build())).toMatch(/acme lacks \S+\/r3, \S+\/r3: leave/u);
  });

  it('does not judge what another store was given under the same name', async () => {
    await bring();
    const { planKey } = await plan({ models: undefined, harnesses: undefined });
    const elsewhere = new StoredSweep();
    try {
      folder.write('one/r1/report.md', 'changed\n');
      await importSubmission(elsewhere.store, {
        folder: folder.path,
        name: 'acme',
        tasks: [join(sweep.folder.path, 'tasks/*')],
      });
      await elsewhere.store.putRecord(planKey, (await sweep.store.getRecord(planKey))!);
      const position = { planKey, laneId: 'acme@imported', taskIndex: 0, repetition: 1 };
      expect(
        await messageOf(new SweepService({ store: elsewhere.store }).loadRun(position)),
      ).toContain('does not hold submission acme as it was planned');
    } finally {
      elsewhere.remove();
    }
  });
});
