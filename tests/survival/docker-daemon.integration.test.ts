import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attemptPaths } from '../../activities/sandbox/attempt-paths';
import { AttemptState } from '../../activities/sandbox/attempt-state';
import { type SandboxEnd } from '../../activities/sandbox/port';
import { SandboxFixture, type TestAttempt } from '../activities/sandbox/support/sandbox-fixture';
import { OwnDockerDaemon } from '../support/own-docker-daemon';
import { waitUntil } from '../support/wait-until';

/** Works until it is told to end, and counts how often it was begun and how far it got. */
const AGENT = `
echo begun >> results/begun
i=0
while [ ! -e go ]; do i=$((i + 1)); echo $i > results/counter; sleep 0.05; done
echo done`;

const counter = (attempt: TestAttempt) =>
  Number(readFileSync(join(attempt.paths.workspace, 'results/counter'), 'utf8') || '0');
const begun = (attempt: TestAttempt) => join(attempt.paths.workspace, 'results/begun');

let daemon: OwnDockerDaemon;
let fixture: SandboxFixture;

beforeAll(async () => {
  daemon = await OwnDockerDaemon.start(true);
  fixture = new SandboxFixture(daemon.docker);
  await daemon.importImage('agent');
});
afterAll(async () => {
  try {
    await daemon.restart();
    await fixture.dispose();
  } finally {
    await daemon.stop();
  }
});
afterEach(() => daemon.restart());

describe.each([
  { liveRestore: true, what: 'goes on in its container, and ends once' },
  { liveRestore: false, what: 'is lost, never ended' },
])('a Docker daemon that is killed (live-restore: $liveRestore)', ({ liveRestore, what }) => {
  beforeAll(() => daemon.changeTo(liveRestore));

  const begin = async (script = AGENT): Promise<TestAttempt> => {
    const attempt = await fixture.script(script);
    await fixture.newSandbox().startOrAdopt(attempt.specification);
    await waitUntil(() => existsSync(begun(attempt)));
    return attempt;
  };

  it(`a sandbox that somebody waits for ${what}`, async () => {
    const attempt = await begin();
    const sandbox = fixture.newSandbox({ pollMs: 1_000 });
    const waiting = settled(sandbox.wait(attempt.specification, patience()));
    // By then the daemon has begun its answer, which will never end.
    await sleep(300);
    await daemon.kill();
    await daemon.restart();
    await writeFile(join(attempt.paths.workspace, 'go'), '');
    await expectEnd(attempt, await waiting, liveRestore);
  });

  it(`a sandbox that a new executor finds afterwards ${what}`, async () => {
    const attempt = await begin();
    await daemon.kill();
    await daemon.restart();
    const next = fixture.newSandbox();
    await next.startOrAdopt(attempt.specification);
    await writeFile(join(attempt.paths.workspace, 'go'), '');
    const end = await settled(next.wait(attempt.specification, patience()));
    await expectEnd(attempt, end, liveRestore);
  });

  it('an agent that ends on SIGTERM with exit code 0 does not look finished', async () => {
    const attempt = await begin(`trap 'exit 0' TERM\n${AGENT}`);
    await daemon.kill();
    await daemon.restart();
    await writeFile(join(attempt.paths.workspace, 'go'), '');
    const end = await settled(fixture.newSandbox().wait(attempt.specification, patience()));
    await expectEnd(attempt, end, liveRestore);
  });

  it('an agent that ends while there is no daemon has its end, with or without live-restore', async () => {
    const attempt = await begin();
    await daemon.kill();
    await writeFile(join(attempt.paths.workspace, 'go'), '');
    await waitUntil(() => existsSync(join(attempt.paths.supervisor, 'end.json')));
    await daemon.restart();
    const end = await settled(fixture.newSandbox().wait(attempt.specification, patience()));
    await expectEnd(attempt, end, true);
  });

  it('a daemon that is away longer than anybody is patient is trouble of the host, and the sandbox is kept', async () => {
    const attempt = await begin();
    await daemon.kill();
    const end = await settled(
      fixture.newSandbox({ daemonPatienceMs: 200 }).wait(attempt.specification, patience()),
    );
    expect(end).toMatchObject({ name: 'DockerUnavailable', retryable: true });
    expect(await new AttemptState(attempt.paths.control).read('ended')).toBeUndefined();
    await daemon.restart();
    await writeFile(join(attempt.paths.workspace, 'go'), '');
    await expectEnd(
      attempt,
      await settled(fixture.newSandbox().wait(attempt.specification, patience())),
      liveRestore,
    );
  });
});

/** With live-restore: the one end of the one run of the agent. Without: lost, and nothing says that it ended. */
async function expectEnd(
  attempt: TestAttempt,
  end: SandboxEnd | Error,
  goesOn: boolean,
): Promise<void> {
  const recorded = await new AttemptState(
    attemptPaths(attempt.specification.attemptDir).control,
  ).read('ended');
  expect(readFileSync(begun(attempt), 'utf8')).toBe('begun\n');
  if (goesOn) {
    expect(end).toMatchObject({ exit: { exitCode: 0, lastLogLines: ['done'] } });
    expect((end as SandboxEnd).intent).toBeUndefined();
    expect(recorded).toEqual(end);
    expect(counter(attempt)).toBeGreaterThan(0);
  } else {
    expect(end).toMatchObject({ name: 'SandboxLost', retryable: false });
    expect(recorded).toBeUndefined();
  }
}

function patience(): AbortSignal {
  return AbortSignal.timeout(300_000);
}

/** Attaches at once, so that a rejection during the test is nobody's unhandled one. */
function settled<T>(promise: Promise<T>): Promise<T | Error> {
  return promise.catch((error: unknown) => error as Error);
}
