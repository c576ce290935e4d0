import { AccountGates } from '../../../activities/gateway/account-gate';
import { Attempt } from '../../../activities/gateway/attempt';
import { readAttemptSettings } from '../../../activities/gateway/attempt-settings';
import { MOST_REFUSALS } from '../../../activities/gateway/attempt-state';
import { NO_FAULTS } from '../../../activities/gateway/fault-point';
import { readGatewayLog } from '../../../activities/gateway/gateway-control';
import { type GatewayAttempt } from '../../../activities/gateway/port';
import { DEFAULT_LIMITS } from '../../../core/limits';
import { SILENT_LOGGER } from '../../../core/logger';
import { type DataFolder, makeDataFolder } from './support/attempt-folder';
import { delivery, mainRequest, START } from './support/harness-requests';
import { scriptedClient, toolReply } from './support/scripted-client';

const MAIN = mainRequest(START);

describe('requests that are refused at a limit', () => {
  let data: DataFolder;
  beforeEach(() => {
    data = makeDataFolder();
  });
  afterEach(() => {
    data.remove();
  });

  function serve(change: Partial<GatewayAttempt>): Attempt {
    const folder = data.attempt(change);
    return new Attempt(
      folder,
      readAttemptSettings(folder),
      {
        modelClient: scriptedClient((_call, number) => toolReply(number)),
        now: Date.now,
        logger: SILENT_LOGGER,
        faults: NO_FAULTS,
        gates: new AccountGates(),
      },
      0,
    );
  }
  const refused = (attempt: Attempt) => readGatewayLog(attempt.attemptDir).traffic.refusedRequests;

  it('are counted, but not without end', async () => {
    const attempt = serve({ limits: { ...DEFAULT_LIMITS, maxCostMicroUsd: 100 } });
    await attempt.deliver(delivery('paid', MAIN));
    expect(refused(attempt)).toBeUndefined();
    for (let n = 1; n <= MOST_REFUSALS + 1; n++)
      expect(await attempt.deliver(delivery(`more-${n}`, MAIN))).toMatchObject({ status: 402 });
    expect(refused(attempt)).toBe(MOST_REFUSALS);
    attempt.release();
  });

  it('are none of the harness’s doing once the attempt is closed', async () => {
    const attempt = serve({});
    await attempt.close('closed', 0);
    expect(await attempt.deliver(delivery('late', MAIN))).toMatchObject({ status: 402 });
    expect(refused(attempt)).toBeUndefined();
    attempt.release();
  });
});
