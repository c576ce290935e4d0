import { resolve } from 'node:path';
import { openStore } from '../../activities/store/open-store';
import { type RunDetails } from '../../workers/run-details';
import { type ListedRun } from '../../workers/run-list';
import { RealStack } from '../support/real-stack';

jest.setTimeout(900_000);

const SMOKE = resolve(__dirname, '../../sweeps/smoke.yaml');
const DEMO = resolve(__dirname, '../../sweeps/demo.yaml');
const TASKS = ['clinic-report-zh', 'contract-memo', 'inventory-summary', 'loyalty-levels'];

let stack: RealStack;

beforeAll(async () => {
  stack = await RealStack.start();
});
afterAll(() => stack.stop());

/** Runs a ready sweep to its end; every run must be scored. */
async function runSweep(file: string): Promise<string> {
  const { code, stderr } = await stack.run('sweep', 'run', file, '--yes');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stderr;
}

async function json<T>(...command: string[]): Promise<T> {
  const { stdout } = await stack.run(...command, '--json');
  return JSON.parse(stdout) as T;
}

/** `lane/task/r1` to score, rounded as the tables show it. */
async function scores(sweep: string): Promise<Record<string, number>> {
  const rows = await json<ListedRun[]>('run', 'list', sweep);
  return Object.fromEntries(
    rows.map(({ runId, score }) => [
      runId.replace('replay-', ''),
      Math.round((score ?? Number.NaN) * 100) / 100,
    ]),
  );
}

/** Pages that judges may have been shown: everything rendered so far. */
async function pageDigests(): Promise<Set<string>> {
  const store = await openStore(`file:${stack.dataDir}/store`, process.env);
  const digests = new Set<string>();
  for await (const key of store.list('sealed/evidence/artifacts/')) {
    const record = await store.getRecord(key);
    const { pages } = JSON.parse(new TextDecoder().decode(record)) as {
      pages: { sha256: string }[];
    };
    for (const { sha256 } of pages) digests.add(sha256);
  }
  return digests;
}

describe('the ready sweeps', () => {
  it('give the reference deliverables exactly 100 and an empty delivery exactly 0, on every task', async () => {
    await runSweep(SMOKE);
    const found = await scores('smoke');
    for (const task of TASKS) {
      expect(found[`strong@oracle/${task}/r1`]).toBe(100);
      expect(found[`strong@nop/${task}/r1`]).toBe(0);
      expect(found[`strong@minimal/${task}/r1`]).toBeGreaterThanOrEqual(90);
    }
  });

  it('give the demo the scores that its guide explains', async () => {
    await runSweep(DEMO);
    expect(await scores('demo')).toEqual({
      ...of('strong@nanobot/clinic-report-zh', 95.89, 95.89),
      ...of('strong@nanobot/contract-memo', 96.34, 96.34),
      ...of('strong@nanobot/inventory-summary', 100, 100),
      ...of('strong@nanobot/loyalty-levels', 96.15, 96.15),
      ...of('weak@nanobot/clinic-report-zh', 17.81, 50.68),
      ...of('weak@nanobot/contract-memo', 35.37, 20.73),
      ...of('weak@nanobot/inventory-summary', 69.44, 69.44),
      ...of('weak@nanobot/loyalty-levels', 62.82, 62.82),
    });
  });

  it("end the capped run with exactly the cap's replies and one closing request", async () => {
    const run = await json<RunDetails>(
      'run',
      'show',
      'demo',
      'replay-weak@nanobot/contract-memo/r1',
    );
    expect(run.result).toMatchObject({
      stopReason: 'step_cap',
      traffic: { steps: 20, modelRequests: 21, auxiliaryRequests: 1 },
    });
  });

  it('show judges pages as images, with the digests of the rendered pages', async () => {
    const { images } = (await stack.calls()) as unknown as { images: string[] };
    const pages = await pageDigests();
    expect(images.filter((sha256) => pages.has(sha256))).not.toEqual([]);
  });

  it('have nothing to do the second time', async () => {
    const before = await stack.calls();
    expect(await runSweep(DEMO)).toContain('nothing to do');
    expect(await stack.calls()).toEqual(before);
  });
});

function of(run: string, first: number, second: number): Record<string, number> {
  return { [`${run}/r1`]: first, [`${run}/r2`]: second };
}
