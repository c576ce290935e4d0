import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rememberProcess } from '../../workers/background-process';
import { writeDataFile } from '../../workers/data-file';
import { keptArguments, runsOtherCode, WORKER_FILE } from '../../workers/worker-code';

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

describe('the arguments of the next worker', () => {
  it('are those of the one before where nothing is given', () => {
    expect(keptArguments(['--sandboxes', '2'], [])).toEqual(['--sandboxes', '2']);
    expect(keptArguments([], ['--judges', '3'])).toEqual(['--judges', '3']);
  });

  it('are what is given where it differs, whichever order it comes in', () => {
    const before = ['--sandboxes', '2', '--judges', '8'];
    expect(keptArguments(before, ['--judges', '3'])).toEqual(['--sandboxes', '2', '--judges', '3']);
    expect(keptArguments(before, ['--judges', '8', '--sandboxes', '2'])).toEqual(before);
    expect(keptArguments(before, ['--renders', '2'])).toEqual([...before, '--renders', '2']);
    expect(keptArguments(['--sandboxes', '8', '--judges', '8'], ['--sandboxes', '1'])).toEqual([
      ...['--sandboxes', '1', '--judges', '8'],
    ]);
  });
});
