import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInProcessRenderer } from '../../../activities/evidence/in-process-renderer';
import { renderedArtifact } from '../../../activities/evidence/render-file';
import { FileStore } from '../../../activities/store/file-store';

describe('a worker that is killed while it renders', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lease-'));
    await mkdir(join(folder, 'scratch'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('is waited for while it lives; the file is rendered by another when it is dead', async () => {
    const store = new FileStore(join(folder, 'store'));
    const { sha256, bytes } = await store.putBlob('open', Buffer.from('# words'));
    const scratchDir = join(folder, 'scratch');
    const script = join(__dirname, 'support', 'rendering-worker.ts');
    const args = ['--import', 'tsx', script, join(folder, 'store'), scratchDir, sha256, `${bytes}`];
    const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(worker.stdout, 'data');
      let renderings = 0;
      const inner = createInProcessRenderer();
      const renderer = {
        recipe: 'slow',
        render: (job: Parameters<typeof inner.render>[0]) => {
          renderings++;
          return inner.render(job);
        },
      };
      const leaseTimings = { beatMs: 20, pollMs: 10, silentPolls: 500 };
      const ours = renderedArtifact(
        { store, renderer, scratchDir, leaseTimings },
        { file: { path: 'a.md', sha256, bytes }, format: 'markdown', scope: 'open' },
        undefined,
      );
      const claims = 'sealed/evidence/claims/slow/';
      const beatsOf = async (): Promise<number> => {
        let count = 0;
        for await (const key of store.list(claims)) if (key.includes('-beat-')) count++;
        return count;
      };
      for (const atFirst = await beatsOf(); (await beatsOf()) < atFirst + 10;)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(renderings).toBe(0);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      expect(await ours).toMatchObject({ status: 'rendered', format: 'markdown' });
      expect(renderings).toBe(1);
    } finally {
      worker.kill('SIGKILL');
    }
  });
});
