import Docker from 'dockerode';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rendererOptions } from '../../../activities/evidence/renderer-options';
import { RendererBench } from './support/renderer-bench';

const TIMEOUT_MS = 600_000;

describe('the renderer container', () => {
  let bench: RendererBench;
  beforeAll(async () => {
    bench = await RendererBench.open();
  });
  afterAll(() => bench.close());

  test(
    'two at once: one that hangs is killed and recorded, the other one ends well',
    async () => {
      const [hanging, other] = await Promise.all([
        bench.fixture('stock.xlsx', { innerTimeoutMs: 1_000 }),
        bench.fixture('stale.xlsx'),
      ]);
      expect(['truncated', 'refused']).toContain(hanging.artifact.status);
      expect(hanging.artifact.reason).toContain('rendering was stopped at its time limit');
      expect(hanging.artifact.bytes).toBeGreaterThan(0);
      expect(other.artifact.status).toBe('rendered');
      expect(await bench.containers()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a container that others stop says nothing about the file',
    async () => {
      const work = bench.fixture('stock.xlsx');
      const settled = work.then(
        () => 'rendered',
        (error: unknown) => error,
      );
      for (;;) {
        const [container] = await bench.containers();
        if (container?.State === 'running') {
          await bench.docker.getContainer(container.Id).kill();
          break;
        }
        await sleep(20);
      }
      expect(await settled).toMatchObject({ name: 'RenderUnavailable' });
    },
    TIMEOUT_MS,
  );

  test(
    'a stopped activity ends its container',
    async () => {
      const stop = new AbortController();
      const work = bench.fixture('stock.xlsx', { signal: stop.signal });
      const settled = work.catch((error: unknown) => error);
      while ((await bench.containers()).length === 0) await sleep(20);
      stop.abort(new Error('told to stop'));
      expect(await settled).toMatchObject({ message: 'told to stop' });
      expect(await bench.containers()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test('a missing image or daemon is trouble, no status', async () => {
    await expect(
      bench.fixture('stale.xlsx', { imageTag: 'startupbench/none:0' }),
    ).rejects.toMatchObject({
      name: 'RenderUnavailable',
    });
    const away = new Docker({ socketPath: join(bench.folder, 'no.sock') });
    await expect(bench.fixture('stale.xlsx', { docker: away })).rejects.toMatchObject({
      name: 'RenderUnavailable',
    });
  });

  test(
    'inside there is no network, no writable root, no capability and nobody to be',
    async () => {
      const out = await mkdtemp(join(bench.folder, 'probe-'));
      await writeFile(join(out, 'source'), 'x');
      const options = rendererOptions(
        { sourcePath: join(out, 'source'), outDir: out, format: 'text' },
        { imageTag: bench.image, stack: bench.stack, innerTimeoutMs: 20_000 },
      );
      const probe =
        'id -u; grep CapEff /proc/self/status; ls /sys/class/net; ' +
        'touch /usr/x 2>&1 || echo root-is-read-only; echo x > /in/source || echo input-is-read-only; ' +
        'printf "#!/bin/sh\\necho ran" > /tmp/p; chmod +x /tmp/p; /tmp/p || echo tmp-is-noexec';
      const container = await bench.docker.createContainer({
        ...options,
        Cmd: ['sh', '-c', probe],
      });
      await container.start();
      await container.wait();
      const log = (await container.logs({ stdout: true, stderr: true })).toString();
      await container.remove({ force: true });
      expect(log).toContain('65534');
      expect(log).toContain('CapEff:\t0000000000000000');
      expect(log).toContain('root-is-read-only');
      expect(log).toContain('input-is-read-only');
      expect(log).toContain('tmp-is-noexec');
      expect(log).not.toContain('eth0');
    },
    TIMEOUT_MS,
  );
});
