import { join, resolve } from 'node:path';
import { type ConfigurationFault } from './located-yaml';
import { adviceOnRubric } from './rubric-file';
import { readTaskFolder, type TaskFolder } from './task-folder';
import { twinFaults } from './task-twins';

export interface LintedTasks {
  /** Those that can be used. */
  readonly tasks: readonly TaskFolder[];
  readonly faults: readonly ConfigurationFault[];
  /** They stop nothing. */
  readonly warnings: readonly ConfigurationFault[];
}

/** What is to be said to the authors of task folders, more than a sweep with them says. */
export function lintTasks(folders: readonly string[]): LintedTasks {
  const read = folders.map((folder) => readTaskFolder(resolve(folder)));
  const tasks = read.flatMap(({ task }) => task ?? []);
  return {
    tasks,
    faults: [...read.flatMap(({ faults }) => faults), ...twinFaults(tasks)],
    warnings: read.flatMap(({ task, warnings }) => [
      ...warnings,
      ...(task === undefined ? [] : adviceOnRubric(join(task.folder, 'rubric.yaml'), task.rubric)),
    ]),
  };
}
