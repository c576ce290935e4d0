import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { workflowIds } from '../../core/ids';
import {
  cancelRunUpdate,
  pauseUpdate,
  rerunUpdate,
  resumeUpdate,
  sweepProgressQuery,
} from '../../workflows/messages';
import { type JudgeHold } from '../../core/activity-contract';
import { failHeld, failWith } from '../fakes/activities';
import { FakeStack } from './fake-stack';
import { waitUntil } from './wait-until';

const FOLDER = resolve(__dirname, '../histories');

/**
 * `npx tsx tests/support/record-histories.ts NAME`: writes `tests/histories/NAME-{sweep,lane,run}.json` from a sweep
 * with a pause, a cancelled run, lost attempts, provider trouble, judges that wait and a rerun, and
 * `NAME-aside-{sweep,lane}.json` from one that is launched for one run and asked for another lane's. Record a new set
 * when the workflows change on purpose; keep the old ones while executions of that time may be open.
 */
async function main(name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const stack = await FakeStack.start();
  await recordTroubled(stack, name);
  await recordAside(stack, name);
  await stack.stop();
}

async function recordTroubled(stack: FakeStack, name: string): Promise<void> {
  const sweep = `recorded-${name}`;
  let trouble = true;
  let judgeTries = 0;
  const disturb = async (
    activity: string,
    run: string,
    detail: string,
    held?: JudgeHold,
  ): Promise<void> => {
    if (activity === 'judgeItem' && run === 'model-a@harness/task-0/r1' && judgeTries++ < 4)
      failHeld('ProviderUnavailable', held);
    if (activity !== 'executeAgent') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (run === 'model-a@harness/task-0/r1' && detail === '1') failWith('SandboxLost');
    if (trouble && run.startsWith('model-b')) failWith('ProviderQuota');
    if (run === 'model-a@harness/task-1/r1') {
      const { Context } = await import('@temporalio/activity');
      await Context.current().cancelled;
    }
  };
  const change = { sweep, items: 5, budgetMicroUsd: 10_000, reserveMicroUsd: 50, disturb };
  await stack.withSweep(change, async (world, handle) => {
    await handle.executeUpdate(pauseUpdate, { args: [{ reason: 'recording' }] });
    await handle.executeUpdate(resumeUpdate, { args: [{}] });
    await waitUntil(() => world.count('executeAgent', 'model-a@harness/task-1/r1') > 0);
    await handle.executeUpdate(cancelRunUpdate, { args: [{ runId: 'model-a@harness/task-1/r1' }] });
    await waitUntil(async () => (await handle.query(sweepProgressQuery)).state === 'blocked');
    trouble = false;
    const ask = { runId: 'model-a@harness/task-0/r2', who: 'recorder', reason: 'a second time' };
    await handle.executeUpdate(rerunUpdate, { args: [{ ...ask, force: true }] });
    await handle.executeUpdate(resumeUpdate, { args: [{}] });
    await handle.result();
    await write(stack, name, {
      sweep: workflowIds.sweep(sweep),
      lane: workflowIds.lane(sweep, 'model-b@harness'),
      run: workflowIds.run(sweep, 'model-a@harness/task-0/r1'),
    });
  });
}

async function recordAside(stack: FakeStack, name: string): Promise<void> {
  const sweep = `recorded-${name}-aside`;
  const only = ['model-b@harness/task-1/r2'];
  const aside = 'model-a@harness/task-0/r1';
  let isAsked = false;
  const disturb = async (activity: string, run: string): Promise<void> => {
    if (activity === 'executeAgent' && run === only[0]) await waitUntil(() => isAsked);
  };
  const change = { sweep, budgetMicroUsd: 10_000, reserveMicroUsd: 50, disturb };
  const body: Parameters<FakeStack['withSweep']>[1] = async (world, handle) => {
    await waitUntil(() => world.count('executeAgent', only[0]) === 1);
    const ask = { runId: aside, who: 'recorder', reason: 'too', force: true };
    await handle.executeUpdate(rerunUpdate, { args: [ask] });
    isAsked = true;
    await handle.result();
    await write(stack, `${name}-aside`, {
      sweep: workflowIds.sweep(sweep),
      lane: workflowIds.lane(sweep, 'model-a@harness'),
    });
  };
  await stack.withSweep(change, body, { only });
}

async function write(
  stack: FakeStack,
  name: string,
  ids: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [type, id] of Object.entries(ids)) {
    const history = await stack.client.workflow.getHandle(id).fetchHistory();
    // Stack traces name files of the machine that recorded them.
    const text = historyToJSON(history).replaceAll(`${resolve(__dirname, '../..')}/`, '');
    await writeFile(join(FOLDER, `${name}-${type}.json`), `${text}\n`);
  }
}

main(process.argv[2] ?? 'first').then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
