import { type ConfigurationFault } from './located-yaml';
import { type TaskFolder } from './task-folder';

/** Faults of tasks that share an id: run ids would not tell them apart. */
export function twinFaults(
  tasks: readonly Pick<TaskFolder, 'id' | 'folder'>[],
): ConfigurationFault[] {
  const first = new Map<string, string>();
  return tasks.flatMap(({ id, folder }) => {
    const other = first.get(id);
    if (other === undefined) {
      first.set(id, folder);
      return [];
    }
    return [
      {
        file: folder,
        line: undefined,
        message: `the task id ${id} is also that of ${other}: give one of them another id`,
      },
    ];
  });
}
