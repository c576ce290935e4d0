import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rememberProcess } from '../../workers/background-process';
import { writeDataFile } from '../../workers/data-file';
import { runsOtherCode, WORKER_FILE } from '../../workers/worker-code';

describe('whether the running worker has other code', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'worker-code-'));
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });
  const started = (digest: string) =>
    writeDataFile(dataDir, WORKER_FILE, { digest, arguments: [] });
  const ours = () => 'ours';

  it('is so where it runs and was started with another digest', async () => {
    await rememberProcess(dataDir, 'worker', process.pid);
    await started('theirs');
    expect(await runsOtherCode(dataDir, ours)).toBe(true);
    await started('ours');
    expect(await runsOtherCode(dataDir, ours)).toBe(false);
  });

  it('is not so where none runs, or none was started here', async () => {
    expect(await runsOtherCode(dataDir, ours)).toBe(false);
    await started('theirs');
    expect(await runsOtherCode(dataDir, ours)).toBe(false);
  });
});
