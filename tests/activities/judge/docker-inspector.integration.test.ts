import Docker from 'dockerode';
import { randomUUID } from 'node:crypto';
import { createDockerInspector } from '../../../activities/judge/inspector/docker-inspector';
import { type EvidenceReader } from '../../../activities/evidence/port';
import { type InspectorSession } from '../../../activities/judge/port';
import { imageRecipe, imageTag } from '../../../activities/sandbox/image-recipe';
import { fakeEvidence } from './fake-evidence';

const docker = new Docker();
const label = randomUUID();
const script = `import pathlib, sys
print(pathlib.Path("data.csv").read_text(), sys.argv[1:])
pathlib.Path("results/new.txt").write_text("written")
print(sorted(path.name for path in pathlib.Path("results").iterdir()))
sys.exit(3)
`;
const evidence: EvidenceReader = fakeEvidence([
  { artifact: 'results/solve.py', lines: script.split('\n') },
  { artifact: 'results/报告 (1).md', lines: ['合计 12'] },
  { artifact: 'inputs/data.csv', lines: ['a,b'] },
]);

function inspector(image = imageTag('inspector')) {
  return createDockerInspector({
    docker,
    image,
    recipe: imageRecipe('inspector'),
    labels: { 'startupbench.test': label },
  });
}

async function containers() {
  return docker.listContainers({ all: true, filters: { label: [`startupbench.test=${label}`] } });
}

describe('the inspector container', () => {
  let session: InspectorSession;
  beforeAll(async () => {
    session = await inspector().open(evidence);
  });
  afterAll(async () => {
    await session.close();
    expect(await containers()).toEqual([]);
  });

  it('is not started before it is used', async () => {
    const unused = await inspector().open(evidence);
    await unused.close();
    expect(await containers()).toEqual([]);
  });

  it('reads the originals, names in any script, and has the office libraries', async () => {
    const end = await session.run(
      `import openpyxl, docx, pypdf, pandas, PIL
print(open('/evidence/results/报告 (1).md').read())
print(open('/evidence/inputs/data.csv').read())`,
      60_000,
    );
    expect(end).toMatchObject({ output: '合计 12\na,b\n', timedOut: false, exitCode: 0 });
    expect(end.durationMs).toBeGreaterThan(0);
  });

  it('cannot write evidence or system, gain rights, or reach a network', async () => {
    const { output } = await session.run(
      `import os, socket
def tried(what, act):
    try:
        act()
        print(what, 'WORKED')
    except OSError as error:
        print(what, type(error).__name__)
tried('evidence', lambda: open('/evidence/results/solve.py', 'w'))
tried('new evidence', lambda: open('/evidence/results/x', 'w'))
tried('unlink', lambda: os.unlink('/evidence/inputs/data.csv'))
tried('root', lambda: open('/etc/x', 'w'))
tried('setuid', lambda: os.setuid(0))
tried('network', lambda: socket.create_connection(('1.1.1.1', 53), 2))
print(os.listdir('/sys/class/net'), os.getuid() >= 30000)
print([line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapEff', 'NoNewPrivs'))])`,
      60_000,
    );
    expect(output.split('\n')).toEqual([
      'evidence PermissionError',
      'new evidence PermissionError',
      'unlink PermissionError',
      'root OSError',
      'setuid PermissionError',
      'network OSError',
      "['lo'] True",
      "['0000000000000000', '1']",
      '',
    ]);
  });

  it('is isolated from files beside it: -I ignores the working folder', async () => {
    await session.run(`open('/tmp/json.py', 'w').write('raise SystemExit("hijacked")')`, 60_000);
    const { output } = await session.run('import json; print(json.dumps([1]))', 60_000);
    expect(output).toBe('[1]\n');
  });

  it('stops what runs too long, with everything it started', async () => {
    const end = await session.run(
      `import subprocess, time
subprocess.Popen(['sleep', '1000'], start_new_session=True)
print('started', flush=True)
time.sleep(1000)`,
      5_000,
    );
    expect(end).toMatchObject({ output: 'started\n', timedOut: true });
    const { output } = await session.run(
      `import os
names = [open(f'/proc/{p}/comm').read().strip() for p in os.listdir('/proc') if p.isdigit()]
print('sleep' in names)`,
      60_000,
    );
    expect(output).toBe('False\n');
  });

  it('leaves nothing running after a call that ended by itself', async () => {
    await session.run(
      `import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True)`,
      60_000,
    );
    const { output } = await session.run(
      `import os; print(len([p for p in os.listdir('/proc') if p.isdigit()]))`,
      60_000,
    );
    // Process 1, the helper and this Python.
    expect(Number(output)).toBeLessThanOrEqual(3);
  });

  it('bounds the output and keeps both ends', async () => {
    const { output } = await session.run(
      `print('begin'); print('x' * 10_000_000); print('end')`,
      60_000,
    );
    expect(output.length).toBeLessThan(70_000);
    expect(output.startsWith('begin\n')).toBe(true);
    expect(output.trimEnd().endsWith('end')).toBe(true);
    expect(output).toContain('bytes left out');
  });

  it('reports errors of the code as its output', async () => {
    const end = await session.run('1 / 0', 60_000);
    expect(end.output).toContain('ZeroDivisionError');
    expect(end.exitCode).toBe(1);
  });

  it('survives code that takes its runner down', async () => {
    const end = await session.run(`import os; os.kill(-1, 9)`, 60_000);
    expect(end.output).toContain('took its runner down');
    expect((await session.run('print(1)', 60_000)).output).toBe('1\n');
  });

  it('starts again when its container was removed by others', async () => {
    for (const { Id } of await containers()) await docker.getContainer(Id).remove({ force: true });
    expect((await session.run('print(2)', 60_000)).output).toBe('2\n');
  });

  it('shares nothing between sessions', async () => {
    await session.run(`open('/tmp/secret', 'w').write('x')`, 60_000);
    const other = await inspector().open(evidence);
    try {
      const { output } = await other.run(`import os; print(os.listdir('/tmp'))`, 60_000);
      expect(output).toBe('[]\n');
    } finally {
      await other.close();
    }
  });

  it('runs delivered code over copies, in a container of its own', async () => {
    const end = await session.runDelivered('results/solve.py', ['one', 'two'], 60_000);
    expect(end).toMatchObject({
      output: "a,b ['one', 'two']\n['new.txt', 'solve.py', '报告 (1).md']\n",
      exitCode: 3,
      timedOut: false,
    });
    const { output } = await session.run(
      `import os; print(os.listdir('/evidence/results'))`,
      60_000,
    );
    expect(output).not.toContain('new.txt');
    expect(await containers()).toHaveLength(1);
  });

  it('ends what still runs when it is closed', async () => {
    const other = await inspector().open(evidence);
    await other.run('print(1)', 60_000);
    const running = other.run('import time; time.sleep(100)', 60_000);
    const ended = expect(running).rejects.toThrow('closed');
    await new Promise((resolve) => setTimeout(resolve, 300));
    await other.close();
    await ended;
    await expect(other.run('print(2)', 60_000)).rejects.toThrow('closed');
    expect(await containers()).toHaveLength(1);
  });

  it('says how to build an image that is missing', async () => {
    const missing = await inspector('startupbench/inspector:none').open(evidence);
    await expect(missing.run('print(1)', 1_000)).rejects.toMatchObject({
      type: 'ConfigMissing',
      message: expect.stringContaining('scripts/images.ts inspector') as string,
    });
  });

  it('calls a daemon that does not answer what it is', async () => {
    const nowhere = createDockerInspector({
      docker: new Docker({ socketPath: '/nonexistent/docker.sock' }),
      image: 'x',
      recipe: 'r',
      labels: {},
    });
    const other = await nowhere.open(evidence);
    await expect(other.run('print(1)', 1_000)).rejects.toMatchObject({ type: 'DockerUnavailable' });
  });
});
