import { HARNESSES, SUBAGENT_TOOLS } from './harness-facts';
import { LIMIT_ROWS } from './limit-rows';
import {
  alike,
  ANSWER,
  answerThenDone,
  call,
  delivers,
  deliversAnswer,
  DONE,
  end,
  replied,
  type Row,
} from './row-parts';

const PAINT = `python3 -c "from PIL import Image; Image.new('RGB', (64, 64), 'red').save('/tmp/red.png')"`;
const HOG = 'python3 -c "x = bytearray(1 << 30)"';
/** The kernel takes a marked process first: here the harness, and not the command that uses up the memory. */
const HARNESS_FIRST = `echo 0 > /proc/self/oom_score_adj; for p in $(pgrep -P 1); do grep -q forwarder /proc/$p/cmdline || echo 1000 > /proc/$p/oom_score_adj; done`;

export const ROWS: readonly Row[] = [
  {
    title: 'completes and leaves a file',
    run: (harness) => ({ script: answerThenDone(harness) }),
    ends: alike(end('completed', 2, 2)),
    check: (result, harness) => {
      deliversAnswer(result);
      const offered = result.transcript.agent.tool_definitions as { function: { name: string } }[];
      const names = offered.map((tool) => tool.function.name);
      expect(names.sort()).toEqual(HARNESSES[harness].tools);
      expect(names.filter((name) => SUBAGENT_TOOLS.includes(name))).toEqual([]);
      const [first] = replied(result);
      expect(JSON.stringify(first?.observation)).toContain('/usr/bin/soffice');
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
  ...LIMIT_ROWS,
];
