import { ConformanceBench } from './support/conformance-bench';
import { type Harness, HARNESSES } from './support/harness-facts';
import { type ConformanceResult } from './support/scripted-run';

/** How long each client waits for the next bytes of a reply, and how it says that it has given up. */
const CLIENTS: Readonly<
  Partial<
    Record<
      Harness,
      { readonly waits: (seconds: number) => Record<string, string>; readonly gaveUp: RegExp }
    >
  >
> = {
  nanobot: {
    waits: (seconds) => ({ NANOBOT_STREAM_IDLE_TIMEOUT_S: String(seconds) }),
    gaveUp: /stalled|timed? ?out|retry/iu,
  },
  'nanobot-paper': {
    waits: (seconds) => ({ NANOBOT_STREAM_IDLE_TIMEOUT_S: String(seconds) }),
    gaveUp: /stalled|timed? ?out|retry/iu,
  },
  hermes: {
    waits: (seconds) => ({
      HERMES_STREAM_READ_TIMEOUT: String(seconds),
      HERMES_STREAM_STALE_TIMEOUT: String(seconds),
    }),
    gaveUp: /stalled|timed? ?out|retry|no response from provider/iu,
  },
  'claude-code': {
    waits: (seconds) => ({
      CLAUDE_STREAM_IDLE_TIMEOUT_MS: String(seconds * 1_000),
      API_TIMEOUT_MS: String(seconds * 1_000),
    }),
    gaveUp: /api_retry|timed? ?out/iu,
  },
};

const SILENT = Object.keys(CLIENTS) as Harness[];

describe('a provider that is silent for longer than the client waits for the next bytes', () => {
  let bench: ConformanceBench;
  const kept: Partial<Record<Harness, Promise<ConformanceResult>>> = {};
  const gaveUp: Partial<Record<Harness, Promise<ConformanceResult>>> = {};

  beforeAll(async () => {
    // All of them at once: they wait for the provider, not for a processor.
    bench = await ConformanceBench.start(2 * SILENT.length);
    for (const harness of SILENT) {
      // Signs of life come every 10 seconds; on a busy machine, some seconds later.
      kept[harness] = run(harness, 30, 40_000);
      gaveUp[harness] = run(harness, 3, 17_000);
    }
    // Each is awaited in its own test.
    void Promise.allSettled([...Object.values(kept), ...Object.values(gaveUp)]);
  });
  afterAll(async () => {
    await Promise.allSettled([...Object.values(kept), ...Object.values(gaveUp)]);
    await bench.dispose();
  });

  const run = (
    harness: Harness,
    waitsSeconds: number,
    silentMs: number,
  ): Promise<ConformanceResult> => {
    const command = 'echo kept > results/answer.txt';
    return bench.run({
      id: `silent-${harness}-${waitsSeconds}`,
      harness,
      environment: CLIENTS[harness]!.waits(waitsSeconds),
      script: {
        turns: [
          { tools: [{ name: HARNESSES[harness].shell, arguments: { command } }] },
          { text: 'done' },
        ],
      },
      faults: [{ match: { turn: 1 }, delayMs: silentMs }],
    });
  };

  describe.each(SILENT)('%s', (harness) => {
    it('is kept alive: it asks once, and does not notice', async () => {
      const result = await kept[harness]!;
      expect(result.record).toMatchObject({
        stopReason: 'completed',
        traffic: { steps: 2, modelRequests: 2, upstreamCalls: 2 },
      });
      expect(result.printed).not.toMatch(CLIENTS[harness]!.gaveUp);
    });

    it('would give up by itself, and does where signs of life are further apart', async () => {
      const result = await gaveUp[harness]!;
      expect(result.printed).toMatch(CLIENTS[harness]!.gaveUp);
    });
  });
});
