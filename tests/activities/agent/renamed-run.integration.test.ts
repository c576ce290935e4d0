import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Reaper } from '../../../activities/sandbox/reaper';
import { canonicalJson, runKey, storeKeys } from '../../../core/ids';
import { type RunReference } from '../../../core/activity-contract';
import { type SweepPlan } from '../../../core/sweep';

import { waitUntil } from '../../support/wait-until';
import {
  activityCall,
  disposedWorlds,
  reserveAndPrepare,
  step,
  type AgentWorld,
} from './support/agent-world';
import { commandThenDone, ScriptedGateway } from './support/scripted-gateway';

const worldOf = disposedWorlds();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same run after its model has got another id in the sweep file. */
async function renamed(world: AgentWorld): Promise<RunReference> {
  const plan = (await world.record<SweepPlan>(world.run.planKey))!;
  const [lane] = plan.lanes;
  const model = { ...lane!.model, id: 'renamed' };
  const after = { ...lane!, id: `renamed@${lane!.harness.name}`, model };
  const planKey = storeKeys.plan(plan.sweep, 2);
  await world.store.putRecord(planKey, canonicalJson({ ...plan, revision: 2, lanes: [after] }));
  expect(runKey(plan, after, plan.tasks[0]!, 1, sha256)).toBe(world.run.runKey);
  return { ...world.run, planKey, laneId: after.id, runId: `${after.id}/task/r1` };
}

it('an attempt goes on to its end under the new name of its model, and its first workflow is no reason to remove it', async () => {
  const world = await worldOf({ harness: 'minimal' });
  const gateway = new ScriptedGateway(commandThenDone('while [ ! -e go ]; do sleep 0.05; done'));
  const host = await world.host(gateway);
  const first = await reserveAndPrepare(host, world);
  const older = activityCall(host.activities.executeAgent, first);
  await waitUntil(() => gateway.deliveries.length === 1);

  const run = await renamed(world);
  const second = await step(host.activities.reserveHost, { run });
  expect(second.attempt).toBe(first.attempt);
  const asked: string[] = [];
  const reaper = new Reaper({
    docker: world.docker,
    stack: world.stack,
    hostId: 'host-1',
    sandboxesDir: host.sandboxesDir,
    isRecorded: async () => false,
    ownerState: async ({ workflowId }) => {
      asked.push(workflowId);
      return workflowId.includes('renamed') ? 'open' : 'closed';
    },
    confirmMs: 0,
  });
  // Before its next executor begins, and after.
  expect([...(await reaper.sweep()), ...(await reaper.sweep())]).toEqual([]);
  await step(host.activities.prepareWorkspace, second);
  const newer = activityCall(host.activities.executeAgent, second);
  await expect(older.result).rejects.toMatchObject({ type: 'WorkerLost' });
  expect([...(await reaper.sweep()), ...(await reaper.sweep())]).toEqual([]);
  expect(new Set(asked)).toEqual(
    new Set(['model', 'renamed'].map((id) => `sweep/test/${id}@minimal/task/r1`)),
  );

  await writeFile(join(world.attemptDir(first), 'disk/workspace/go'), '');
  expect((await newer.result).stopReason).toBe('completed');
  expect(gateway.deliveries).toHaveLength(2);
});
