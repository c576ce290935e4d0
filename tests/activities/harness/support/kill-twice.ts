import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processFiles } from '../../../../activities/gateway/attempt-files';
import { controlRequest } from '../../../../activities/gateway/control-request';
import { attemptPaths } from '../../../../activities/sandbox/attempt-paths';
import { type AttemptReference } from '../../../../core/activity-contract';
import { waitUntil } from '../../../support/wait-until';
import { type BenchPlace, startExecutor } from './executor-process';

const COMES_WITHIN_MS = 200_000;

/**
 * Starts the attempt and SIGKILLs worker and gateway while the provider has the second request, then their successors
 * while the harness runs the command that it answered with. Who comes then finds an attempt that goes on.
 */
export async function killTwice(
  place: BenchPlace,
  reference: AttemptReference,
  attemptDir: string,
): Promise<void> {
  const { workspace, control } = attemptPaths(attemptDir);
  const made = (name: string) => existsSync(join(workspace, 'results', name));
  const asked = () =>
    readFileSync(join(control, 'journal.bin'), 'latin1').split('"t":"begun"').length - 1;
  for (const moment of [() => made('one.txt') && asked() === 2, () => made('two.txt')]) {
    const worker = startExecutor(place, reference);
    const over = once(worker, 'exit');
    await waitUntil(() => worker.exitCode !== null || moment(), COMES_WITHIN_MS);
    if (worker.exitCode !== null) throw new Error('the worker to be killed ended by itself');
    worker.kill('SIGKILL');
    await killGateway(place.dataDir);
    await over;
  }
}

/** SIGKILLs the gateway of a data folder, where one runs. */
export async function killGateway(dataDir: string): Promise<void> {
  const { controlSocket } = processFiles(dataDir);
  const status = await controlRequest(controlSocket, 'GET', '/status', undefined, 5_000).catch(
    () => undefined,
  );
  if (status !== undefined) process.kill((status as { pid: number }).pid, 'SIGKILL');
}
