import { DEFAULT_LIMITS } from '../../../core/limits';
import { serveGateway } from '../../support/served-gateway';
import { mainRequest, START } from './support/harness-requests';
import { ask, type SandboxRequest } from './support/sandbox-client';

const MAIN = mainRequest(START);
const COUNT = '/v1/messages/count_tokens';

describe('an agent that keeps asking for what costs nothing', () => {
  const gateway = serveGateway();

  /** Asks from four connections until `untilMs` have passed; returns how many answers came. */
  async function hammer(folder: string, request: SandboxRequest, untilMs: number): Promise<number> {
    const endMs = Date.now() + untilMs;
    let answers = 0;
    const one = async () => {
      while (Date.now() < endMs) {
        await ask(folder, request);
        if (Date.now() < endMs) answers++;
      }
    };
    await Promise.all([one(), one(), one(), one()]);
    return answers;
  }

  const cases: [string, SandboxRequest][] = [
    ['token counts', { path: COUNT, body: { messages: [{ role: 'user', content: 'x' }] } }],
    ['bad requests', { body: '{"messages": 1}' }],
    ['guesses of the token', { body: MAIN, token: 'guess' }],
    ['paths that are not there', { path: '/v1/embeddings', body: {} }],
  ];
  it.each(cases)(
    'gets %s slowly after a burst, and its model requests still',
    async (_t, request) => {
      const folder = await gateway.openAttempt();
      // 200 at once, 10 a second and one for each connection: without the limit it would be thousands.
      expect(await hammer(folder, request, 1_500)).toBeLessThan(240);
      const { traffic } = await gateway.control.readLog(folder);
      expect(traffic).toMatchObject({ modelRequests: 0, upstreamCalls: 0 });
      expect((await ask(folder, { body: MAIN })).status).toBe(200);
    },
  );

  it('gets 402 slowly too, after its cap', async () => {
    const folder = await gateway.openAttempt({ limits: { ...DEFAULT_LIMITS, maxSteps: 1 } });
    expect((await ask(folder, { body: MAIN })).status).toBe(200);
    expect((await ask(folder, { body: MAIN })).status).toBe(402);
    expect(await hammer(folder, { body: MAIN }, 1_500)).toBeLessThan(240);
  });

  it('does not slow another attempt, nor model requests that are answered', async () => {
    const limits = { ...DEFAULT_LIMITS, maxSteps: 1_000, maxModelRequests: 1_000 };
    const [greedy, modest] = [await gateway.openAttempt(), await gateway.openAttempt({ limits })];
    const hammering = hammer(greedy, { body: '{' }, 1_500);
    for (let request = 0; request < 300; request++)
      expect((await ask(modest, { body: MAIN })).status).toBe(200);
    await hammering;
  });
});
