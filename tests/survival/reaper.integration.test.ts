import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMounted } from '../../activities/sandbox/attempt-disk';
import { AttemptState } from '../../activities/sandbox/attempt-state';
import { imageTag } from '../../activities/sandbox/image-recipe';
import { Reaper } from '../../activities/sandbox/reaper';
import { SandboxFixture, type TestAttempt } from '../activities/sandbox/support/sandbox-fixture';

const own = new SandboxFixture();
const foreign = new SandboxFixture();
const strangers: string[] = [];
afterAll(async () => {
  for (const id of strangers) await own.docker.getContainer(id).remove({ force: true });
  await Promise.all([own.dispose(), foreign.dispose()]);
});

async function running(fixture: SandboxFixture): Promise<TestAttempt> {
  const attempt = await fixture.script('sleep 600');
  const { labels } = attempt.specification;
  await new AttemptState(attempt.paths.control).write('reserved', { labels, at: 'now' });
  await fixture.newSandbox().startOrAdopt(attempt.specification);
  return attempt;
}

const isRunning = (name: string) =>
  own.docker
    .getContainer(name)
    .inspect()
    .then(
      ({ State }) => State.Running,
      () => false,
    );

it('the reaper takes what is dead of its own stack, with its mount, and nothing of anybody else', async () => {
  const [dead, alive, others] = [await running(own), await running(own), await running(foreign)];
  // Somebody else's container that looks a little like ours.
  const stranger = await own.docker.createContainer({
    Image: imageTag('agent'),
    Entrypoint: ['sleep', '600'],
    Labels: { 'startupbench.stack': own.stack, 'startupbench.kind': 'other' },
    HostConfig: { NetworkMode: 'none' },
  });
  strangers.push(stranger.id);
  await stranger.start();
  const mounted = await isMounted(dead.paths.disk);
  // A file of the user's where attempts lie.
  await mkdir(join(await own.folder(), 'not-an-attempt'));
  await writeFile(join(await own.folder(), 'not-an-attempt', 'notes.txt'), 'keep me');

  const problems: unknown[] = [];
  const reaper = new Reaper({
    docker: own.docker,
    stack: own.stack,
    hostId: 'host-1',
    sandboxesDir: await own.folder(),
    isRecorded: async ({ runKey }) => runKey === dead.specification.labels.runKey,
    ownerState: async ({ stack }) => (stack === own.stack ? 'open' : 'closed'),
    onProblem: (_id, error) => problems.push(error),
    recordedGraceMs: 0,
    confirmMs: 0,
  });
  const removed = [...(await reaper.sweep()), ...(await reaper.sweep()), ...(await reaper.sweep())];

  expect(removed).toEqual([dead.specification.attemptId]);
  expect(problems).toEqual([]);
  expect(await isRunning(dead.specification.attemptId)).toBe(false);
  expect(existsSync(dead.specification.attemptDir)).toBe(false);
  expect(mounted && (await isMounted(dead.paths.disk))).toBe(false);
  for (const name of [alive.specification.attemptId, others.specification.attemptId, stranger.id])
    expect({ name, running: await isRunning(name) }).toEqual({ name, running: true });
  expect(existsSync(join(await own.folder(), 'not-an-attempt', 'notes.txt'))).toBe(true);
  expect(existsSync(alive.paths.workspace)).toBe(true);
});
