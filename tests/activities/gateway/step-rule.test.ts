import { type AttemptState, emptyState } from '../../../activities/gateway/attempt-state';
import { type RequestKind } from '../../../activities/gateway/journal-frames';
import { admit, refusalText, workingTimeMs } from '../../../activities/gateway/step-rule';
import { WaitingTime } from '../../../activities/gateway/waiting-time';
import { type AttemptLimits, DEFAULT_LIMITS } from '../../../core/limits';

const LIMITS: AttemptLimits = {
  ...DEFAULT_LIMITS,
  maxSteps: 3,
  maxModelRequests: 10,
  workingTimeMs: 60_000,
};

function state(change: Partial<AttemptState>): AttemptState {
  return { ...emptyState(), openedAtMs: 0, ...change };
}

function waited(fromMs: number, toMs: number): WaitingTime {
  const waiting = new WaitingTime();
  waiting.add(fromMs, toMs);
  return waiting;
}

function open(...kinds: RequestKind[]): AttemptState['unfinished'] {
  return new Map(kinds.map((kind, e) => [e, { kind, finalisation: false }]));
}

describe('the step rule', () => {
  const cases: [string, RequestKind, Partial<AttemptState>, Partial<AttemptLimits>, object][] = [
    ['a first request', 'main', {}, {}, { kind: 'go', finalisation: false }],
    ['the last step', 'main', { steps: 2 }, {}, { kind: 'go', finalisation: false }],
    ['a step beyond the cap', 'main', { steps: 3 }, {}, { kind: 'refuse', reason: 'step_cap' }],
    [
      'one request without tools beyond the cap',
      'auxiliary',
      { steps: 3 },
      {},
      { kind: 'go', finalisation: true },
    ],
    [
      'a second one',
      'auxiliary',
      { steps: 3, finalised: true },
      {},
      { kind: 'refuse', reason: 'step_cap' },
    ],
    [
      'a second one beside the first',
      'auxiliary',
      { steps: 3, unfinished: new Map([[0, { kind: 'auxiliary', finalisation: true }]]) },
      {},
      { kind: 'wait' },
    ],
    ['a subagent', 'subagent', { steps: 2 }, {}, { kind: 'go', finalisation: false }],
    [
      'a step when subagents have used up the cap',
      'main',
      { steps: 1, subagentReplies: 2 },
      {},
      { kind: 'refuse', reason: 'step_cap' },
    ],
    [
      'a subagent that wants to be the closing request',
      'subagent',
      { steps: 3 },
      {},
      { kind: 'refuse', reason: 'step_cap' },
    ],
    [
      'the last step beside an open subagent',
      'main',
      { steps: 2, unfinished: open('subagent') },
      {},
      { kind: 'wait' },
    ],
    [
      'auxiliary requests before the cap',
      'auxiliary',
      { steps: 2, auxiliaryRequests: 5 },
      {},
      { kind: 'go', finalisation: false },
    ],
    [
      'a step beside one that may be the last',
      'main',
      { steps: 2, unfinished: open('main') },
      {},
      { kind: 'wait' },
    ],
    [
      'a step beside an auxiliary request',
      'main',
      { steps: 2, unfinished: open('auxiliary') },
      {},
      { kind: 'go', finalisation: false },
    ],
    [
      'too many at once',
      'main',
      { unfinished: open(...Array.from({ length: 8 }, () => 'auxiliary' as const)) },
      {},
      { kind: 'wait' },
    ],
    [
      'a request beyond the request cap',
      'auxiliary',
      { modelRequests: 10 },
      {},
      { kind: 'refuse', reason: 'request_cap' },
    ],
    [
      'a request that open ones may make one too many',
      'auxiliary',
      { modelRequests: 9, unfinished: open('main') },
      {},
      { kind: 'wait' },
    ],
    [
      'a cost at the cap',
      'main',
      { costMicroUsd: 500 },
      { maxCostMicroUsd: 500 },
      { kind: 'refuse', reason: 'budget' },
    ],
    [
      'an unknown cost under a cap',
      'main',
      { costMicroUsd: undefined },
      { maxCostMicroUsd: 500 },
      { kind: 'refuse', reason: 'budget' },
    ],
    [
      'an unknown cost without a cap',
      'main',
      { costMicroUsd: undefined },
      {},
      { kind: 'go', finalisation: false },
    ],
    [
      'tokens at the cap',
      'main',
      { usage: { inputTokens: 90, outputTokens: 10, cachedInputTokens: 0, cacheWriteTokens: 0 } },
      { maxTotalTokens: 100 },
      { kind: 'refuse', reason: 'tokens' },
    ],
    [
      'working time used up',
      'main',
      { openedAtMs: -60_000 },
      {},
      { kind: 'refuse', reason: 'timeout' },
    ],
    [
      'working time used up but for our own waiting',
      'main',
      { openedAtMs: -70_000, waiting: waited(-70_000, -50_000) },
      {},
      { kind: 'go', finalisation: false },
    ],
    [
      'budget before the finalisation',
      'auxiliary',
      { steps: 3, costMicroUsd: 500 },
      { maxCostMicroUsd: 500 },
      { kind: 'refuse', reason: 'budget' },
    ],
    [
      'a closed attempt',
      'main',
      { closed: true, end: 'closed' },
      {},
      { kind: 'refuse', reason: 'closed' },
    ],
  ];
  it.each(cases)('decides %s', (_title, kind, change, limits, expected) => {
    expect(admit(kind, state(change), { ...LIMITS, ...limits }, 0)).toEqual(expected);
  });

  it('does not count our own waiting as working time', () => {
    expect(workingTimeMs(state({ openedAtMs: 1_000, waiting: waited(2_000, 5_000) }), 10_000)).toBe(
      6_000,
    );
    const held = new Map([[0, { kind: 'main', finalisation: false, heldSinceMs: 4_000 } as const]]);
    expect(workingTimeMs(state({ openedAtMs: 1_000, unfinished: held }), 10_000)).toBe(3_000);
    expect(workingTimeMs(state({ openedAtMs: undefined }), 10_000)).toBe(0);
  });

  it('tells the agent which limit and how much it is', () => {
    expect(refusalText('step_cap', LIMITS)).toBe(
      'The limit of 3 model replies with tools is reached.',
    );
    expect(refusalText('timeout', LIMITS)).toBe('The working time of 60 s is used up.');
  });
});
