import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attemptFiles } from '../../../activities/gateway/attempt-files';
import { startControlServer } from '../../../activities/gateway/control-server';
import { Gateway } from '../../../activities/gateway/gateway';
import { createGatewayControl } from '../../../activities/gateway/gateway-control';
import { gatewayVersion } from '../../../activities/gateway/gateway-version';
import { createModelClient } from '../../../activities/models/model-client';
import { startProvider } from '../../../activities/models/provider-server';
import { openAttemptWeb } from '../../../activities/web/attempt-web';
import { createWebFetcher } from '../../../activities/web/fetch-url';
import { createAccountSource } from '../../../config/account-source';
import { SILENT_LOGGER } from '../../../core/logger';
import { type AttemptRecord, type RunResult } from '../../../core/run';
import { LocalInternet } from '../web/support/local-internet';
import {
  type AgentWorld,
  attemptKey,
  disposedWorlds,
  finish,
  reserveAndPrepare,
  resultKey,
} from './support/agent-world';

const worldOf = disposedWorlds();
const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

const MODEL = {
  id: 'model',
  provider: 'replay' as const,
  name: 'model',
  parameters: {},
  account: 'replay',
  recordings: { name: 'set', digest: 'd' },
};
const PAGE = '<p>日本 rates</p>';

/**
 * A host whose gateway runs in this process, so that its internet can be a server on loopback: that is a constructor's
 * argument, and nothing that a configuration could say.
 */
async function hostOnline(world: AgentWorld, internet: LocalInternet, commands: readonly string[]) {
  const recordingsDir = join(world.folder, 'recordings');
  const dataDir = join(world.folder, 'host-1');
  await mkdir(join(recordingsDir, 'set', 'task'), { recursive: true });
  await mkdir(dataDir, { recursive: true });
  const turns = [
    ...commands.map((command) => ({ tools: [{ name: 'exec', arguments: { command } }] })),
    { text: 'done' },
  ];
  await writeFile(join(recordingsDir, 'set', 'task', 'all.yaml'), JSON.stringify({ turns }));
  const provider = await startProvider({ port: 0, recordingsDir });
  const providerFile = join(dataDir, 'provider.json');
  await writeFile(providerFile, JSON.stringify({ url: provider.url }));
  const file = join(dataDir, 'providers.yaml');
  const accounts = createAccountSource({ file, providerFile, environment: {} });
  const gateway = new Gateway({
    dataDir,
    modelClient: createModelClient({
      accounts,
      logger: SILENT_LOGGER,
      quirks: () => ({}),
      prices: () => undefined,
    }),
    openWeb: (attemptDir) =>
      openAttemptWeb({
        controlDir: attemptFiles(attemptDir).control,
        fetcher: createWebFetcher(internet.options({ timeoutMs: 20_000 })),
        logger: SILENT_LOGGER,
      }),
  });
  const version = gatewayVersion();
  const control = await startControlServer({ dataDir, gateway, version, onDrain: () => undefined });
  cleanUps.push(async () => {
    await control.stop();
    await gateway.drain(1_000);
    await provider.close();
  });
  return world.host(createGatewayControl({ dataDir }));
}

async function internetOf(): Promise<LocalInternet> {
  const internet = await LocalInternet.start((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/' });
    else if (request.url === '/slow')
      // Longer than the forwarder stays silent for a model's reply.
      return void setTimeout(() => response.end('late'), 11_000);
    else if (request.url === '/gone') response.writeHead(404);
    else response.writeHead(200, { 'content-type': 'text/html' });
    response.end(request.url === '/away' ? '' : PAGE);
  });
  cleanUps.push(() => internet.stop());
  return internet;
}

async function files(world: AgentWorld): Promise<Record<string, string>> {
  const result = await world.record<RunResult>(resultKey(world));
  const entries = await Promise.all(
    result!.deliverables.files.map(async ({ path, sha256 }) => {
      const content = await world.store.getBlob('open', sha256);
      return [path, Buffer.from(content).toString('utf8')] as const;
    }),
  );
  return Object.fromEntries(entries);
}

describe('an agent whose task grants a host', () => {
  it('fetches its pages and no others; what it asked for is kept with the attempt', async () => {
    const internet = await internetOf();
    const site = `http://site.example:${internet.port}`;
    const program = 'python3 ~/web_fetch.py';
    const world = await worldOf({ harness: 'minimal', model: MODEL, web: ['site.example'] });
    const host = await hostOnline(world, internet, [
      'cat /proc/self/environ > results/env; head -c 300 ~/web_fetch.py > /dev/null',
      `${program} ${site}/a results/a.html`,
      `${program} "${site}/b c?d=日" > results/b.html`,
      `python3 -c "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8080/web/${site}/c').read().decode(), end='')" > results/c.html`,
      `${program} ${site}/slow > results/slow.txt`,
      `${program} ${site}/gone 2> results/gone.txt || true`,
      `${program} ${site}/away 2> results/away.txt || true`,
      `${program} http://evil.example/ 2> results/evil.txt || true`,
      `${program} http://127.0.0.1/ 2> results/loopback.txt || true`,
      `python3 -c "import socket; socket.create_connection(('127.0.0.1', ${internet.port}), 3)" 2> results/direct.txt || true`,
    ]);
    const { end } = await finish(host, await reserveAndPrepare(host, world));
    expect(end).toMatchObject({ stopReason: 'completed' });
    const left = await files(world);
    expect(left).toMatchObject({ 'a.html': PAGE, 'b.html': PAGE, 'c.html': PAGE });
    expect(left['slow.txt']).toBe('late');
    expect(left['gone.txt']).toContain('status 404');
    expect(left['away.txt']).toContain('hosts are named, not addressed');
    expect(left['evil.txt']).toContain('this task grants no access to evil.example');
    expect(left['loopback.txt']).toContain('status 403');
    // There is no other way out.
    expect(left['direct.txt']).toContain('refused');
    const record = await world.record<AttemptRecord>(attemptKey(world, 1));
    expect(record!.web!.map(({ status, refused }) => status ?? refused?.reason)).toEqual([
      ...[200, 200, 200, 200, 404],
      ...['not-granted', 'not-granted', 'not-granted'],
    ]);
    expect(record!.web![1]!.url).toBe(`${site}/b%20c?d=%E6%97%A5`);
    const page = record!.logs.find(({ path }) => path === `web/${record!.web![0]!.sha256}`);
    const kept = await world.store.getBlob('open', page!.sha256);
    expect(Buffer.from(kept).toString('utf8')).toBe(PAGE);
    expect(internet.seen.map(({ url }) => url)).toEqual([
      ...['/a', '/b%20c?d=%E6%97%A5', '/c', '/slow', '/gone', '/away'],
    ]);
  });

  it('has no such access where the task grants none', async () => {
    const internet = await internetOf();
    const world = await worldOf({ harness: 'minimal', model: MODEL });
    const host = await hostOnline(world, internet, [
      'ls ~ > results/home.txt',
      `curl -s -o results/body.txt -w "%{http_code}" http://127.0.0.1:8080/web/http://site.example:${internet.port}/ > results/status.txt || python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/web/http://site.example/')" 2> results/status.txt || true`,
    ]);
    await finish(host, await reserveAndPrepare(host, world));
    const left = await files(world);
    expect(left['home.txt']).not.toContain('web_fetch');
    expect(left['status.txt']).toContain('404');
    expect(internet.connections).toBe(0);
    expect((await world.record<AttemptRecord>(attemptKey(world, 1)))!.web).toBeUndefined();
  });
});
