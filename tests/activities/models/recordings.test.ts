import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ProviderRequest } from '../../../activities/models/provider-request';
import {
  readRecording,
  recordingCandidates,
  recordingsDigest,
} from '../../../activities/models/recordings';
import { createReplayProvider } from '../../../activities/models/replay-provider';

const REQUEST: ProviderRequest = {
  purpose: 'agent',
  taskId: 'task',
  repetition: 1,
  subject: undefined,
  itemId: undefined,
  recordings: 'strong',
  simulation: undefined,
  stream: false,
  includeUsage: false,
  turn: 0,
  tools: [{ name: 'exec', parameters: {} }],
  bodyBytes: 100,
  body: {},
};

describe('recordings', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(path: string, text: string): string {
    const absolute = join(folder, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
    return absolute;
  }

  it('are looked for by repetition, then for all', () => {
    expect(recordingCandidates(REQUEST)).toEqual(['strong/task/r1.yaml', 'strong/task/all.yaml']);
    expect(
      recordingCandidates({ ...REQUEST, purpose: 'judge', itemId: 'i', subject: 'weak' }),
    ).toEqual(['strong/weak/task/r1/i.yaml', 'strong/weak/task/i.yaml']);
  });

  it.each(['..', '.', 'a/b', ''])('are never looked for under %j', (taskId) => {
    expect(() => recordingCandidates({ ...REQUEST, taskId })).toThrow('cannot name a recording');
  });

  it('are replayed turn by turn, with files, and say when they end', async () => {
    write(
      'strong/task/all.yaml',
      'turns:\n  - tools: [{ name: exec, arguments: { command: { $file: make.py }, n: 1 } }]\n  - text: done\n',
    );
    write('strong/task/make.py', 'print(1)\n');
    const replay = createReplayProvider(folder);
    expect(await replay(REQUEST)).toEqual({
      text: undefined,
      tools: [{ name: 'exec', arguments: { command: 'print(1)\n', n: 1 } }],
    });
    expect(await replay({ ...REQUEST, turn: 1 })).toMatchObject({ text: 'done', tools: [] });
    expect(await replay({ ...REQUEST, turn: 2 })).toMatchObject({
      text: '(the recording has no further turn)',
    });
  });

  it('repeat their last turn when they loop, and call no tool that is not offered', async () => {
    write('strong/task/r1.yaml', 'loop: true\nturns:\n  - tools: [{ name: exec }]\n');
    const replay = createReplayProvider(folder);
    expect((await replay({ ...REQUEST, turn: 7 })).tools).toHaveLength(1);
    expect((await replay({ ...REQUEST, turn: 8, tools: [] })).tools).toHaveLength(0);
  });

  it('say how a reply ended, but not where its calls were left out', async () => {
    write(
      'strong/task/r1.yaml',
      'loop: true\nturns:\n  - { tools: [{ name: exec }], finish: length }\n',
    );
    const replay = createReplayProvider(folder);
    expect((await replay(REQUEST)).finish).toBe('length');
    expect((await replay({ ...REQUEST, tools: [] })).finish).toBeUndefined();
  });

  it('that are missing are named', async () => {
    const replay = createReplayProvider(folder);
    await expect(replay(REQUEST)).rejects.toThrow(
      `no recording: neither ${join(folder, 'strong/task/r1.yaml')} nor ${join(folder, 'strong/task/all.yaml')} exists`,
    );
  });

  it.each([
    ['turns: []\n', 'turns'],
    ['turns:\n  - {}\n', 'a turn needs text or tools'],
    ['turns:\n  - text: a\n    txet: b\n', 'txet'],
    ['turns:\n  - text: a\n    finish: stop\n', 'finish'],
    [
      'turns:\n  - tools: [{ name: x, arguments: { a: { $file: ../../../etc/passwd } } }]\n',
      '$file',
    ],
  ])('with a fault are refused: %j', async (text, message) => {
    const path = write('strong/task/all.yaml', text);
    await expect(readRecording(path, join(folder, 'strong'))).rejects.toThrow(message);
  });

  it('do not follow links out of their set', async () => {
    write('other/secret.txt', 'secret');
    const path = write(
      'strong/task/all.yaml',
      'turns:\n  - tools: [{ name: x, arguments: { a: { $file: link } } }]\n',
    );
    symlinkSync(join(folder, 'other/secret.txt'), join(folder, 'strong/task/link'));
    await expect(readRecording(path, join(folder, 'strong'))).rejects.toThrow(
      'outside the recordings of this set',
    );
  });

  it('have a digest over every file of the set and nothing else', async () => {
    const turns = 'turns: [{ text: a }]\n';
    write('strong/task/all.yaml', turns);
    write('weak/task/all.yaml', turns);
    const digest = await recordingsDigest(folder, 'strong');
    expect(await recordingsDigest(folder, 'weak')).toBe(digest);
    write('strong/task/make.py', 'x');
    expect(await recordingsDigest(folder, 'strong')).not.toBe(digest);
    await expect(recordingsDigest(folder, 'absent')).rejects.toThrow('no recordings "absent"');
    await expect(recordingsDigest(folder, '..')).rejects.toThrow('no recordings ".."');
  });
});
