import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { openStore } from '../../activities/store/open-store';
import { type ObjectStore } from '../../activities/store/port';
import { steadyAgent, writeRecordedSweep } from '../support/recorded-sweep';
import { type S3Environment, type S3Server, startS3Server } from '../support/s3-server';
import { HostsLab, type WorkerHost } from './two-workers-hosts';
import { StoredResults } from './two-workers-results';

jest.setTimeout(600_000);

const ID = randomBytes(3).toString('hex');
const PLACE = 'tests/roles';
/** SeaweedFS's form of the policy in docs/guides/many-hosts.md. */
const AGENT = {
  name: 'agent',
  actions: ['Read', 'Write', 'List'].map((action) => `${action}:${PLACE}/open/*`),
};

const cleanUps: (() => Promise<void>)[] = [];
let folder: string;
let s3: S3Server;
let lab: HostsLab;
let agents: WorkerHost;
let judges: WorkerHost;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'startupbench-roles-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  s3 = await startS3Server([AGENT]);
  cleanUps.push(() => s3.stop());
  lab = await HostsLab.start(join(folder, 'recordings'));
  cleanUps.push(() => lab.stop());
  [agents, judges] = await Promise.all([
    lab.startHost(`agents-${ID}`, ['--roles', 'agent', '--sandboxes', '2'], of(s3.envOf('agent'))),
    lab.startHost(
      `judges-${ID}`,
      ['--roles', 'workflow,render,judge', '--judges', '4', '--renders', '1'],
      of(s3.env),
    ),
  ]);
});
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

function of(credentials: S3Environment): Record<string, string> {
  return {
    ...credentials,
    STARTUPBENCH_STORE: `s3://${PLACE}`,
    STARTUPBENCH_STACK: `roles-${ID}`,
    STARTUPBENCH_RECORDINGS: join(folder, 'recordings'),
  };
}

const open = (credentials: S3Environment) => openStore(`s3://${PLACE}`, credentials);

async function keysBelow(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys;
}

describe('the credentials of an agent host', () => {
  it('reach open/ whole', async () => {
    const store = await open(s3.envOf('agent'));
    await store.verify();
    const { sha256 } = await store.putBlob('open', Buffer.from('a deliverable'));
    expect((await store.getBlob('open', sha256)).toString()).toBe('a deliverable');
    expect(await store.putRecord('open/try/claim.json', '1')).toBe('created');
    expect(await store.putRecord('open/try/claim.json', '2')).toBe('exists');
    expect(await store.hasRecord('open/try/absent.json')).toBe(false);
    expect(await store.getRecord('open/try/absent.json')).toBeUndefined();
    expect(await keysBelow(store, 'open/try/')).toEqual(['open/try/claim.json']);
  });

  it('reach nothing in sealed/, and the refusal says why', async () => {
    const trusted = await open(s3.env);
    const secret = await trusted.putBlob('sealed', Buffer.from('a rubric'));
    await trusted.putRecord('sealed/try/verdict.json', '1');
    const store = await open(s3.envOf('agent'));
    const refused = {
      type: 'ConfigMissing',
      message: expect.stringContaining('agent hosts') as string,
    };
    await expect(store.verify('sealed')).rejects.toMatchObject(refused);
    await expect(store.getBlob('sealed', secret.sha256)).rejects.toMatchObject(refused);
    await expect(store.hasBlob('sealed', secret.sha256)).rejects.toMatchObject(refused);
    await expect(store.getRecord('sealed/try/verdict.json')).rejects.toMatchObject(refused);
    await expect(store.putRecord('sealed/try/other.json', '1')).rejects.toMatchObject(refused);
    await expect(keysBelow(store, 'sealed/')).rejects.toMatchObject(refused);
    expect((await trusted.getRecord('sealed/try/verdict.json'))?.toString()).toBe('1');
  });
});

describe('an agent host that is kept out of sealed/', () => {
  it('makes its part of a sweep, and the other roles theirs', async () => {
    const file = await writeRecordedSweep(folder, {
      sweep: 'roles',
      agents: { report: steadyAgent(2, 0) },
      harness: 'minimal',
      items: 2,
    });
    const recorded = join(folder, 'recordings', 'judges-of-roles');
    await cp(join(recorded, 'roles'), join(recorded, 'reference'), { recursive: true });
    const sweep = parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, stringify({ ...sweep, harnesses: ['minimal', 'oracle', 'nop'] }));
    await lab.runWell(of(s3.env), 'sweep', 'run', file, '--yes');

    const results = await StoredResults.of('roles', of(s3.env));
    const scores: Record<string, number | undefined> = {};
    for (const run of results.runs) {
      const attempts = await results.attempts(run);
      expect(attempts.map(({ hostId }) => hostId)).toEqual([agents.hostId]);
      scores[run.lane.harness.id] = (await results.score(run))?.score;
    }
    expect(scores).toEqual({ minimal: 100, oracle: 100, nop: 0 });
    for (const host of [agents, judges]) expect(await host.log()).not.toContain('AccessDenied');
    // Nothing that only judges may see is within reach.
    const within = await open(s3.envOf('agent'));
    for (const { task } of results.runs)
      expect(await within.hasBlob('open', task.rubric.sha256)).toBe(false);
  });

  it('learns from doctor what it has, and what it rightly lacks', async () => {
    const { stdout } = await lab.run(of(s3.envOf('agent')), 'doctor');
    expect(stdout).toMatch(/^ok +store +s3:\/\/tests\/roles, writes once$/mu);
    expect(stdout).toMatch(/^warning +store sealed\/ .*AccessDenied/mu);
  });

  it('is warned where its credentials reach further than they should', async () => {
    const host = await lab.startHost(`careless-${ID}`, ['--roles', 'agent'], of(s3.env));
    await host.stop();
    expect(await host.log()).toContain('restrict them to open/');
    expect(await agents.log()).not.toContain('restrict them to open/');
  });

  it('can run no judge: such a worker ends at once, and says what it lacks', async () => {
    const { code, stderr } = await lab.run(of(s3.envOf('agent')), 'worker', '--roles', 'judge');
    expect(code).toBe(1);
    expect(stderr).toContain('credentials of agent hosts do not reach sealed/');
  });
});
