import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { lookAtSettings, readSettings } from '../../config/environment';
import { newFolder, type TestFolder } from '../support/task-folder';

let folder: TestFolder;
beforeEach(() => {
  folder = newFolder();
  mkdirSync(join(folder.path, '.startupbench'), { mode: 0o700 });
});
afterEach(() => folder.remove());

describe('readSettings', () => {
  it('has defaults in the data folder of the current folder, private to its owner', () => {
    const settings = readSettings({}, folder.path);
    const data = join(folder.path, '.startupbench');
    expect(settings).toMatchObject({
      dataDir: data,
      store: `file:${data}/store`,
      providersFile: `${data}/providers.yaml`,
      temporalAddress: undefined,
      dockerHost: undefined,
      reapAfterMs: 60_000,
    });
    expect(settings.recordingsDir).toMatch(/\/recordings$/u);
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });

  it('takes the data folder of the checkout where the current folder has none', () => {
    rmSync(join(folder.path, '.startupbench'), { recursive: true });
    const { dataDir } = lookAtSettings({}, folder.path);
    expect(dataDir).toBe(resolve(__dirname, '../../.startupbench'));
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('makes nothing for commands that only look', () => {
    const settings = lookAtSettings({ STARTUPBENCH_DATA: 'data' }, folder.path);
    expect(settings.dataDir).toBe(join(folder.path, 'data'));
    expect(readdirSync(folder.path)).toEqual(['.startupbench']);
  });

  it('makes ids once and keeps them', () => {
    const first = readSettings({}, folder.path);
    expect(first.stackId).toMatch(/^s-[0-9a-f]{8}$/u);
    expect(first.hostId).toMatch(/^h-[0-9a-f]{8}$/u);
    expect(readSettings({}, folder.path)).toEqual(first);
    expect(readFileSync(join(first.dataDir, 'stack-id'), 'utf8')).toBe(`${first.stackId}\n`);
  });

  it('refuses a copy of a data folder whose original is still there, and goes on with one that was moved', () => {
    const data = (name: string) => ({ STARTUPBENCH_DATA: join(folder.path, name) });
    const original = readSettings(data('original'));
    cpSync(original.dataDir, join(folder.path, 'copy'), { recursive: true });
    expect(() => readSettings(data('copy'))).toThrow(
      /copy is a copy of .*original, which is still there, and both would run as one stack: use the original/u,
    );
    expect(lookAtSettings(data('copy')).stackId).toBe(original.stackId);
    symlinkSync(original.dataDir, join(folder.path, 'link'));
    expect(readSettings(data('link')).stackId).toBe(original.stackId);
    renameSync(original.dataDir, join(folder.path, 'moved'));
    expect(readSettings(data('moved')).stackId).toBe(original.stackId);
    // Which of the two is the copy is told by where it was used.
    expect(() => readSettings(data('copy'))).not.toThrow();
    cpSync(join(folder.path, 'moved'), original.dataDir, { recursive: true });
    expect(() => readSettings(data('original'))).toThrow(/original is a copy of .*moved/u);
    // Another stack that took the old place is none of ours.
    rmSync(join(folder.path, 'moved'), { recursive: true });
    const other = readSettings(data('moved'));
    expect(other.stackId).not.toBe(original.stackId);
    expect(readSettings(data('original')).stackId).toBe(original.stackId);
  });

  it('takes everything from the environment; an empty variable is an unset one', () => {
    const settings = readSettings(
      {
        STARTUPBENCH_DATA: 'data',
        STARTUPBENCH_STORE: 's3://bucket/prefix',
        STARTUPBENCH_PROVIDERS: '/etc/providers.yaml',
        STARTUPBENCH_RECORDINGS: 'rec',
        STARTUPBENCH_STACK: 'stack-a',
        STARTUPBENCH_HOST: 'host-a',
        STARTUPBENCH_S3_ENDPOINT: 'http://127.0.0.1:9000',
        AWS_ACCESS_KEY_ID: 'key',
        TEMPORAL_ADDRESS: 'temporal:7233',
        TEMPORAL_NAMESPACE: 'evals',
        DOCKER_HOST: '',
        STARTUPBENCH_REAP_AFTER: '90s',
      },
      folder.path,
    );
    expect(settings).toMatchObject({
      dataDir: join(folder.path, 'data'),
      store: 's3://bucket/prefix',
      providersFile: '/etc/providers.yaml',
      recordingsDir: join(folder.path, 'rec'),
      stackId: 'stack-a',
      hostId: 'host-a',
      temporalAddress: 'temporal:7233',
      temporalNamespace: 'evals',
      dockerHost: undefined,
      reapAfterMs: 90_000,
      storeEnvironment: {
        STARTUPBENCH_S3_ENDPOINT: 'http://127.0.0.1:9000',
        AWS_ACCESS_KEY_ID: 'key',
      },
    });
    expect(readSettings({ STARTUPBENCH_STORE: 'file:store' }, folder.path).store).toBe(
      `file:${folder.path}/store`,
    );
  });

  it('says everything that is wrong at once', () => {
    const read = () =>
      readSettings(
        {
          STARTUPBENCH_STORE: 'gs://x',
          STARTUPBENCH_STACK: 'My Stack',
          TEMPORAL_ADDRESS: 'http://temporal:7233',
          STARTUPBENCH_REAP_AFTER: 'soon',
        },
        folder.path,
      );
    expect(read).toThrow(expect.objectContaining({ type: 'InvalidInput' }) as Error);
    expect(read).toThrow('STARTUPBENCH_REAP_AFTER: "soon" is not a positive number with a unit');
    expect(read).toThrow('STARTUPBENCH_STORE is "gs://x": write file:DIR or s3://bucket/prefix');
    expect(read).toThrow('STARTUPBENCH_STACK is "My Stack"');
    expect(read).toThrow(
      'TEMPORAL_ADDRESS is "http://temporal:7233": write host:port, without a scheme',
    );
  });

  it('names a kept id that was spoilt, and a data folder that cannot be', () => {
    readSettings({}, folder.path);
    writeFileSync(join(folder.path, '.startupbench', 'host-id'), 'A B');
    expect(() => readSettings({}, folder.path)).toThrow(/host-id is "A B"/u);
    writeFileSync(join(folder.path, 'file'), '');
    expect(() => readSettings({ STARTUPBENCH_DATA: 'file/data' }, folder.path)).toThrow(
      /cannot make the folder .* set STARTUPBENCH_DATA/u,
    );
  });
});
