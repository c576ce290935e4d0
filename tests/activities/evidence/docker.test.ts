import { callDocker } from '../../../activities/evidence/docker';

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
