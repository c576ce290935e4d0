import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostSlots } from '../../../activities/sandbox/host-slots';
import { AttemptState } from '../../../activities/sandbox/attempt-state';

let control: string;
beforeEach(async () => {
  control = await mkdtemp(join(tmpdir(), 'attempt-state-'));
});
afterEach(() => rm(control, { recursive: true, force: true }));

describe('AttemptState', () => {
  it('keeps what was written first', async () => {
    const state = new AttemptState(control);
    const at = '2026-01-01T00:00:00.000Z';
    expect(await state.read('created')).toBeUndefined();
    expect(await state.write('created', { containerId: 'one', at })).toBe(true);
    expect(await state.write('created', { containerId: 'two', at })).toBe(false);
    expect(await state.read('created')).toEqual({ containerId: 'one', at });
  });

  it.each([
    ['', 'empty'],
    ['{"containerId":"o', 'no JSON'],
  ])(
    'gives an attempt up whose state is damaged (%j), since no retry heals it',
    async (text, what) => {
      const path = join(control, 'started.json');
      await writeFile(path, text);
      await expect(new AttemptState(control).read('started')).rejects.toMatchObject({
        type: 'SandboxLost',
        retryable: false,
        message: `${path} is ${what}: the disk or somebody damaged it, and its attempt is given up`,
      });
      await writeFile(join(control, 'intent.json'), text);
      await expect(new AttemptState(control).readIntent()).rejects.toMatchObject({
        type: 'SandboxLost',
      });
    },
  );

  it('keeps no other attempt of its host from being counted', async () => {
    const sandboxes = join(control, 'sandboxes');
    for (const [id, text] of [
      ['whole', '{"containerId":"one"}'],
      ['damaged', ''],
    ] as const) {
      await mkdir(join(sandboxes, id, 'control'), { recursive: true });
      await writeFile(join(sandboxes, id, 'control', 'created.json'), text);
    }
    await mkdir(join(sandboxes, 'not-created', 'control'), { recursive: true });
    expect((await HostSlots.load(sandboxes, 5)).free).toBe(3);
  });
});
