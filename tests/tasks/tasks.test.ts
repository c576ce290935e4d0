import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../activities/sandbox/image-recipe';
import { readSweepFile } from '../../config/sweep-file';
import { readTaskFolder } from '../../config/task-folder';
import { type RubricItem } from '../../core/rubric';
import { readExpectedFlips } from './support/expected-flips';

const TASKS = join(projectRoot(), 'tasks');
const TASK_IDS = readdirSync(TASKS);

function weight(items: readonly RubricItem[]): number {
  return items.reduce((sum, item) => sum + item.weight, 0);
}

/** Items about mere existence or format, which may not carry much. */
function isFormal(item: RubricItem): boolean {
  const kind = item.check?.kind ?? '';
  return (
    ['file-exists', 'sheet-exists', 'sheet-order', 'table-exists', 'page-count'].includes(kind) ||
    ['engineering-format', 'output-presentation'].includes(item.dimension)
  );
}

describe.each(TASK_IDS)('task %s', (id) => {
  const { task, faults, warnings } = readTaskFolder(join(TASKS, id));
  const items = task?.rubric.items ?? [];

  it('reads without a fault or a warning', () => {
    expect([...faults, ...warnings]).toEqual([]);
    expect(task?.id).toBe(id);
  });

  it('has 15 to 30 items, 8 to 12 of them with a check', () => {
    expect(items.length).toBeGreaterThanOrEqual(15);
    expect(items.length).toBeLessThanOrEqual(30);
    const checked = items.filter((item) => item.check !== undefined).length;
    expect(checked).toBeGreaterThanOrEqual(8);
    expect(checked).toBeLessThanOrEqual(12);
  });

  it('gives at most 15 % of the weight to existence and format', () => {
    expect(weight(items.filter(isFormal)) / weight(items)).toBeLessThanOrEqual(0.15);
  });

  it('has a reference deliverable for every required output, and nothing else', () => {
    const paths = (files: readonly { readonly path: string }[]) =>
      files.map(({ path }) => path).sort();
    expect(paths(task?.reference ?? [])).toEqual(paths(task?.outputs ?? []));
  });

  it('has eight mutations, each of which must flip items that carry a check', () => {
    const mutations = Object.entries(readExpectedFlips()[id] ?? {});
    expect(mutations).toHaveLength(8);
    const checked = items.filter((item) => item.check !== undefined).map((item) => item.id);
    for (const [, flips] of mutations) {
      expect(flips).not.toHaveLength(0);
      expect(checked).toEqual(expect.arrayContaining([...flips]));
    }
  });
});

describe('sample tasks', () => {
  it('cover four domains', () => {
    const domains = TASK_IDS.map((id) => readTaskFolder(join(TASKS, id)).task?.domain);
    expect([...domains].sort()).toEqual(['business', 'legal', 'medical', 'stem']);
  });

  it.each([
    ['demo', 2, 1, 2],
    ['smoke', 1, 3, 1],
  ])('the sweep %s reads', (name, models, harnesses, repetitions) => {
    const read = readSweepFile(join(projectRoot(), 'sweeps', `${name}.yaml`));
    if ('faults' in read) throw new Error(JSON.stringify(read.faults));
    expect(read.value.taskFolders).toHaveLength(4);
    expect(read.value.models).toHaveLength(models);
    expect(read.value.harnesses).toHaveLength(harnesses);
    expect(read.value.repetitions).toBe(repetitions);
  });
});
