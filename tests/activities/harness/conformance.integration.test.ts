import { type TranscriptStep } from '../../../activities/gateway/transcript-schema';
import { type FailureType } from '../../../core/failure';
import { type StopReason } from '../../../core/run';
import { ConformanceBench } from './support/conformance-bench';
import { type ConformanceResult, type Script, type ScriptedRun } from './support/scripted-run';

jest.setTimeout(600_000);

type Harness = 'nanobot' | 'nanobot-paper' | 'hermes' | 'minimal';

/** What distinguishes the harnesses, apart from how they end. */
const HARNESSES: Readonly<
  Record<
    Harness,
    {
      readonly shell: string;
      readonly tools: readonly string[];
      /** What it may leave in the workspace. */
      readonly litter: RegExp;
      /** It keeps a log of its own. */
      readonly ownLog: boolean;
    }
  >
> = {
  nanobot: {
    shell: 'exec',
    tools: [
      ...['apply_patch', 'edit_file', 'exec', 'exec_session', 'find_files', 'grep', 'list_dir'],
      ...['list_exec_sessions', 'read_file', 'write_file'],
    ],
    litter: /^\.nanobot\//u,
    ownLog: true,
  },
  'nanobot-paper': {
    shell: 'exec',
    tools: [
      ...['edit_file', 'exec', 'glob', 'grep', 'list_dir', 'notebook_edit', 'read_file'],
      'write_file',
    ],
    litter: /^(?:(?:AGENTS|HEARTBEAT|SOUL|TOOLS|USER)\.md|\.gitignore|\.git\/.*|memory\/.*)$/u,
    ownLog: true,
  },
  hermes: {
    shell: 'terminal',
    tools: ['patch', 'process', 'read_file', 'search_files', 'terminal', 'todo', 'write_file'],
    litter: /^(?!)/u,
    ownLog: true,
  },
  minimal: {
    shell: 'exec',
    tools: ['exec', 'read_file', 'write_file'],
    litter: /^(?!)/u,
    ownLog: false,
  },
};
const NAMES = Object.keys(HARNESSES) as Harness[];

/** How a run must end. */
interface End {
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
  minimal: of,
});

interface Row {
  readonly title: string;
  readonly run: (harness: Harness) => Omit<ScriptedRun, 'id' | 'harness'>;
  readonly ends: Readonly<Record<Harness, End>>;
  /** Also holds. */
  readonly check?: (result: ConformanceResult, harness: Harness) => void;
}

const call = (harness: Harness, command: string) => ({
  tools: [{ name: HARNESSES[harness].shell, arguments: { command } }],
});
const DONE = { text: 'delivered' };
// It also needs what only a right PATH finds.
const ANSWER = 'command -v python3 soffice && cat query/task.md > results/answer.txt';
const answerThenDone = (harness: Harness): Script => ({ turns: [call(harness, ANSWER), DONE] });
const delivers =
  (files: Readonly<Record<string, string>>) =>
  ({ deliverables }: ConformanceResult) =>
    expect(deliverables).toEqual(files);
const deliversAnswer = delivers({ 'answer.txt': 'Write hello.' });

const ROWS: readonly Row[] = [
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
      minimal: end('step_cap', 3, 3),
    },
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
    run: (harness) => ({
      script: answerThenDone(harness),
      faults: [{ match: { turn: 1 }, times: 1_000, status: 500 }],
      timings: { activityRetryTotalMs: 1_000 },
    }),
    ends: alike(end({ lost: 'ProviderUnavailable' }, 1, 2)),
    check: ({ transcript }) =>
      expect(transcript.extra).toMatchObject({ trouble: { type: 'ProviderUnavailable' } }),
  },
  {
    title: 'ends with a refusal',
    run: () => ({ script: { turns: [{ text: '', finish: 'content_filter' }], loop: true } }),
    ends: { ...alike(end('refused', 1, 1)), 'nanobot-paper': end('refused', 2, 3) },
  },
  {
    title: 'ends with an empty reply',
    run: () => ({ script: { turns: [{ text: '' }], loop: true } }),
    ends: {
      nanobot: end('empty', 2, 3),
      'nanobot-paper': end('empty', 2, 3),
      hermes: end('empty', 4, 4),
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
function replied({ transcript }: ConformanceResult): TranscriptStep[] {
  return transcript.steps.filter(({ llm_call_count: calls }) => calls === 1);
}

function expectEnd(result: ConformanceResult, { stop, steps, requests }: End): void {
  const { record, transcript, providerReplies } = result;
  const lost = typeof stop === 'object';
  const outcome = lost ? 'lost' : stop === 'cancelled' ? 'cancelled' : 'ended';
  expect(record).toMatchObject({ outcome, traffic: { steps, modelRequests: requests } });
  expect(record.stopReason).toBe(lost ? undefined : stop);
  if (lost) expect(record.failure?.type).toBe(stop.lost);
  expect(providerReplies).toBe(lost ? requests - 1 : requests);
  expect(replied(result)).toHaveLength(providerReplies);
  expect(transcript.extra).toMatchObject({
    stop_reason: lost ? 'lost' : stop,
    model_steps: steps,
  });
}

describe('every sandboxed harness, as it is, against the real gateway and a scripted provider', () => {
  // Tests that run side by side do not wait for beforeAll.
  let started: Promise<ConformanceBench> | undefined;
  const bench = () => (started ??= ConformanceBench.start());
  afterAll(async () => (await started)?.dispose());

  describe.each(NAMES)('%s', (harness) => {
    it.concurrent.each(ROWS.map((row, index) => [row.title, row, index] as const))(
      '%s',
      async (_title, row, index) => {
        const scripted = { id: `row-${index}-${harness}`, harness, ...row.run(harness) };
        const result = await (await bench()).run(scripted);
        expectEnd(result, row.ends[harness]);
        row.check?.(result, harness);
        const { litter, ownLog } = HARNESSES[harness];
        expect(result.record.pollution.filter((path) => !litter.test(path))).toEqual([]);
        const endedByItself = result.record.exit?.exitCode === 0;
        expect(result.native !== undefined).toBe(ownLog && endedByItself);
      },
    );
  });
});
