import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until';
import { runToEnd, SandboxFixture } from './support/sandbox-fixture';

const fixture = new SandboxFixture();
afterAll(() => fixture.dispose());

const OWN = '/run/supervisor/own';
/** What a supervisor would write; an agent that could place it would choose its own end. */
const FORGED =
  '{"v":1,"exitCode":0,"signal":null,"stopRequested":true,"startedAt":"2026-01-01T00:00:00Z",' +
  '"endedAt":"2026-01-01T00:00:01Z","durationMs":1,"forwarderRestarts":0,"oomKills":0,"pidsRefused":0,' +
  '"memoryPeakBytes":null,"diskFree":null,"network":{"refusedConnections":0,"namesAsked":[]}}';
/** Folders where a record has been looked for, or could be. */
const PLACES = [OWN, '/run/supervisor', '/run/startupbench', '/home/agent/.startupbench'];
const everywhere = (script: string) =>
  `mkdir -p /home/agent/.startupbench; for at in ${PLACES.join(' ')}; do for name in end.json end.json.part began start.json; do { ${script}; } 2>/dev/null; done; done`;

/** Each tries to choose its own end; all of them then end with 3. */
const ATTACKS: Record<string, string> = {
  'puts folders under every name': everywhere('rm -rf $at/$name; mkdir -p $at/$name/full'),
  'puts links under every name': everywhere('rm -f $at/$name; ln -s /dev/null $at/$name'),
  'puts links to our own program under every name': everywhere(
    'rm -f $at/$name; ln -s /opt/startupbench/supervisor.py $at/$name',
  ),
  'puts pipes under every name': everywhere('rm -f $at/$name; mkfifo $at/$name'),
  'removes the folders': PLACES.map((at) => `rm -rf ${at}; rmdir ${at}`).join('; '),
  'moves the folders away': PLACES.map((at) => `mv ${at} /tmp/`).join('; '),
  'takes all rights away': `chmod -R 000 ${PLACES.join(' ')} /run /home/agent /workspace`,
  'forges the record everywhere': everywhere(`echo '${FORGED}' > $at/$name`),
  'keeps files open and locked': everywhere(
    'exec {held}<>$at/$name && (flock -n $held; sleep 60) & true',
  ),
  'asks for files that cannot be changed': everywhere('chattr +i $at/$name; chattr +i $at'),
  'fills workspace, HOME and /tmp': ['/workspace', '/home/agent', '/tmp']
    .map((at) => `for i in 1 2 3 4; do head -c 30M /dev/zero > ${at}/fill-$i; done`)
    .join('; '),
  'uses up every file of its disk':
    "python3 -c \"import itertools\nfor i in itertools.count(): open(f'/home/agent/{i}', 'w')\"",
  'signals the supervisor in every way':
    'for s in $(seq 1 64); do kill -$s 1; done; ' +
    // As from outside, which real time signals allow to be claimed.
    'python3 -c "import ctypes, struct; c = ctypes.CDLL(None); ' +
    "i = struct.pack('iiiiii104x', 15, 0, -1, 0, 0, 0); [c.syscall(129, 1, 15, i) for _ in range(9)]\"",
  'limits the supervisor':
    'for l in cpu=0 fsize=0 nofile=0 as=0 data=0 nproc=0; do prlimit --pid 1 --$l; done; renice 19 1; head -c 100M /dev/zero >&9',
  'looks for the supervisor’s files':
    'for f in /proc/1/fd/* /proc/1/cwd /proc/1/root/run/supervisor/own/end.json; do echo x > $f; cat $f; done; ' +
    "python3 -c \"import os; os.pidfd_open(1); open('/proc/1/mem', 'r+b')\"",
  'makes the supervisor the first to go for want of memory': 'echo 1000 > /proc/1/oom_score_adj',
  'leaves children that make orphans for ever':
    '(setsid bash -c "while :; do (sleep 0 &) ; done" &) ; sleep 0.5',
  'leaves children that hold its output': '(setsid sleep 600 &)',
  'kills everything again and again':
    '(trap "" TERM; setsid bash -c "while :; do kill -9 -1; done" &); sleep 600',
};

describe('an agent chooses its result and never whose end it was', () => {
  it.each(Object.entries(ATTACKS))('one that %s', async (name, attack) => {
    const attempt = await fixture.script(`{ ${attack}; } 9>&1 >/tmp/said 2>&1; exit 3`);
    const end = await runToEnd(fixture, attempt);
    expect(end.intent).toBeUndefined();
    expect([end.exit.exitCode, end.exit.signal]).toEqual(
      name.startsWith('kills everything') ? [undefined, 'SIGKILL'] : [3, undefined],
    );
    expect(readdirSync(attempt.paths.supervisor).sort()).toEqual(
      ['began', 'end.json', 'start.json', 'stderr.log', 'stdout.log'].sort(),
    );
  });

  it('one that fills memory with many small processes ends by its limit, whoever the kernel takes', async () => {
    const attempt = await fixture.script(
      'for i in $(seq 1 55); do python3 -c "import time; x = bytearray(8 << 20); x[::4096] = b\'x\' * len(x[::4096]); time.sleep(600)" & done; wait -n; exit 3',
    );
    const end = await runToEnd(fixture, attempt);
    expect(end.intent).toBeUndefined();
    expect(end.exit.limitsHit).toContain('memory');
  });
});

describe('an agent cannot pass our loss for its end', () => {
  it('a forged record counts for nothing when the container is killed', async () => {
    const attempt = await fixture.script(
      `${everywhere(`echo '${FORGED.replace('"stopRequested":true', '"stopRequested":false')}' > $at/$name`)}; touch results/forged; sleep 600`,
    );
    const sandbox = fixture.newSandbox();
    await sandbox.startOrAdopt(attempt.specification);
    await waitUntil(() => existsSync(join(attempt.paths.workspace, 'results/forged')));
    await fixture.docker.getContainer(attempt.specification.attemptId).kill();
    await expect(
      sandbox.wait(attempt.specification, AbortSignal.timeout(300_000)),
    ).rejects.toMatchObject({ name: 'SandboxLost' });
  });

  it('removing the mark of its start does not let it run twice', async () => {
    const attempt = await fixture.script(
      `echo run >> results/runs; rm -f ${OWN}/began /run/startupbench/began; exec sleep 600`,
    );
    const sandbox = fixture.newSandbox();
    await sandbox.startOrAdopt(attempt.specification);
    const runs = join(attempt.paths.workspace, 'results/runs');
    await waitUntil(() => existsSync(runs));
    const container = fixture.docker.getContainer(attempt.specification.attemptId);
    await container.kill();
    await container.start();
    await container.wait();
    expect(readFileSync(runs, 'utf8')).toBe('run\n');
  });
});
