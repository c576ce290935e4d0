import { alike, ANSWER, answerThenDone, call, deliversAnswer, end, type Row } from './row-parts';
import { type ConformanceResult } from './scripted-run';

/** After its first 402 a harness asks once more at most: refused again, or with the closing request. */
const endsWithinARequest = ({ record }: ConformanceResult) => {
  const { steps = 0, modelRequests = 0, refusedRequests = 0 } = record.traffic ?? {};
  const closing = modelRequests - steps;
  expect(Math.max(0, refusedRequests - 1) + closing).toBeLessThanOrEqual(1);
};

/** After the gateway's refusal: none knows such a limit by itself. */
const endsRefused = (detail: string) => (result: ConformanceResult) => {
  deliversAnswer(result);
  expect(result.record.stopDetail).toBe(detail);
  expect(result.record.traffic?.refusedRequests).toBeGreaterThan(0);
  endsWithinARequest(result);
};

/** Ends at a limit, which the gateway tells with 402. */
export const LIMIT_ROWS: readonly Row[] = [
  {
    title: 'ends at the step cap, with one closing request at most',
    run: (harness) => ({
      script: { turns: [call(harness, 'date')], loop: true },
      limits: { maxSteps: 3 },
    }),
    ends: {
      nanobot: end('step_cap', 3, 4),
      'nanobot-paper': end('step_cap', 3, 3),
      hermes: end('step_cap', 3, 4),
      'claude-code': end('step_cap', 3, 3),
      minimal: end('step_cap', 3, 3),
    },
    check: endsWithinARequest,
  },
  {
    title: 'ends at the cost cap and keeps what it made',
    run: (harness) => ({
      script: {
        turns: [{ ...call(harness, ANSWER), usage: { inputTokens: 1_000, outputTokens: 1_000 } }],
        loop: true,
      },
      prices: {
        inputPerMillion: 1_000_000,
        cachedInputPerMillion: 1_000_000,
        cacheWritePerMillion: 1_000_000,
        outputPerMillion: 1_000_000,
      },
      limits: { maxCostMicroUsd: 2_000 },
    }),
    ends: alike(end('budget', 1, 1)),
    check: (result) => {
      endsRefused("the attempt's cost cap")(result);
      expect(result.record.traffic?.costMicroUsd).toBe(2_000);
    },
  },
  {
    title: 'ends at the token cap and keeps what it made',
    run: (harness) => ({
      script: {
        turns: [{ ...call(harness, ANSWER), usage: { inputTokens: 1_000, outputTokens: 1_000 } }],
        loop: true,
      },
      limits: { maxTotalTokens: 2_000 },
    }),
    ends: alike(end('budget', 1, 1)),
    check: endsRefused("the attempt's token cap"),
  },
  {
    title: 'ends at the cap on requests of any kind, and keeps what it made',
    run: (harness) => ({
      script: { turns: [call(harness, ANSWER)], loop: true },
      limits: { maxModelRequests: 1 },
    }),
    ends: alike(end('step_cap', 1, 1)),
    check: endsRefused('the cap on model requests of any kind'),
  },
  {
    title: 'ends when the gateway says that its working time is over',
    run: (harness) => ({
      script: answerThenDone(harness),
      limits: { workingTimeMs: 1 },
      hostClockStands: true,
    }),
    ends: alike(end('timeout', 0, 0)),
    check: (result) => {
      expect(result.record.stopDetail).toBe('the limit of working time');
      expect(result.record.traffic?.refusedRequests).toBeGreaterThan(0);
      expect(result.deliverables).toEqual({});
      endsWithinARequest(result);
    },
  },
];
