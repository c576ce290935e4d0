import { existsSync, readdirSync } from 'node:fs';
import { imageTag } from '../../../activities/sandbox/image-recipe';
import { probeSandbox } from '../../../activities/sandbox/probe';
import { waitUntil } from '../../support/wait-until';
import { SandboxFixture } from './support/sandbox-fixture';

const fixture = new SandboxFixture();
afterAll(() => fixture.dispose());

describe.each(['agent', 'nanobot'] as const)('a sandbox of the image %s', (image) => {
  it('holds against everything that is tried from inside, and the probe leaves nothing', async () => {
    const sandboxesDir = await fixture.folder();
    const findings = await probeSandbox({
      docker: fixture.docker,
      image: imageTag(image),
      stack: fixture.stack,
      hostId: 'host-1',
      sandboxesDir,
    });
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    const names = findings.map(({ name }) => name).join('\n');
    for (const tried of [
      'no connection to',
      'no writing to',
      'no capabilities',
      'processes are limited',
      'memory is limited',
      'size of a file',
      'workspace is limited',
      'gateway.sock of',
    ])
      expect(names).toContain(tried);
    expect(existsSync(sandboxesDir) && readdirSync(sandboxesDir)).toEqual([]);
  });
});

it('finds a sandbox that does not hold', async () => {
  const loose = new Proxy(fixture.docker, {
    get: (docker, name) => {
      if (name !== 'createContainer') {
        const value: unknown = Reflect.get(docker, name);
        return typeof value === 'function' ? (value.bind(docker) as unknown) : value;
      }
      return (options: { HostConfig: object }) =>
        docker.createContainer({
          ...options,
          NetworkDisabled: false,
          HostConfig: { ...options.HostConfig, NetworkMode: 'bridge', CapDrop: [] },
        });
    },
  });
  const sandboxesDir = await fixture.folder();
  await expect(
    probeSandbox({
      docker: loose,
      image: imageTag('agent'),
      stack: fixture.stack,
      hostId: 'host-1',
      sandboxesDir,
    }),
  ).rejects.toThrow(
    /did not confine the sandbox as asked \(.*network: asked "none", has "bridge"/u,
  );
});

it('leaves nothing where it is ended early', async () => {
  const sandboxesDir = await fixture.folder();
  const stop = new AbortController();
  const stack = `${fixture.stack}-early`;
  const probing = probeSandbox({
    docker: fixture.docker,
    image: imageTag('agent'),
    stack,
    hostId: 'host-1',
    sandboxesDir,
    signal: stop.signal,
  });
  probing.catch(() => undefined);
  const ours = () =>
    fixture.docker.listContainers({ all: true, filters: { name: [`^/${stack}-`] } });
  await waitUntil(async () => (await ours()).length > 0);
  stop.abort();
  await expect(probing).rejects.toThrow();
  expect(await ours()).toEqual([]);
  expect(readdirSync(sandboxesDir)).toEqual([]);
});
