import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCheck } from '../../activities/checks/run-check';
import { type EvidenceReader } from '../../activities/evidence/port';
import { type TaskFolder } from '../../config/task-folder';
import { EvidenceBench, readTask } from './support/evidence-bench';
import { readExpectedFlips } from './support/expected-flips';
import { runPythonScript } from './support/python-image';

jest.setTimeout(900_000);

const FLIPS = Object.entries(readExpectedFlips()).map(([task, mutations]) => ({
  task,
  mutations: Object.entries(mutations ?? {}),
}));

let bench: EvidenceBench;
let mutated: string;

beforeAll(async () => {
  bench = await EvidenceBench.open();
  mutated = join(bench.folder, 'mutated');
  await mkdir(mutated);
  await runPythonScript('tests/tasks/mutations/make.py', ['/project/out'], {
    ...{ tasks: undefined, 'scripts/tasks': undefined, 'tests/tasks/mutations': undefined },
    out: mutated,
  });
});
afterAll(() => bench.close());

/** Item id to outcome, for the items that carry a check. */
async function check(task: TaskFolder, evidence: EvidenceReader): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  for (const item of task.rubric.items)
    if (item.check !== undefined) {
      const { outcome, explanation } = await runCheck(item.check, evidence);
      outcomes.set(item.id, outcome === 'met' ? 'met' : `${outcome}: ${explanation}`);
    }
  return outcomes;
}

function notMet(outcomes: ReadonlyMap<string, string>): string[] {
  return [...outcomes].filter(([, outcome]) => outcome !== 'met').map(([id]) => id);
}

describe.each(FLIPS)('checks of $task', ({ task: id, mutations }) => {
  const task = readTask(id);

  it('find every item of the reference met', async () => {
    const outcomes = await check(task, await bench.evidence(task, join(task.folder, 'reference')));
    expect([...outcomes].filter(([, outcome]) => outcome !== 'met')).toEqual([]);
  });

  it.each(mutations)('find exactly the items that name the defect: %s', async (name, flips) => {
    const evidence = await bench.evidence(task, join(mutated, id, name));
    const outcomes = await check(task, evidence);
    expect({ notMet: notMet(outcomes) }).toEqual({ notMet: flips });
    // Found wrong, not merely undecided.
    for (const flip of flips) expect(outcomes.get(flip)).toMatch(/^unmet: /u);
  });
});
