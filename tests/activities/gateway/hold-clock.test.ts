import { AccountGates } from '../../../activities/gateway/account-gate';
import { Attempt } from '../../../activities/gateway/attempt';
import { attemptFiles } from '../../../activities/gateway/attempt-files';
import { readAttemptSettings } from '../../../activities/gateway/attempt-settings';
import { NO_FAULTS } from '../../../activities/gateway/fault-point';
import { readGatewayLog } from '../../../activities/gateway/gateway-control';
import { readHolding } from '../../../activities/gateway/hold-files';
import { utimesSync } from 'node:fs';
import { Failure } from '../../../core/failure';
import { SILENT_LOGGER } from '../../../core/logger';
import { waitUntil } from '../../support/wait-until';
import { type DataFolder, makeDataFolder } from './support/attempt-folder';
import { delivery, mainRequest, START } from './support/harness-requests';
import { scriptedClient, toolReply } from './support/scripted-client';

const MAIN = mainRequest(START);
const HOUR_MS = 3_600_000;

describe('the twelve hours for which an attempt is held', () => {
  let data: DataFolder;
  let clockMs: number;
  let broken: boolean;
  const client = () =>
    scriptedClient((_call, number) => {
      if (broken)
        throw new Failure('ProviderQuota', 'used up', { cause: { tries: 1, status: 402 } });
      return toolReply(number);
    });
  let gates: AccountGates;
  beforeEach(() => {
    data = makeDataFolder();
    clockMs = Date.parse('2026-01-01T00:00:00Z');
    broken = true;
    gates = new AccountGates();
  });
  afterEach(() => {
    data.remove();
  });

  function serve(awayMs?: number): { attempt: Attempt; model: ReturnType<typeof client> } {
    const folder = data.attempt({ probeMs: 2, retryForMs: 1, leaseMs: 1_000 * HOUR_MS });
    const model = client();
    const attempt = new Attempt(
      folder,
      readAttemptSettings(folder),
      {
        modelClient: model,
        now: () => clockMs,
        logger: SILENT_LOGGER,
        faults: NO_FAULTS,
        gates,
      },
      awayMs,
    );
    // The lease is of the injected clock's time too.
    utimesSync(attemptFiles(folder).lease, clockMs / 1_000, clockMs / 1_000);
    return { attempt, model };
  }
  const isHolding = (attempt: Attempt) =>
    readHolding(attemptFiles(attempt.attemptDir).holding) !== undefined;

  it('are over for all its exchanges at once, also for one that joined them late', async () => {
    const { attempt, model } = serve();
    const first = attempt.deliver(delivery('first', MAIN));
    await waitUntil(() => isHolding(attempt));
    clockMs += 11 * HOUR_MS;
    const second = attempt.deliver(delivery('second', MAIN));
    // Both have been let go to try, and failed.
    const calls = model.calls.length;
    await waitUntil(() => model.calls.length >= calls + 4);
    clockMs += HOUR_MS;
    expect([await first, await second]).toMatchObject([{ status: 402 }, { status: 402 }]);
    expect(readGatewayLog(attempt.attemptDir).trouble).toMatchObject({ type: 'ProviderQuota' });
    attempt.release();
  });

  it('begin anew after a reply', async () => {
    const { attempt, model } = serve();
    const first = attempt.deliver(delivery('first', MAIN));
    await waitUntil(() => isHolding(attempt));
    clockMs += 11 * HOUR_MS;
    broken = false;
    expect(await first).toMatchObject({ status: 200 });
    broken = true;
    const second = attempt.deliver(delivery('second', MAIN));
    await waitUntil(() => isHolding(attempt));
    clockMs += 2 * HOUR_MS;
    const calls = model.calls.length;
    await waitUntil(() => model.calls.length >= calls + 3);
    broken = false;
    expect(await second).toMatchObject({ status: 200 });
    attempt.release();
  });

  it('go on when the gateway starts again', async () => {
    const { attempt } = serve();
    const first = attempt.deliver(delivery('first', MAIN));
    first.catch(() => undefined);
    await waitUntil(() => isHolding(attempt));
    clockMs += 11 * HOUR_MS;
    attempt.handOver();
    await expect(first).rejects.toThrow('handing over');
    attempt.release();
    gates = new AccountGates();
    clockMs += HOUR_MS;
    const { attempt: next, model } = serve(0);
    expect(await next.deliver(delivery('first', MAIN))).toMatchObject({ status: 402 });
    expect(model.calls).toHaveLength(1);
    next.release();
  });
});
