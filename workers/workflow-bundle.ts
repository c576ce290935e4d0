import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { workflowBuildId } from './build-id';

/** The workflows as one file, for `WorkerOptions.workflowBundle`. */
export interface WorkflowBundle {
  readonly codePath: string;
}

/** Made once for each build of the workflows and kept in the data folder: a restarted worker is back sooner. */
export async function loadWorkflowBundle(dataDir: string): Promise<WorkflowBundle> {
  const folder = join(dataDir, 'workflow-bundles');
  const codePath = join(folder, `${workflowBuildId()}.js`);
  if (existsSync(codePath)) return { codePath };
  const { code } = await bundleWorkflowCode({ workflowsPath: require.resolve('../workflows') });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Renamed into place: two workers may make it at once.
  const temporary = `${codePath}.${process.pid}`;
  await writeFile(temporary, code, { mode: 0o600 });
  await rename(temporary, codePath);
  return { codePath };
}
