import Docker from 'dockerode';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attemptPaths } from '../../../activities/sandbox/attempt-paths';
import { DockerSandbox } from '../../../activities/sandbox/docker-sandbox';
import { type SandboxSpecification } from '../../../activities/sandbox/port';
import { DEFAULT_LIMITS } from '../../../core/limits';

let folder: string;
let server: Server | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'startupbench-dying-'));
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
  await rm(folder, { recursive: true, force: true });
});

/** A daemon whose answers to `wait` begin, and then go on as `waits` says. */
async function daemonWith(
  waits: (request: IncomingMessage, response: ServerResponse) => void,
  running: () => boolean,
): Promise<Docker> {
  const socketPath = join(folder, 'docker.sock');
  server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url?.includes('/wait') === true) {
      response.flushHeaders();
      waits(request, response);
      return;
    }
    const Status = running() ? 'running' : 'exited';
    const State = { Status, ExitCode: 0, OOMKilled: false, StartedAt: '', FinishedAt: '' };
    response.end(JSON.stringify({ Id: 'c', Image: 'sha256:i', State }));
  });
  await new Promise<void>((listening) => server!.listen(socketPath, listening));
  return new Docker({ socketPath });
}

/** An attempt whose supervisor has left its end record. */
async function endedAttempt(): Promise<SandboxSpecification> {
  const attemptDir = join(folder, 'attempt');
  const paths = attemptPaths(attemptDir);
  for (const path of [paths.control, paths.supervisor, paths.home])
    await mkdir(path, { recursive: true });
  const record = {
    ...{ v: 1, exitCode: 0, signal: null, stopRequested: false, durationMs: 1 },
    ...{ startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:01.000Z' },
    ...{ forwarderRestarts: 0, oomKills: 0, pidsRefused: 0 },
    ...{ memoryPeakBytes: null, diskFree: null },
    network: { refusedConnections: 0, namesAsked: [] },
  };
  await writeFile(join(paths.supervisor, 'end.json'), JSON.stringify(record));
  const labels = {
    ...{ stack: 'test', hostId: 'host', runKey: 'k', runId: 'r', workflowId: 'w' },
    ...{ generation: 1, attempt: 1 },
  };
  return {
    ...{ attemptId: 'attempt', attemptDir, labels, image: 'image' },
    ...{ command: [], environment: {}, limits: DEFAULT_LIMITS },
  };
}

it.each([
  ['breaks off', (_: IncomingMessage, response: ServerResponse) => void response.destroy()],
  ['says nothing more', () => undefined],
])('a daemon that %s in the middle of its answer is asked again', async (_how, waits) => {
  let asked = 0;
  const docker = await daemonWith(
    (request, response) => {
      asked++;
      waits(request, response);
    },
    () => asked === 0,
  );
  const sandbox = new DockerSandbox({ docker, pollMs: 50 });
  const end = await sandbox.wait(await endedAttempt(), AbortSignal.timeout(10_000));
  expect(end.exit.exitCode).toBe(0);
  expect(asked).toBe(1);
});

it('who lets go while such an answer is open is let go at once', async () => {
  const letGo = new AbortController();
  const docker = await daemonWith(
    () => letGo.abort(new Error('let go')),
    () => true,
  );
  const sandbox = new DockerSandbox({ docker, pollMs: 60_000 });
  await expect(sandbox.wait(await endedAttempt(), letGo.signal)).rejects.toThrow('let go');
});
