import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/workflow';
import { RetryState, type TimeoutType } from '@temporalio/common';
import { failureFact } from '../../workflows/failures';

const failed = (cause: Error): ActivityFailure =>
  new ActivityFailure('Activity task failed', 'reserveHost', '7', RetryState.TIMEOUT, 'me', cause);

describe('failureFact', () => {
  it.each<[NonNullable<TimeoutType>, string]>([
    ['HEARTBEAT', 'reserveHost: its worker was not heard of again (stopped, killed or frozen)'],
    ['SCHEDULE_TO_START', 'reserveHost: no worker took it in time; `up` or `worker` starts one'],
    ['START_TO_CLOSE', 'reserveHost: its worker did not end it within its longest time'],
    ['SCHEDULE_TO_CLOSE', 'reserveHost: it was not done within its longest time'],
  ])('blames the worker for a timeout (%s), not what it works with', (type, message) => {
    const timeout = new TimeoutFailure('activity timeout', undefined, type);
    expect(failureFact(failed(timeout), 'DockerUnavailable')).toEqual({
      type: 'WorkerLost',
      message,
    });
  });

  it('keeps the type of a failure of ours, and gives others the one that is due', () => {
    const store = ApplicationFailure.create({ type: 'StoreUnavailable', message: 'disk full' });
    expect(failureFact(failed(store), 'DockerUnavailable')).toEqual({
      type: 'StoreUnavailable',
      message: 'disk full',
    });
    const odd = ApplicationFailure.create({ type: 'TypeError', message: 'odd' });
    expect(failureFact(failed(odd), 'SandboxLost')).toEqual({
      type: 'SandboxLost',
      message: 'TypeError: odd',
    });
  });
});
