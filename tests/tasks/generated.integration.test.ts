import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../activities/sandbox/image-recipe';
import { RECORDINGS } from './support/judge-recordings';
import { playRecording } from './support/play-recording';
import { runPythonScript } from './support/python-image';

jest.setTimeout(600_000);

const TASKS = join(projectRoot(), 'tasks');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Path below `root` to what `read` makes of the file. */
async function filesOf<T>(
  root: string,
  read: (content: Buffer) => T,
): Promise<Readonly<Record<string, T>>> {
  const found: [string, T][] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.push([relative(root, path), read(await readFile(path))]);
  }
  return Object.fromEntries(found.sort(([left], [right]) => (left < right ? -1 : 1)));
}

const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe('what scripts have made', () => {
  it('attachments and references are, byte for byte, what make.py makes', async () => {
    const copy = join(folder, 'tasks');
    await cp(TASKS, copy, { recursive: true });
    for (const task of await readdir(TASKS)) {
      await rm(join(copy, task, 'reference'), { recursive: true });
      await runPythonScript(`tasks/${task}/make.py`, [], {
        tasks: copy,
        'scripts/tasks': undefined,
      });
    }
    expect(await filesOf(copy, digest)).toEqual(await filesOf(TASKS, digest));
  });

  it('recorded judges cite what the recorded agents deliver', async () => {
    const played = join(folder, 'played');
    for (const set of ['strong', 'weak'])
      for (const task of await readdir(join(RECORDINGS, set)))
        for (const name of await readdir(join(RECORDINGS, set, task)))
          if (name.endsWith('.yaml'))
            await playRecording({
              recording: join(RECORDINGS, set, task, name),
              taskWorkspace: join(TASKS, task, 'workspace'),
              workspace: join(played, set, task, name.replace('.yaml', '')),
            });
    const written = join(folder, 'recordings');
    await mkdir(written);
    await runPythonScript('scripts/tasks/record_judges.py', ['/project/played'], {
      ...{ tasks: undefined, 'scripts/tasks': undefined },
      played,
      recordings: written,
    });
    const content = (bytes: Buffer) => parse(bytes.toString('utf8')) as unknown;
    expect(await filesOf(join(written, 'judge'), content)).toEqual(
      await filesOf(join(RECORDINGS, 'judge'), content),
    );
  });
});
