import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createModelClient } from '../../activities/models/model-client';
import { createAccountSource } from '../../config/account-source';
import { waitUntil } from '../support/wait-until';

it('the provider process says where it listens, and replays recordings through its account', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'provider-'));
  const recordings = join(dataDir, 'recordings');
  mkdirSync(join(recordings, 'strong', 'task'), { recursive: true });
  writeFileSync(
    join(recordings, 'strong', 'task', 'r2.yaml'),
    'turns: [{ text: "recorded words" }]\n',
  );
  const environment = {
    ...process.env,
    STARTUPBENCH_DATA: dataDir,
    STARTUPBENCH_RECORDINGS: recordings,
  };
  const main = join(__dirname, '../../workers/provider-main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    env: environment,
    stdio: 'ignore',
  });
  try {
    const providerFile = join(dataDir, 'provider.json');
    await waitUntil(() => existsSync(providerFile), 30_000);
    const accounts = createAccountSource({
      file: join(dataDir, 'none'),
      providerFile,
      environment: {},
    });
    const reply = await createModelClient({ accounts }).complete({
      model: {
        id: 'replay-strong',
        provider: 'replay',
        name: 'recordings/strong',
        parameters: {},
        account: 'replay',
        recordings: { name: 'strong', digest: '' },
      },
      body: { messages: [{ role: 'user', content: 'go' }] },
      context: { purpose: 'agent', taskId: 'task', repetition: 2 },
      inactivityTimeoutMs: 10_000,
    });
    expect(reply.completion['choices']).toMatchObject([{ message: { content: 'recorded words' } }]);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 60_000);
