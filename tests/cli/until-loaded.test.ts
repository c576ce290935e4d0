import {
  type Client,
  ServiceError,
  TerminatedFailure,
  WorkflowFailedError,
} from '@temporalio/client';
import { CancelledFailure } from '@temporalio/common';
import { untilLoaded } from '../../cli/follow';
import { type Attached } from '../../workers/sweep-control';

const away = new ServiceError('describe', {
  cause: Object.assign(new Error('14 UNAVAILABLE'), {
    ...{ code: 14, details: 'unavailable', metadata: {} },
  }),
});

/** The end that a launch finds which is not followed; `looks` are what the server says of the newest execution. */
async function endOf(result: () => Promise<unknown>, ...looks: (string | Error)[]) {
  const describe = () => {
    const look = looks.length > 1 ? looks.shift()! : looks[0]!;
    if (look instanceof Error) return Promise.reject(look);
    return Promise.resolve({
      status: { name: look },
      ...{ startTime: new Date(0), runId: 'r', raw: {} },
    });
  };
  const query = () => Promise.reject(new Error('no worker'));
  const client = {
    workflow: { getHandle: () => ({ describe, query }) },
    withAbortSignal: (_signal: AbortSignal, call: () => unknown) => call(),
  };
  const attached = { handle: { result }, execution: { firstRunId: 'r', startedAt: new Date(0) } };
  return untilLoaded(client as unknown as Client, 's', attached as unknown as Attached);
}

function failsWith(cause: Error) {
  return () =>
    Promise.reject(new WorkflowFailedError('it failed', cause, 'NON_RETRYABLE' as never));
}

describe('a sweep that ends while a launch which is not followed waits for its plan', () => {
  it('was ended by another launch, was cancelled, or failed with why', async () => {
    const terminated = failsWith(new TerminatedFailure('Workflow execution terminated'));
    expect(await endOf(terminated, 'TERMINATED')).toEqual({ kind: 'terminated' });
    const cancelled = failsWith(new CancelledFailure('it is cancelled'));
    expect(await endOf(cancelled, 'CANCELLED')).toEqual({ kind: 'cancelled' });
    const refused = failsWith(new Error('failed', { cause: new Error('cohort c is held') }));
    expect(await endOf(refused, 'FAILED')).toEqual({ kind: 'failed', message: 'cohort c is held' });
  });

  it('has not failed because the server is away for a moment', async () => {
    const terminated = failsWith(new TerminatedFailure('Workflow execution terminated'));
    expect(await endOf(terminated, away, 'RUNNING', 'TERMINATED')).toEqual({ kind: 'terminated' });
  });
});
