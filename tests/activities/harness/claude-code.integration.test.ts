import { type TranscriptStep } from '../../../activities/gateway/transcript-schema';
import { type StopReason } from '../../../core/run';
import { ConformanceBench } from './support/conformance-bench';
import { type ConformanceResult, type Script, type ScriptedRun } from './support/scripted-run';

jest.setTimeout(600_000);

const bash = (command: string) => ({
  tools: [{ name: 'Bash', arguments: { command, description: 'x' } }],
});
const DONE = { text: 'delivered' };
const ANSWER = 'command -v python3 soffice && cat query/task.md > results/answer.txt';
const ANSWERED = { 'answer.txt': 'Write hello.' };
const answerThenDone: Script = { turns: [bash(ANSWER), DONE] };

interface Row {
  readonly title: string;
  readonly run: Omit<ScriptedRun, 'id' | 'harness'>;
  readonly stop: StopReason;
  readonly steps: number;
  readonly requests: number;
  /** @default none */
  readonly deliverables?: Readonly<Record<string, string>>;
  readonly check?: (result: ConformanceResult) => void;
}

const ROWS: readonly Row[] = [
  {
    title: 'completes and leaves a file',
    run: { script: answerThenDone },
    stop: 'completed',
    steps: 2,
    requests: 2,
    deliverables: ANSWERED,
    check: (result) => {
      const { transcript, native } = result;
      const offered = transcript.agent.tool_definitions as { function: { name: string } }[];
      expect(offered.map((tool) => tool.function.name).sort()).toEqual([
        'Bash',
        'Edit',
        'Glob',
        'Grep',
        'Read',
        'Write',
      ]);
      expect(JSON.stringify(replied(result)[0]?.observation)).toContain('/usr/bin/soffice');
      expect(native).toContain('results/answer.txt');
      expect(JSON.stringify(result.record)).not.toContain('apiKey');
    },
  },
  {
    title: 'ends at the step cap without another request',
    run: { script: { turns: [bash('date')], loop: true }, limits: { maxSteps: 3 } },
    stop: 'step_cap',
    steps: 3,
    requests: 3,
  },
  {
    title: 'ends at the first 402 and keeps what it made',
    run: {
      script: {
        turns: [{ ...bash(ANSWER), usage: { inputTokens: 1_000, outputTokens: 1_000 } }],
        loop: true,
      },
      prices: {
        inputPerMillion: 1_000_000,
        cachedInputPerMillion: 1_000_000,
        cacheWritePerMillion: 1_000_000,
        outputPerMillion: 1_000_000,
      },
      limits: { maxCostMicroUsd: 2_000 },
    },
    stop: 'budget',
    steps: 1,
    requests: 1,
    deliverables: ANSWERED,
  },
  {
    title: 'ends with an empty reply',
    run: { script: { turns: [{ text: '' }], loop: true } },
    stop: 'empty',
    steps: 2,
    requests: 2,
  },
  {
    title: 'ends with a refusal',
    run: { script: { turns: [{ text: '', finish: 'content_filter' }], loop: true } },
    stop: 'refused',
    steps: 2,
    requests: 2,
  },
  {
    title: 'is ended at its working time, and what it made counts',
    run: {
      script: { turns: [bash(`${ANSWER}; sleep 500`), DONE] },
      limits: { workingTimeMs: 3_600_000 },
      whenDelivered: 'time is over',
    },
    stop: 'timeout',
    steps: 1,
    requests: 1,
    deliverables: ANSWERED,
  },
  {
    title: 'is cancelled',
    run: {
      script: { turns: [bash(`${ANSWER}; sleep 500`), DONE] },
      whenDelivered: 'cancel',
    },
    stop: 'cancelled',
    steps: 1,
    requests: 1,
  },
  {
    title: 'reads an image, which the model gets to see',
    run: {
      script: {
        turns: [
          bash(
            `python3 -c "from PIL import Image; Image.new('RGB', (8, 8), 'red').save('/tmp/red.png')"`,
          ),
          { tools: [{ name: 'Read', arguments: { file_path: '/tmp/red.png' } }] },
          DONE,
        ],
      },
    },
    stop: 'completed',
    steps: 3,
    requests: 3,
    check: ({ transcript }) => {
      expect(JSON.stringify(transcript.steps)).toContain('"media_type":"image/');
    },
  },
];

function replied({ transcript }: ConformanceResult): TranscriptStep[] {
  return transcript.steps.filter(({ llm_call_count: calls }) => calls === 1);
}

describe('Claude Code, as it is, against the real gateway and a scripted provider', () => {
  // Tests that run side by side do not wait for beforeAll.
  let started: Promise<ConformanceBench> | undefined;
  const bench = () => (started ??= ConformanceBench.start());
  afterAll(async () => (await started)?.dispose());

  it.concurrent.each(ROWS.map((row, index) => [row.title, row, index] as const))(
    '%s',
    async (_title, row, index) => {
      const scripted = { id: `claude-${index}`, harness: 'claude-code' as const, ...row.run };
      const result = await (await bench()).run(scripted);
      const { record } = result;
      expect(record).toMatchObject({
        outcome: row.stop === 'cancelled' ? 'cancelled' : 'ended',
        stopReason: row.stop,
        traffic: { steps: row.steps, modelRequests: row.requests },
        pollution: [],
      });
      expect(result.providerReplies).toBe(row.requests);
      expect(replied(result)).toHaveLength(row.requests);
      expect(result.deliverables).toEqual(row.deliverables ?? {});
      row.check?.(result);
    },
  );
});
