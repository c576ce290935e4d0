import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, Runtime, Worker, bundleWorkflowCode } from '@temporalio/worker';

/** Histories of real executions (tests/support/record-histories.ts): a change that breaks them breaks open sweeps. */
const FOLDER = join(__dirname, '../histories');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const load = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as History;
interface History {
  readonly events: { activityTaskScheduledEventAttributes?: { activityType: { name: string } } }[];
}

async function replay(histories: readonly { name: string; history: unknown }[]) {
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: require.resolve('../../workflows'),
    logger: new DefaultLogger('ERROR'),
  });
  const results: Record<string, string | undefined> = {};
  const replayed = Worker.runReplayHistories(
    { workflowBundle },
    histories.map(({ name, history }) => ({ workflowId: name, history: historyFromJSON(history) })),
  );
  for await (const { workflowId, error } of replayed) results[workflowId] = error?.message;
  return results;
}

beforeAll(() => Runtime.install({ logger: new DefaultLogger('ERROR') }));

describe('recorded histories', () => {
  it('cover a sweep, a lane and a run', () => {
    for (const type of ['sweep', 'lane', 'run'])
      expect(files.some((name) => name.endsWith(`-${type}.json`))).toBe(true);
  });

  it('replay on the workflows as they are now', async () => {
    const results = await replay(files.map((name) => ({ name, history: load(name) })));
    expect(results).toEqual(Object.fromEntries(files.map((name) => [name, undefined])));
  });

  it('would not replay if a workflow called another activity', async () => {
    const history = load('first-run.json');
    for (const event of history.events) {
      const type = event.activityTaskScheduledEventAttributes?.activityType;
      if (type?.name === 'prepareWorkspace') type.name = 'somethingElse';
    }
    const results = await replay([{ name: 'changed', history }]);
    expect(results['changed']).toContain('somethingElse');
  });
});
