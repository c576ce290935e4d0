import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examineProcesses } from '../../workers/doctor';

describe('what doctor says of a host without a worker', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'doctor-'));
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });
  const details = async (temporalAddress: string | undefined): Promise<string[]> =>
    (await examineProcesses({ dataDir, temporalAddress })).map(({ detail }) => detail);

  it('names `up` where this machine is the whole stack', async () => {
    for (const detail of await details(undefined))
      expect(detail).toMatch(/^does not run here: \S+ up starts it$/u);
  });

  it('names the roles where it is one of many hosts, and that it may need none', async () => {
    const [gateway, worker] = await details('temporal.example:7233');
    expect(gateway).toBe('does not run here: a worker with the role agent starts it');
    expect(worker).toMatch(/ worker --roles \.\.\. starts it with the roles this host is for/u);
    expect(worker).toContain('not needed where other hosts have workers');
  });
});
