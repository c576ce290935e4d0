import { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setUpTemporal } from '../../infra/temporal-setup';
import { attachOrStart, findExecution } from '../../workers/sweep-control';
import { connectClient } from '../../workers/temporal-connection';
import { findTemporal, startDevServer, waitForTemporal } from '../../workers/temporal-server';
import { freePorts } from '../support/free-ports';
import { samplePlan } from '../support/sample-plan';
import { waitUntil } from '../support/wait-until';

let folder: string;
let server: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'startupbench-new-server-'));
});
afterAll(async () => {
  if (server?.exitCode === null) {
    const gone = new Promise((ended) => server?.once('exit', ended));
    server.kill('SIGKILL');
    await gone;
  }
  await rm(folder, { recursive: true, force: true });
});

it('a sweep starts at a server that has lost its database as soon as it is set up again', async () => {
  const [port = 0, uiPort = 0] = await freePorts(2);
  const address = `127.0.0.1:${port}`;
  server = await startDevServer({
    binary: await findTemporal(process.env['STARTUPBENCH_DATA'] ?? resolve('.startupbench')),
    port,
    uiPort,
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    dynamicConfig: {},
  });
  await waitForTemporal(address);
  const client = await connectClient({ address, namespace: 'default', uiUrl: undefined });
  const plan = samplePlan();
  const over = new AbortController();
  // No worker answers here: the call stays open once the server has taken it.
  const starting = client
    .withAbortSignal(over.signal, () =>
      attachOrStart({ client, stack: 'nobody', plan, planKey: 'open/sweeps/sample/plan-1.json' }),
    )
    .catch((error: unknown) => error);
  const early = await Promise.race([starting, new Promise((wait) => setTimeout(wait, 2_500))]);
  expect(early).toBeUndefined();
  expect(await findExecution(client, plan.sweep)).toBeUndefined();
  await setUpTemporal({ address, namespace: 'default' });
  await waitUntil(async () => (await findExecution(client, plan.sweep))?.isOpen === true, 30_000);
  over.abort();
  await starting;
  await client.connection.close();
});
