import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMounted } from '../../../activities/sandbox/attempt-disk';
import { AttemptState } from '../../../activities/sandbox/attempt-state';
import { DockerSandbox } from '../../../activities/sandbox/docker-sandbox';
import Docker from 'dockerode';
import { waitUntil } from '../../support/wait-until';
import { runToEnd, SandboxFixture, type TestAttempt } from './support/sandbox-fixture';

const fixture = new SandboxFixture();
afterAll(() => fixture.dispose());

const failureType = (type: string) => expect.objectContaining({ name: type }) as unknown;
const ownLog = (attempt: TestAttempt, name: string) => join(attempt.paths.supervisor, name);

describe('an agent that ends by itself', () => {
  it('leaves its files, its exit code and its output', async () => {
    const attempt = await fixture.script(
      'echo hello > results/hello.txt; echo out; echo err >&2; whoami; exit 7',
    );
    const end = await runToEnd(fixture, attempt);
    expect(end.intent).toBeUndefined();
    expect(end.exit).toMatchObject({ exitCode: 7, outOfMemory: false, limitsHit: [] });
    expect(end.exit.lastLogLines).toEqual(['out', 'agent', 'err']);
    expect(end.imageDigest).toMatch(/^sha256:/u);
    expect(readFileSync(join(attempt.paths.workspace, 'results/hello.txt'), 'utf8')).toBe(
      'hello\n',
    );
  });

  it('gets its standard input from a file and its environment from the orders, not from the container record', async () => {
    const attempt = await fixture.script('cat; echo "$SECRET_WORD"', {
      standardInput: '/home/agent/prompt.txt',
      environment: { SECRET_WORD: 'only-inside' },
    });
    await writeFile(join(attempt.paths.home, 'prompt.txt'), 'the prompt\n', { mode: 0o644 });
    const end = await runToEnd(fixture, attempt);
    expect(end.exit.lastLogLines).toEqual(['the prompt', 'only-inside']);
    const record = JSON.stringify(
      await fixture.docker.getContainer(attempt.specification.attemptId).inspect(),
    );
    expect(record).not.toContain('only-inside');
    expect(record).not.toContain('the prompt');
  });

  it('keeps the beginning and the end of 200 MB of output within bounds', async () => {
    const attempt = await fixture.script(
      'echo first; head -c 200000000 /dev/zero; printf "\\nlast\\n"',
    );
    const end = await runToEnd(fixture, attempt);
    expect(end.exit.exitCode).toBe(0);
    expect(end.exit.lastLogLines.at(-1)).toBe('last');
    const log = await readFile(ownLog(attempt, 'stdout.log'), 'latin1');
    expect(log.length).toBeLessThan(6 * 1024 ** 2);
    expect(log.startsWith('first\n')).toBe(true);
    expect(log).toMatch(/\[\.\.\. \d+ bytes left out \.\.\.\]/u);
  });

  it('cannot take its supervisor with it when it kills everything it sees', async () => {
    const end = await runToEnd(
      fixture,
      await fixture.script(
        'kill -TERM 1 2>/dev/null; kill -KILL 1 2>/dev/null; kill -KILL -1; echo alone; kill -KILL $$',
      ),
    );
    expect(end.intent).toBeUndefined();
    expect(end.exit).toMatchObject({ signal: 'SIGKILL', lastLogLines: ['alone'] });
  });

  it('has its ways out counted and the names it asked for noted, and is told at once that there are none', async () => {
    const attempt = await fixture.script(
      'getent hosts Files.Example.com; getent hosts files.example.com; python3 -c "import urllib.request; urllib.request.urlopen(\'http://pypi.example/\')"; ' +
        'printf "x" > /dev/tcp/1.2.3.4/80; printf "x" > /dev/udp/8.8.8.8/53; printf "x" > /dev/tcp/127.0.0.1/9; ' +
        // What is no question is no name, and stops nothing.
        'printf "rubbish" > /dev/udp/127.0.0.1/53; head -c 2000 /dev/urandom > /dev/udp/127.0.0.1/53; ' +
        'getent hosts last.example; exit 4',
    );
    const end = await runToEnd(fixture, attempt);
    expect(end.exit.exitCode).toBe(4);
    expect(end.exit.network?.refusedConnections).toBe(2);
    const names = end.exit.network?.namesAsked.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['files.example.com', 'pypi.example', 'last.example']),
    );
    // One connection that is not refused would take two minutes.
    expect(end.exit.durationMs).toBeLessThan(100_000);
  });

  it('that reaches for nothing outside is said to have done so', async () => {
    const attempt = await fixture.script(
      'getent hosts localhost && getent ahosts sandbox && hostname -f',
    );
    const end = await runToEnd(fixture, attempt);
    expect(end.exit).toMatchObject({
      exitCode: 0,
      network: { refusedConnections: 0, namesAsked: [] },
    });
  });

  it('takes its background processes with it', async () => {
    const attempt = await fixture.script('setsid sleep 600 & echo started; exit 0');
    expect((await runToEnd(fixture, attempt)).exit).toMatchObject({ exitCode: 0 });
  });

  it('reports a command that does not exist', async () => {
    const end = await runToEnd(fixture, await fixture.attempt(['/no/such/harness']));
    expect(end.exit.exitCode).toBe(127);
    expect(end.exit.lastLogLines.join()).toContain('cannot start /no/such/harness');
  });
});

describe('a limit that an agent reaches is an outcome', () => {
  it('memory', async () => {
    const attempt = await fixture.attempt(['python3', '-c', 'x = bytearray(1 << 30)']);
    const end = await runToEnd(fixture, attempt);
    expect(end.intent).toBeUndefined();
    expect(end.exit).toMatchObject({
      signal: 'SIGKILL',
      outOfMemory: true,
      limitsHit: ['memory'],
    });
  });

  it('processes', async () => {
    const attempt = await fixture.attempt([
      'python3',
      '-c',
      'import os, time\nfor i in range(200):\n    if os.fork() == 0: time.sleep(30)',
    ]);
    const end = await runToEnd(fixture, attempt);
    expect(end.exit).toMatchObject({ exitCode: 1, limitsHit: ['pids'] });
  });

  it('the size of a file', async () => {
    const attempt = await fixture.script('exec dd if=/dev/zero of=big bs=1M count=40');
    expect((await runToEnd(fixture, attempt)).exit.limitsHit).toEqual(['file-size']);
  });

  it('the disk, where it is a file system of its own: the write ends, the end is recorded', async () => {
    const attempt = await fixture.script(
      'for i in 1 2 3 4; do dd if=/dev/zero of=$i bs=1M count=30 2>/dev/null; done; echo full > results/note; exit 0',
    );
    expect(await isMounted(attempt.paths.disk)).toBe(true);
    const end = await runToEnd(fixture, attempt);
    expect(end.exit).toMatchObject({ exitCode: 0, limitsHit: ['disk'] });
  });
});

describe('an end that is not the agent’s', () => {
  it.each([
    ['removed by force', (name: string) => new Docker().getContainer(name).remove({ force: true })],
    ['killed', (name: string) => new Docker().getContainer(name).kill()],
    ['asked to stop by others', (name: string) => new Docker().getContainer(name).stop({ t: 5 })],
  ])('%s is a lost sandbox', async (_, end) => {
    const { specification } = await fixture.script('trap "exit 0" TERM; sleep 600 & wait');
    const sandbox = fixture.newSandbox();
    await sandbox.startOrAdopt(specification);
    const waiting = sandbox.wait(specification, AbortSignal.timeout(300_000));
    await Promise.all([
      expect(waiting).rejects.toEqual(failureType('SandboxLost')),
      end(specification.attemptId),
    ]);
    await expect(sandbox.wait(specification, AbortSignal.timeout(300_000))).rejects.toEqual(
      failureType('SandboxLost'),
    );
  });

  it('a removed container is never started again under its attempt', async () => {
    const { specification } = await fixture.script('sleep 600');
    const sandbox = fixture.newSandbox();
    await sandbox.startOrAdopt(specification);
    await fixture.docker.getContainer(specification.attemptId).remove({ force: true });
    await expect(sandbox.startOrAdopt(specification)).rejects.toEqual(failureType('SandboxLost'));
  });

  it('a container that others start again does not run its agent a second time', async () => {
    const attempt = await fixture.script('echo run >> results/runs; exec sleep 600');
    const sandbox = fixture.newSandbox();
    await sandbox.startOrAdopt(attempt.specification);
    const runs = join(attempt.paths.workspace, 'results/runs');
    await waitUntil(() => existsSync(runs));
    const container = fixture.docker.getContainer(attempt.specification.attemptId);
    await container.kill();
    await container.start();
    await container.wait();
    expect(readFileSync(runs, 'utf8')).toBe('run\n');
    await expect(sandbox.wait(attempt.specification, AbortSignal.timeout(300_000))).rejects.toEqual(
      failureType('SandboxLost'),
    );
  });
});

describe('our own stop', () => {
  it('is an end with its intent, whatever the agent does with SIGTERM', async () => {
    const attempt = await fixture.script(
      'trap "" TERM; touch results/ready; while true; do sleep 1; done',
    );
    const sandbox = fixture.newSandbox();
    await sandbox.startOrAdopt(attempt.specification);
    await waitUntil(() => existsSync(join(attempt.paths.workspace, 'results/ready')));
    await sandbox.stop(attempt.specification, 'timeout');
    await sandbox.stop(attempt.specification, 'cancelled');
    const end = await sandbox.wait(attempt.specification, AbortSignal.timeout(300_000));
    expect(end).toMatchObject({
      intent: 'timeout',
      exit: { signal: 'SIGKILL', limitsHit: ['time'] },
    });
  });

  it('does not turn an end that came before it into ours', async () => {
    const attempt = await fixture.script('exit 0');
    const sandbox = fixture.newSandbox();
    await sandbox.startOrAdopt(attempt.specification);
    await fixture.docker.getContainer(attempt.specification.attemptId).wait();
    await sandbox.stop(attempt.specification, 'cancelled');
    const end = await sandbox.wait(attempt.specification, AbortSignal.timeout(300_000));
    expect(end.intent).toBeUndefined();
    expect(end.exit.exitCode).toBe(0);
  });

  it('before the start means that nothing starts', async () => {
    const attempt = await fixture.script('touch results/ran');
    const sandbox = fixture.newSandbox();
    await sandbox.stop(attempt.specification, 'cancelled');
    await sandbox.startOrAdopt(attempt.specification);
    const end = await sandbox.wait(attempt.specification, AbortSignal.timeout(300_000));
    expect(end.intent).toBe('cancelled');
    expect(existsSync(join(attempt.paths.workspace, 'results/ran'))).toBe(false);
  });
});

describe('removal', () => {
  it('leaves neither container nor mount nor folder, running or not, and may be repeated', async () => {
    const attempt = await fixture.script('sleep 600');
    const sandbox = fixture.newSandbox();
    await sandbox.startOrAdopt(attempt.specification);
    await sandbox.remove(attempt.specification);
    await sandbox.remove(attempt.specification);
    expect(existsSync(attempt.paths.attemptDir)).toBe(false);
    expect(await isMounted(attempt.paths.disk)).toBe(false);
    await expect(
      fixture.docker.getContainer(attempt.specification.attemptId).inspect(),
    ).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('a daemon in trouble', () => {
  it('that cannot be reached is DockerUnavailable, a missing image ConfigMissing', async () => {
    const { specification } = await fixture.script('true');
    const nobody = new DockerSandbox({ docker: new Docker({ socketPath: '/nonexistent.sock' }) });
    await expect(nobody.startOrAdopt(specification)).rejects.toEqual(
      failureType('DockerUnavailable'),
    );
    await expect(
      fixture.newSandbox().startOrAdopt({ ...specification, image: 'startupbench/agent:absent' }),
    ).rejects.toEqual(failureType('ConfigMissing'));
  });
});

it('the agent cannot remove the socket from the folder that is shared for it, nor leave anything there', async () => {
  const attempt = await fixture.script(
    'cd /run/startupbench; until [ -e gateway.sock ]; do sleep 0.05; done; rm -f gateway.sock; touch mine; exit 0',
  );
  const sandbox = fixture.newSandbox();
  await sandbox.startOrAdopt(attempt.specification);
  await writeFile(join(attempt.paths.run, 'gateway.sock'), '');
  await sandbox.wait(attempt.specification, AbortSignal.timeout(300_000));
  expect(readdirSync(attempt.paths.run)).toEqual(['gateway.sock']);
});

it('keeps the first intent and counts epochs upward', async () => {
  const attempt = await fixture.script('true');
  const state = new AttemptState(attempt.paths.control);
  await Promise.all(
    (['timeout', 'disk'] as const).map((intent) => state.writeIntent({ intent, at: 'now' })),
  );
  expect(['timeout', 'disk']).toContain(await state.readIntent());
  const epochs = await Promise.all([state.raiseEpoch(), state.raiseEpoch(), state.raiseEpoch()]);
  expect(epochs.sort()).toEqual([1, 2, 3]);
  expect(await state.epoch()).toBe(3);
});
