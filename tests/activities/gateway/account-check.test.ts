import { readFileSync } from 'node:fs';
import { AccountGates } from '../../../activities/gateway/account-gate';
import { Attempt } from '../../../activities/gateway/attempt';
import { attemptFiles } from '../../../activities/gateway/attempt-files';
import { readAttemptSettings } from '../../../activities/gateway/attempt-settings';
import { NO_FAULTS } from '../../../activities/gateway/fault-point';
import { readGatewayLog } from '../../../activities/gateway/gateway-control';
import { writePause } from '../../../activities/gateway/hold-files';
import { writeTranscript } from '../../../activities/gateway/transcript-files';
import { Failure } from '../../../core/failure';
import { SILENT_LOGGER } from '../../../core/logger';
import { waitUntil } from '../../support/wait-until';
import { type DataFolder, makeDataFolder } from './support/attempt-folder';
import { delivery, mainRequest, START } from './support/harness-requests';
import { scriptedClient, type ScriptedClient, textReply } from './support/scripted-client';

const MAIN = mainRequest(START);
const broken = () => new Failure('ProviderUnavailable', 'no', { cause: { tries: 1, status: 500 } });

describe('the small call that shows whether an account answers at all', () => {
  let data: DataFolder;
  beforeEach(() => {
    data = makeDataFolder();
  });
  afterEach(() => {
    data.remove();
  });

  function serve(client: ScriptedClient, awayMs?: number): Attempt {
    const folder = data.attempt({ probeMs: 2, retryForMs: 1, holdForMs: 60_000 });
    const dependencies = {
      modelClient: client,
      now: Date.now,
      logger: SILENT_LOGGER,
      faults: NO_FAULTS,
      gates: new AccountGates(),
    };
    return new Attempt(folder, readAttemptSettings(folder), dependencies, awayMs);
  }
  const checksOf = ({ calls }: ScriptedClient) =>
    calls.filter(({ body }) => body['tools'] === undefined).length;

  it('leaves "at least" where the gateway is killed before its reply is journaled', async () => {
    const client = scriptedClient(({ body }) => {
      if (body['tools'] !== undefined) throw broken();
      return new Promise(() => undefined);
    });
    const attempt = serve(client);
    void attempt.deliver(delivery('a', MAIN));
    await waitUntil(() => checksOf(client) > 0);
    attempt.release();
    const next = serve(
      scriptedClient(() => textReply('done')),
      0,
    );
    // The agent's own request, and the check.
    const known = { upstreamCalls: 2, modelRequests: 0, incomplete: true };
    expect(readGatewayLog(next.attemptDir).traffic).toMatchObject(known);
    next.release();
  });

  it('waits while a person has paused the attempt', async () => {
    let fails = 0;
    const client = scriptedClient(({ body }) => {
      if (body['tools'] === undefined) return textReply('ok');
      // From the second failure in a row on the account itself is asked.
      if (++fails === 2) writePause(attemptFiles(attempt.attemptDir).pause, 'lunch');
      throw broken();
    });
    const attempt = serve(client);
    const outcome = attempt.deliver(delivery('a', MAIN));
    await waitUntil(() => fails === 2);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(client.calls).toHaveLength(2);
    writePause(attemptFiles(attempt.attemptDir).pause, undefined);
    await waitUntil(() => checksOf(client) > 0);
    expect(await outcome).toMatchObject({ status: 402 });
    expect(readGatewayLog(attempt.attemptDir).trouble).toMatchObject({ type: 'ProviderFault' });
    attempt.release();
  });

  it('is no request of the agent’s, and nowhere in its transcript, when it fails', async () => {
    const client = scriptedClient(() => {
      throw broken();
    });
    const attempt = serve(client);
    const outcome = attempt.deliver(delivery('a', MAIN));
    // More of them than exchanges that may be open at once.
    await waitUntil(() => checksOf(client) > 12);
    await attempt.close('closed', 1);
    await outcome;
    const { traffic } = readGatewayLog(attempt.attemptDir);
    expect(traffic).toMatchObject({ modelRequests: 0, auxiliaryRequests: 0, costMicroUsd: 0 });
    const transcript = readFileSync(writeTranscript(attempt.attemptDir), 'utf8');
    expect(transcript).toContain('Do the task.');
    expect(transcript).not.toContain('account-check');
    expect(transcript).not.toContain('Reply with the word');
    attempt.release();
  });
});
