import { interpretEnd, type EndSigns } from '../../../activities/harness/interpret-end';
import { type GatewayLog } from '../../../activities/gateway/port';
import { NO_USAGE } from '../../../core/money';
import { type ExitRecord } from '../../../core/run';

const exit = (changes: Partial<ExitRecord> = {}): ExitRecord => ({
  exitCode: 0,
  signal: undefined,
  outOfMemory: false,
  limitsHit: [],
  lastLogLines: [],
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  durationMs: 60_000,
  workingTimeMs: 60_000,
  ...changes,
});
const log = (changes: Partial<GatewayLog> = {}): GatewayLog => ({
  traffic: {
    steps: 3,
    modelRequests: 3,
    auxiliaryRequests: 0,
    upstreamCalls: 3,
    toolCalls: 2,
    usage: NO_USAGE,
    costMicroUsd: 0,
    incomplete: false,
  },
  end: undefined,
  lastFinishReason: 'stop',
  lastError: undefined,
  trouble: undefined,
  refused: false,
  emptyReply: false,
  answeredMs: 0,
  waitedMs: 0,
  ...changes,
});
const signs = (changes: Partial<EndSigns> = {}): EndSigns => ({
  exit: exit(),
  intent: undefined,
  gatewayLog: log(),
  word: undefined,
  ...changes,
});
const killed = exit({ exitCode: undefined, signal: 'SIGKILL' });
const failedRequest = { status: 402, message: 'cap' };

describe('interpretEnd', () => {
  it.each<[title: string, signs: EndSigns, stopReason: string, detail?: RegExp]>([
    ['no sign at all', signs(), 'completed'],
    ['no container and no gateway', signs({ exit: undefined, gatewayLog: undefined }), 'completed'],
    [
      'our timeout before everything else',
      signs({
        intent: 'timeout',
        exit: killed,
        gatewayLog: log({ end: 'step_cap' }),
        word: { stopReason: 'completed' },
      }),
      'timeout',
      /working time/u,
    ],
    ['our cancellation', signs({ intent: 'cancelled', exit: killed }), 'cancelled'],
    [
      'our stop for a full disk',
      signs({ intent: 'disk', exit: killed }),
      'error',
      /workspace was full/u,
    ],
    [
      'the step cap before the harness, which sees an error',
      signs({
        gatewayLog: log({ end: 'step_cap', lastError: failedRequest }),
        word: { stopReason: 'error' },
      }),
      'step_cap',
    ],
    [
      'the cap on requests',
      signs({ gatewayLog: log({ end: 'request_cap' }) }),
      'step_cap',
      /of any kind/u,
    ],
    ['the cost cap', signs({ gatewayLog: log({ end: 'budget' }) }), 'budget', /cost/u],
    ['the token cap', signs({ gatewayLog: log({ end: 'tokens' }) }), 'budget', /token/u],
    [
      'the gateway’s working time',
      signs({ gatewayLog: log({ end: 'timeout' }) }),
      'timeout',
      /working time/u,
    ],
    [
      'a gateway that we closed says nothing',
      signs({ gatewayLog: log({ end: 'closed' }), word: { stopReason: 'step_cap' } }),
      'step_cap',
    ],
    [
      'a refusal that the harness takes for an empty reply',
      signs({
        gatewayLog: log({ refused: true, emptyReply: true }),
        word: { stopReason: 'empty' },
      }),
      'refused',
      /refusal/u,
    ],
    [
      'a failed last request',
      signs({ gatewayLog: log({ lastError: { status: 400, message: 'too long' } }) }),
      'error',
      /HTTP 400: too long/u,
    ],
    ['an empty last reply', signs({ gatewayLog: log({ emptyReply: true }) }), 'empty', /empty/u],
    [
      'the harness’s word before its exit code',
      signs({ word: { stopReason: 'step_cap' }, exit: exit({ exitCode: 3 }) }),
      'step_cap',
    ],
    [
      'a completed harness whose tool ran out of memory',
      signs({ word: { stopReason: 'completed' }, exit: exit({ outOfMemory: true }) }),
      'completed',
    ],
    [
      'a harness that ran out of memory',
      signs({ exit: exit({ ...killed, outOfMemory: true }) }),
      'error',
      /out of memory/u,
    ],
    [
      'a crash',
      signs({ exit: exit({ exitCode: 139, limitsHit: ['pids', 'disk'] }) }),
      'error',
      /exit code 139; limits reached: pids, disk/u,
    ],
    ['a signal', signs({ exit: killed }), 'error', /SIGKILL/u],
    [
      'a last reply that was cut off',
      signs({ gatewayLog: log({ lastFinishReason: 'length' }) }),
      'completed',
      /cut off/u,
    ],
  ])('%s', (...[, given, stopReason, detail]) => {
    const verdict = interpretEnd(given);
    expect(verdict.stopReason).toBe(stopReason);
    if (detail instanceof RegExp) expect(verdict.detail).toMatch(detail);
    else expect(verdict.detail).toBeUndefined();
  });
});
