import { runningProcess } from './background-process';
import { codeDigest } from './build-id';
import { readDataFile } from './data-file';

/** In the data folder: what the worker that `up` started was started with. */
export const WORKER_FILE = 'worker.json';

export interface StartedWorker {
  /** Of all sources, see `codeDigest`. */
  readonly digest: string;
  /** Of the command `worker`. */
  readonly arguments: readonly string[];
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
