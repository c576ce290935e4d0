import { Context } from '@temporalio/activity';
import { toApplicationFailure } from '../../activities/failure-mapping';
import { FileStore } from '../../activities/store/file-store';
import { workflowIds } from '../../core/ids';
import { createCohortGate, heldMessage, releaseIfEnded } from '../../workers/cohort-gate';
import { newestHolder, otherHolder } from '../../workers/cohort-holder';
import {
  attachOrStart,
  commandWithStart,
  findExecution,
  innermostMessage,
} from '../../workers/sweep-control';
import { resumeUpdate } from '../../workflows/messages';
import { type FakeWorld } from '../fakes/activities';
import { FakeStack, fakeWorld } from '../support/fake-stack';
import { samplePlan } from '../support/sample-plan';
import { newFolder, type TestFolder } from '../support/task-folder';
import { waitUntil } from '../support/wait-until';

const COHORT = 'shared';

let stack: FakeStack;
/** Lets the agents end; a worker that shuts down waits for them. */
let finish: () => void;
let working: Promise<void>;
let folder: TestFolder;
let store: FileStore;
beforeAll(async () => {
  stack = await FakeStack.start({ 'limit.historyCount.suggestContinueAsNew': 120 });
});
afterAll(() => stack.stop());
beforeEach(() => {
  working = new Promise<void>((resolve) => (finish = resolve));
  folder = newFolder();
  store = new FileStore(folder.path);
});
afterEach(() => folder.remove());

/** A sweep that passes the gate when it loads; its agents wait for `working`. */
function gatedWorld(sweep: string) {
  const enter = createCohortGate({ client: stack.client, store, stack: 'stack' });
  return fakeWorld({
    sweep,
    disturb: async (activity) => {
      if (activity === 'loadSweep')
        await enter(COHORT, Context.current().info.workflowExecution!).catch((error: unknown) => {
          throw toApplicationFailure(error);
        });
      if (activity === 'executeAgent') await working;
    },
  });
}

/** Each world has workers, and a stack, of its own. */
const launchOf = (sweep: string) => ({
  client: stack.client,
  stack: sweep,
  plan: { ...samplePlan(), sweep },
  planKey: `open/sweeps/${sweep}/plan-1.json`,
});

async function withWorkersOf(worlds: readonly FakeWorld[], body: () => Promise<void>) {
  const [world, ...rest] = worlds;
  if (world === undefined) return body().finally(finish);
  await stack.withWorkers(world, ['host-1'], () => withWorkersOf(rest, body));
}

it('of sweeps of one cohort that start at one moment one runs, and the others end with why', async () => {
  const names = ['race-a', 'race-b', 'race-c'];
  const worlds = names.map((name) => gatedWorld(name));
  await withWorkersOf(worlds, async () => {
    const launched = await Promise.all(names.map((name) => attachOrStart(launchOf(name))));
    const ends = launched.map(({ handle }) =>
      handle.result().then(
        ({ state }) => state as string,
        (error: unknown) => innermostMessage(error),
      ),
    );
    const refused = await Promise.race(ends);
    const holder = (await newestHolder(store, COHORT))!;
    const winner = names.find((name) => workflowIds.sweep(name) === holder.workflowId)!;
    expect(refused).toBe(heldMessage(COHORT, holder));
    await waitUntil(() => worlds[names.indexOf(winner)]!.count('executeAgent') > 0);
    for (const name of names)
      if (name !== winner) expect(worlds[names.indexOf(name)]!.count('loadLane')).toBe(0);
    // A command that starts a closed sweep says the same.
    const loser = names.find((name) => name !== winner)!;
    await expect(commandWithStart(launchOf(loser), resumeUpdate, [{}])).rejects.toMatchObject({
      type: 'Superseded',
      message: `sweep ${loser} failed: ${heldMessage(COHORT, holder)}`,
    });
    finish();
    expect((await Promise.all(ends)).filter((end) => end === 'done')).toHaveLength(1);
    // What has ended makes room.
    const again = await attachOrStart(launchOf(loser));
    expect((await again.handle.result()).state).toBe('done');
  });
});

it('a sweep that continues as new keeps its cohort', async () => {
  const world = gatedWorld('long');
  await withWorkersOf([world], async () => {
    const { handle } = await attachOrStart(launchOf('long'));
    await waitUntil(() => world.count('executeAgent') > 0);
    // Each leaves events in the sweep's history, until that is long enough.
    for (let time = 1; time <= 30; time++) await attachOrStart(launchOf('long'));
    finish();
    expect((await handle.result()).state).toBe('done');
  });
  expect(world.count('loadSweep')).toBeGreaterThan(1);
  expect(await newestHolder(store, COHORT)).toMatchObject({ n: 1 });
});

it('an execution that has ended takes nothing; its release lets other stacks in', async () => {
  const world = gatedWorld('ended');
  const gate = { client: stack.client, store, stack: 'stack' };
  const elsewhere = { stack: 'other', namespace: 'default', workflowId: 'sweep/ended' };
  const unknown = async () => true;
  await withWorkersOf([world], async () => {
    const { handle, execution } = await attachOrStart(launchOf('ended'));
    await waitUntil(() => world.count('executeAgent') > 0);
    await releaseIfEnded(gate, COHORT);
    expect(await otherHolder(store, COHORT, elsewhere, unknown)).toMatchObject({ n: 1 });
    const late = { workflowId: handle.workflowId, runId: execution.firstRunId };
    await handle.terminate('test');
    await expect(createCohortGate(gate)('another', late)).rejects.toMatchObject({
      type: 'Superseded',
    });
    expect(await newestHolder(store, 'another')).toBeUndefined();
    expect((await findExecution(stack.client, 'ended'))?.isOpen).toBe(false);
    await releaseIfEnded(gate, COHORT);
    expect(await otherHolder(store, COHORT, elsewhere, unknown)).toBeUndefined();
  });
});
