import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lintTasks } from '../../config/lint-tasks';
import { newFolder, taskFiles } from '../support/task-folder';

const TASKS = join(__dirname, '../../tasks');

describe('tasks that are linted', () => {
  it('warns of few items and of much weight on mere existence, and refuses neither', () => {
    const rubric = (items: number, check: string): string =>
      Array.from({ length: items }, (_, at) =>
        [
          `- id: i${at}`,
          `  text: The report says ${at}.`,
          '  weight: core',
          '  dimension: domain-compliance',
          `  check: { kind: ${check} }\n`,
        ].join('\n'),
      ).join('');
    const words = 'text-contains, file: report.md, any: [x]';
    const folder = newFolder(taskFiles({ 'rubric.yaml': rubric(14, words) }));
    try {
      const file = join(folder.path, 'rubric.yaml');
      const few = lintTasks([folder.path]);
      expect(few).toMatchObject({ tasks: [{ folder: folder.path }], faults: [] });
      expect(few.warnings).toEqual([
        {
          file,
          message:
            '14 items, fewer than 15: add items, one for each defect that a deliverable may have ' +
            '(docs/guides/add-a-task.md)',
        },
      ]);
      folder.write('rubric.yaml', rubric(1, 'file-exists, file: report.md'));
      expect(lintTasks([folder.path]).warnings.map(({ message }) => message)).toEqual([
        expect.stringContaining('100.0 % of the weight rests on mere existence or format'),
        expect.stringContaining('1 item, fewer than 15'),
      ]);
      folder.write('rubric.yaml', rubric(15, words));
      expect(lintTasks([folder.path]).warnings).toEqual([]);
    } finally {
      folder.remove();
    }
  });

  it('has nothing to say of the tasks that are examples to copy from', () => {
    const { tasks, faults, warnings } = lintTasks(
      readdirSync(TASKS).map((name) => join(TASKS, name)),
    );
    expect(tasks.length).toBeGreaterThan(3);
    expect([faults, warnings]).toEqual([[], []]);
  });
});
