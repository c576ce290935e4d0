import Docker from 'dockerode';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callDocker, callDockerIfThere } from '../../../activities/sandbox/docker-errors';
import { removeContainer } from '../../../activities/sandbox/docker-sandbox';

let folder: string;
let server: Server;
let docker: Docker;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'startupbench-silent-'));
  const socketPath = join(folder, 'docker.sock');
  server = createServer((request, response) => {
    if (request.method === 'DELETE' && request.url?.includes('/silent') === true) return;
    const status = Number(/status-(\d+)/u.exec(request.url ?? '')?.[1] ?? 204);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 204 ? '' : '{"message": "because"}');
  });
  await new Promise<void>((listening) => server.listen(socketPath, listening));
  docker = new Docker({ socketPath });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await rm(folder, { recursive: true, force: true });
});

describe('calls to a Docker daemon', () => {
  it('end when it never answers', async () => {
    await expect(removeContainer(docker, 'silent', 50)).rejects.toMatchObject({
      name: 'DockerUnavailable',
      message: expect.stringContaining('remove container silent: no answer within') as unknown,
    });
  });

  it.each([
    ['gone already', 404],
    ['being removed by others', 409],
    ['removed', 204],
  ])('take a container that is %s as removed', async (_how, status) => {
    await removeContainer(docker, `status-${status}`);
  });

  it.each([
    [500, 'DockerUnavailable'],
    [503, 'DockerUnavailable'],
    [400, 'ConfigMissing'],
  ])('turn status %d into %s', async (status, name) => {
    await expect(removeContainer(docker, `status-${status}`)).rejects.toMatchObject({ name });
  });

  it('come out as DockerUnavailable when nobody listens, and as undefined when the thing is missing', async () => {
    const nobody = new Docker({ socketPath: join(folder, 'nobody.sock') });
    await expect(callDocker('list', () => nobody.listContainers())).rejects.toMatchObject({
      name: 'DockerUnavailable',
      message: expect.stringContaining('see that the daemon runs') as unknown,
    });
    const missing = () => docker.getContainer('status-404').inspect();
    expect(await callDockerIfThere('inspect', missing)).toBeUndefined();
  });
});
