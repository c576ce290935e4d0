import { type TranscriptStep } from '../../../../activities/gateway/transcript-schema';
import { type FailureType } from '../../../../core/failure';
import { type StopReason } from '../../../../core/run';
import { type Harness, HARNESSES } from './harness-facts';
import { type ConformanceResult, type Script, type ScriptedRun } from './scripted-run';

/** How a run must end. */
export interface End {
  readonly stop: StopReason | { readonly lost: FailureType };
  readonly steps: number;
  /** Model requests that were answered, or given up, whatever their kind. */
  readonly requests: number;
}
const end = (stop: End['stop'], steps: number, requests: number): End => ({
  stop,
  steps,
  requests,
});
const alike = (of: End): Readonly<Record<Harness, End>> => ({
  nanobot: of,
  'nanobot-paper': of,
  hermes: of,
  'claude-code': of,
  minimal: of,
});

/** One way to end, the same for all. */
export interface Row {
  readonly title: string;
  readonly run: (harness: Harness) => Omit<ScriptedRun, 'id' | 'harness'>;
  readonly ends: Readonly<Record<Harness, End>>;
  /** Its trouble is the account's, which holds the requests of all others: it needs a gateway of its own. */
  readonly alone?: true;
  /** Also holds. */
  readonly check?: (result: ConformanceResult, harness: Harness) => void;
}

const call = (harness: Harness, command: string) => ({
  tools: [{ name: HARNESSES[harness].shell, arguments: { command } }],
});
const PAINT = `python3 -c "from PIL import Image; Image.new('RGB', (64, 64), 'red').save('/tmp/red.png')"`;
const DONE = { text: 'delivered' };
const HOG = 'python3 -c "x = bytearray(1 << 30)"';
/** The kernel takes a marked process first: here the harness, and not the command that uses up the memory. */
const HARNESS_FIRST = `echo 0 > /proc/self/oom_score_adj; for p in $(pgrep -P 1); do grep -q forwarder /proc/$p/cmdline || echo 1000 > /proc/$p/oom_score_adj; done`;
// It also needs what only a right PATH finds.
const ANSWER = 'command -v python3 soffice && cat query/task.md > results/answer.txt';
const answerThenDone = (harness: Harness): Script => ({ turns: [call(harness, ANSWER), DONE] });
const delivers =
  (files: Readonly<Record<string, string>>) =>
  ({ deliverables }: ConformanceResult) =>
    expect(deliverables).toEqual(files);
/** After its first 402 a harness asks once more at most: refused again, or with the closing request. */
const endsWithinARequest = ({ record }: ConformanceResult) => {
  const { steps = 0, modelRequests = 0, refusedRequests = 0 } = record.traffic ?? {};
  const closing = modelRequests - steps;
  expect(Math.max(0, refusedRequests - 1) + closing).toBeLessThanOrEqual(1);
};
const deliversAnswer = delivers({ 'answer.txt': 'Write hello.' });

export const ROWS: readonly Row[] = [
  {
    title: 'completes and leaves a file',
    run: (harness) => ({ script: answerThenDone(harness) }),
    ends: alike(end('completed', 2, 2)),
    check: (result, harness) => {
      deliversAnswer(result);
      const offered = result.transcript.agent.tool_definitions as { function: { name: string } }[];
      expect(offered.map((tool) => tool.function.name).sort()).toEqual(HARNESSES[harness].tools);
      const [first] = replied(result);
      expect(JSON.stringify(first?.observation)).toContain('/usr/bin/soffice');
    },
  },
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
      deliversAnswer(result);
      expect(result.record.traffic?.costMicroUsd).toBe(2_000);
      // None knows its budget by itself.
      expect(result.record.traffic?.refusedRequests).toBeGreaterThan(0);
      endsWithinARequest(result);
    },
  },
  {
    title: 'does not notice 429s that pass',
    run: (harness) => ({
      script: answerThenDone(harness),
      faults: [{ times: 2, status: 429, headers: { 'retry-after-ms': '1' } }],
    }),
    ends: alike(end('completed', 2, 2)),
    check: (result) => {
      deliversAnswer(result);
      expect(result.record.traffic?.upstreamCalls).toBe(4);
    },
  },
  {
    title: 'is lost, not ended, when the provider answers 500 to the end',
    alone: true,
    run: (harness) => ({
      script: answerThenDone(harness),
      faults: [{ match: { turn: 1 }, times: 1_000, status: 500 }],
      timings: { holdAfterMs: 500, holdForMs: 1_000, holdProbeMs: 200 },
    }),
    ends: alike(end({ lost: 'ProviderUnavailable' }, 1, 2)),
    check: ({ transcript }) =>
      expect(transcript.extra).toMatchObject({ trouble: { type: 'ProviderUnavailable' } }),
  },
  {
    title: 'ends with a refusal',
    run: () => ({ script: { turns: [{ text: '', finish: 'content_filter' }], loop: true } }),
    ends: {
      ...alike(end('refused', 1, 1)),
      'nanobot-paper': end('refused', 2, 3),
      'claude-code': end('refused', 2, 2),
    },
  },
  {
    title: 'ends with an empty reply',
    run: () => ({ script: { turns: [{ text: '' }], loop: true } }),
    ends: {
      nanobot: end('empty', 2, 3),
      'nanobot-paper': end('empty', 2, 3),
      hermes: end('empty', 4, 4),
      'claude-code': end('empty', 2, 2),
      minimal: end('empty', 1, 1),
    },
  },
  {
    title: 'executes no call that was cut off in the middle',
    run: (harness) => ({
      script: { turns: [{ ...call(harness, ANSWER), finish: 'length' }, DONE] },
    }),
    ends: {
      nanobot: end('completed', 2, 2),
      'nanobot-paper': end('completed', 2, 3),
      hermes: end('error', 5, 5),
      'claude-code': end('completed', 2, 2),
      minimal: end('completed', 2, 2),
    },
    check: delivers({}),
  },
  {
    title: 'is ended at its working time, and what it made counts',
    run: (harness) => ({
      script: { turns: [call(harness, `${ANSWER}; sleep 500`), DONE] },
      limits: { workingTimeMs: 3_600_000 },
      whenDelivered: 'time is over',
    }),
    ends: alike(end('timeout', 1, 1)),
    check: deliversAnswer,
  },
  {
    title: 'goes on when a command of its own takes all memory, and ends when it is taken itself',
    run: (harness) => ({
      script: {
        turns: [
          call(harness, `${HOG}; ${ANSWER}`),
          call(harness, `bash -c '${HARNESS_FIRST}; exec ${HOG}'`),
          DONE,
        ],
      },
      // So much more than any harness needs that the command is the larger one.
      limits: { memoryBytes: 768 * 1024 ** 2 },
    }),
    ends: alike(end('error', 2, 2)),
    check: (result) => {
      deliversAnswer(result);
      const { stopDetail, exit } = result.record;
      expect(stopDetail).toBe('out of memory');
      expect(exit).toMatchObject({ signal: 'SIGKILL', limitsHit: ['memory'], outOfMemory: true });
    },
  },
  {
    title: 'is cancelled',
    run: (harness) => ({
      script: { turns: [call(harness, `${ANSWER}; sleep 500`), DONE] },
      whenDelivered: 'cancel',
    }),
    ends: alike(end('cancelled', 1, 1)),
  },
  {
    title: 'takes a prompt of 300 KB',
    run: (harness) => ({
      script: answerThenDone(harness),
      morePrompt: 'All of this is context. '.repeat(12_800),
    }),
    ends: alike(end('completed', 2, 2)),
    check: (result) => {
      deliversAnswer(result);
      const prompt = result.transcript.steps.find(({ source }) => source === 'user')?.message;
      expect(JSON.stringify(prompt).length).toBeGreaterThan(300_000);
    },
  },
  {
    title: 'shows the model an image',
    run: (harness) => ({
      script: {
        turns: [call(harness, PAINT), { tools: [HARNESSES[harness].look('/tmp/red.png')] }, DONE],
      },
    }),
    ends: alike(end('completed', 3, 3)),
    check: ({ transcript }) => {
      const seen = transcript.steps.flatMap(({ message, observation }) =>
        [message, ...(observation?.results ?? []).map(({ content }) => content ?? '')].flatMap(
          (content) => (typeof content === 'string' ? [] : content),
        ),
      );
      expect(seen.some(({ type }) => type === 'image')).toBe(true);
    },
  },
  {
    title: 'takes Chinese file names with spaces and brackets',
    run: (harness) => ({
      files: { '季度 数据 [最终版] (1).csv': '数,量\n' },
      script: {
        turns: [
          call(harness, "cp '季度 数据 [最终版] (1).csv' 'results/结果 汇总 [终稿] (2).csv'"),
          DONE,
        ],
      },
    }),
    ends: alike(end('completed', 2, 2)),
    check: delivers({ '结果 汇总 [终稿] (2).csv': '数,量\n' }),
  },
];

/** Steps of the transcript that are a model's replies. */
export function replied({ transcript }: ConformanceResult): TranscriptStep[] {
  return transcript.steps.filter(({ llm_call_count: calls }) => calls === 1);
}
