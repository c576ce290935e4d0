import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printRun } from '../../cli/render/run';
import { type SweepPlan } from '../../core/sweep';
import { makeReport, reportFromTidy } from '../../workers/make-report';
import { runDetails } from '../../workers/run-details';
import { listRuns } from '../../workers/run-list';
import { StoredSweep } from '../support/stored-sweep';

let sweep: StoredSweep;
let plan: SweepPlan;
beforeEach(async () => {
  sweep = new StoredSweep();
  ({ plan } = await sweep.build());
});
afterEach(() => sweep.remove());

describe('a filter that fits nothing', () => {
  it.each<[Parameters<typeof listRuns>[1], RegExp]>([
    [{ lanes: ['other@*'] }, /no lane other@\* in this sweep; there are sim@simulated/u],
    [{ tasks: ['one', 'nope'] }, /no task nope in this sweep; there are one, two/u],
    [{ outcomes: ['bogus'] }, /no outcome bogus; there are scored, .*step_cap/u],
  ])('%j is refused with what there is', async (filter, message) => {
    await expect(listRuns(sweep.source(plan), filter)).rejects.toThrow(message);
  });
});

describe('a place that cannot be', () => {
  it('says in a sentence that a CSV is not there, or a folder cannot be', async () => {
    const absent = join(sweep.folder.path, 'absent.csv');
    await expect(reportFromTidy(absent, {})).rejects.toThrow(
      `${absent}: there is no such file or folder (ENOENT)`,
    );
    const file = join(sweep.folder.path, 'file');
    writeFileSync(file, '');
    for (const folder of [file, join(file, 'below'), '/proc/startupbench/report'])
      await expect(makeReport(sweep.source(plan), { folder })).rejects.toThrow(
        `cannot make the folder ${folder}`,
      );
  });
});

describe('a run that failed', () => {
  it('says that a run failed and why', async () => {
    const run = sweep.run(plan, 'two', 1);
    await sweep.attempt(run, {
      outcome: 'lost',
      failure: { type: 'SandboxLost', message: 'the container is gone' },
    });
    const details = await runDetails(sweep.source(plan), run);
    expect(details).toMatchObject({
      state: 'failed',
      why: 'attempt 1 lost: SandboxLost: the container is gone',
      stages: { agent: 'failed', judging: 'not reached' },
    });
    expect(printRun(details)).toContain('state       failed: attempt 1 lost: SandboxLost');
    await expect(runDetails(sweep.source(plan), run, 7)).rejects.toThrow(
      'sim@simulated/two/r1 has no generation 7; there is only 1',
    );
  });
});
