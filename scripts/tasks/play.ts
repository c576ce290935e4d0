import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectRoot } from '../../activities/sandbox/image-recipe';
import { playRecording } from '../../tests/tasks/support/play-recording';

/**
 * Plays every agent recording and leaves the deliverables in OUT/<set>/<task>/<r1|r2|all>/results, for a look and
 * for scripts/tasks/record_judges.py. Usage: npx tsx scripts/tasks/play.ts OUT
 */
async function main(out: string | undefined): Promise<void> {
  if (out === undefined) throw new Error('usage: npx tsx scripts/tasks/play.ts OUT');
  const root = projectRoot();
  for (const set of ['strong', 'weak'])
    for (const task of readdirSync(join(root, 'recordings', set)))
      for (const name of ['all', 'r1', 'r2']) {
        const recording = join(root, 'recordings', set, task, `${name}.yaml`);
        if (!existsSync(recording)) continue;
        const workspace = resolve(out, set, task, name);
        rmSync(workspace, { recursive: true, force: true });
        const taskWorkspace = join(root, 'tasks', task, 'workspace');
        const printed = await playRecording({ recording, taskWorkspace, workspace });
        process.stdout.write(`== ${set} ${task} ${name}\n${printed}\n`);
      }
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
