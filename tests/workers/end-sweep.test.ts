import { type Client } from '@temporalio/client';
import { workflowIds } from '../../core/ids';
import { endWithoutCancelling } from '../../workers/end-sweep';
import { findExecution } from '../../workers/sweep-control';

const SWEEP = workflowIds.sweep('s');
const LANE = workflowIds.lane('s', 'a@b');
const RUN = workflowIds.run('s', 'a@b/task/r1');

type Children = readonly { readonly workflowId: string; readonly runId: string }[];

/** A server on which every look at a workflow's children shows the next entry, the last one for ever. */
function serverWith(looks: Readonly<Record<string, Children[]>>, status = 'RUNNING') {
  const terminated: string[] = [];
  const describe = (workflowId: string) => {
    const [pendingChildren, ...later] = looks[workflowId] ?? [];
    if (later.length > 0 && looks[workflowId] !== undefined) looks[workflowId].shift();
    const runId = `first of ${workflowId}`;
    return { status: { name: status }, startTime: new Date(), runId, raw: { pendingChildren } };
  };
  const getHandle = (
    workflowId: string,
    _runId?: string,
    options?: { firstExecutionRunId: string },
  ) => ({
    describe: () => Promise.resolve(describe(workflowId)),
    executeUpdate: () => Promise.reject(new Error('no worker')),
    terminate: () => {
      terminated.push(`${workflowId} ${options?.firstExecutionRunId}`);
      return Promise.resolve();
    },
  });
  const client = { workflow: { getHandle, list: () => [] } } as unknown as Client;
  return { client, terminated };
}

const started = (workflowId: string) => ({ workflowId, runId: `first of ${workflowId}` });
const aboutToStart = (workflowId: string) => ({ workflowId, runId: '' });

it('a sweep is ended only after lanes and runs that were about to start have begun and ended', async () => {
  const { client, terminated } = serverWith({
    // The sweep itself is described once before its children are.
    [SWEEP]: [[], [aboutToStart(LANE)], [started(LANE)]],
    [LANE]: [[aboutToStart(RUN)], [aboutToStart(RUN)], [started(RUN)], []],
  });
  await endWithoutCancelling(client, 's', `first of ${SWEEP}`);
  expect(terminated).toEqual([RUN, LANE, SWEEP].map((id) => `${id} first of ${id}`));
});

it('a sweep that somebody paused in Temporal is open', async () => {
  for (const [status, isOpen] of [
    ['PAUSED', true],
    ['RUNNING', true],
    ['TERMINATED', false],
  ] as const)
    expect(await findExecution(serverWith({}, status).client, 's')).toMatchObject({
      ...{ isOpen, status },
    });
});
