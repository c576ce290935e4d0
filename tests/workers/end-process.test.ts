import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endProcess } from '../../workers/background-process';

it('forces a process that does not end, also when the clock is set back meanwhile', async () => {
  const stubborn = spawn('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 0.1; done'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(stubborn, 'exit');
  await once(stubborn.stdout, 'data');
  const HOUR_MS = 3_600_000;
  const real = Date.now.bind(Date);
  let looks = 0;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => real() - HOUR_MS * looks++);
  try {
    await endProcess(stubborn.pid!, 200);
  } finally {
    clock.mockRestore();
  }
  expect((await exited)[1]).toBe('SIGKILL');
});
