import { runningProcess } from './background-process';
import { codeDigest } from './build-id';
import { readDataFile } from './data-file';

/** In the data folder: what the worker that `up` started was started with; `down` removes it. */
export const WORKER_FILE = 'worker.json';

export interface StartedWorker {
  /** Of all sources, see `codeDigest`. */
  readonly digest: string;
  /** Of the command `worker`. */
  readonly arguments: readonly string[];
}

/**
 * Arguments of the next worker: those that are given, and of the one before what is not given anew, so that an `up`
 * without options takes back none. Both are pairs of an option and its value.
 */
export function keptArguments(before: readonly string[], given: readonly string[]): string[] {
  const names = (list: readonly string[]) => list.filter((_, index) => index % 2 === 0);
  const valueIn = (list: readonly string[], name: string) => list[list.lastIndexOf(name) + 1];
  return [...new Set([...names(before), ...names(given)])].flatMap((name) => {
    const value = valueIn(names(given).includes(name) ? given : before, name);
    return value === undefined ? [] : [name, value];
  });
}

/** True when the worker that `up` started here runs, and with other code than ours. Of other workers nothing is known. */
export async function runsOtherCode(
  dataDir: string,
  ours: () => string = codeDigest,
): Promise<boolean> {
  const started = await readDataFile<StartedWorker>(dataDir, WORKER_FILE);
  if (started === undefined || (await runningProcess(dataDir, 'worker')) === undefined)
    return false;
  return started.digest !== ours();
}
