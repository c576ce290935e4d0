import { callDocker, endOf } from '../../../activities/evidence/docker';

const refused = (message: string): Promise<unknown> =>
  callDocker('create the renderer container', () => Promise.reject(new Error(message)));

describe('callDocker', () => {
  it('says how a missing image is built', async () => {
    await expect(
      refused('(HTTP code 404) No such image: startupbench/renderer:0 '),
    ).rejects.toThrow(
      /^cannot create the renderer container: .*renderer:0; build it with: npx tsx scripts\/images\.ts renderer$/u,
    );
  });

  it('says what was tried of any other trouble', async () => {
    await expect(refused('connect ECONNREFUSED')).rejects.toMatchObject({
      type: 'RenderUnavailable',
      message: 'cannot create the renderer container: connect ECONNREFUSED',
    });
  });
});

describe('the end of a container that was killed at its time limit', () => {
  const KILLED_AT_MS = Date.parse('2026-01-01T01:00:00Z');
  /** How it ended, as the daemon says it. */
  const ended = (exitCode: number, finishedAt: string) => ({
    inspect: () =>
      Promise.resolve({ State: { ExitCode: exitCode, OOMKilled: false, FinishedAt: finishedAt } }),
    logs: () => Promise.resolve(Buffer.from('........TypeError: no such part')),
  });
  const endOfIt = (exitCode: number, finishedAt: string, killedAtMs?: number) =>
    endOf(ended(exitCode, finishedAt) as unknown as Parameters<typeof endOf>[0], killedAtMs);

  it('is its file’s doing', async () => {
    expect(await endOfIt(137, '2026-01-01T01:00:00.2Z', KILLED_AT_MS)).toMatchObject({
      blame: 'file',
      reason: 'rendering was stopped at its time limit',
    });
  });

  it('is its own where it had ended while this process stood still', async () => {
    expect(await endOfIt(137, '2026-01-01T00:10:00Z', KILLED_AT_MS)).toMatchObject({
      blame: 'container',
    });
    const failed = await endOfIt(1, '2026-01-01T00:10:00Z', KILLED_AT_MS);
    expect(failed.reason).toBe('the renderer failed (exit 1): TypeError: no such part');
    expect(await endOfIt(1, '2026-01-01T00:10:00Z')).toEqual(failed);
  });
});
