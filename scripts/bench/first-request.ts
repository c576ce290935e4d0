import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { completionToEventStream } from '../../core/chat-completion';
import { type AgentActivities, type RunReference } from '../../core/activity-contract';
import { type HarnessName } from '../../core/sweep';
import { call, median, openBenchHost } from './support/agent-host';

/**
 * How long a harness takes from the start of its run (a place on the host is free, nothing is prepared) to its first
 * model request at the provider: in a real sandbox, through the real gateway. The provider ends each run with its reply.
 */
const USAGE = `usage: tsx scripts/bench/first-request.ts [options]
  --harness NAME   may be given more than once (default: all that run in a sandbox)
  --runs N         runs of each round (default 8)
  --parallel N     width of the second round (default 4)
`;

const HARNESSES: readonly HarnessName[] = [
  ...(['minimal', 'claude-code', 'nanobot', 'nanobot-paper', 'hermes'] as const),
];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      harness: { type: 'string', multiple: true, default: [...HARNESSES] },
      runs: { type: 'string', default: '8' },
      parallel: { type: 'string', default: '4' },
      help: { type: 'boolean', default: false },
    },
  });
  const unknown = values.harness.filter((name) => !HARNESSES.some((known) => known === name));
  if (values.help || unknown.length > 0) {
    process.stdout.write(USAGE);
    process.exitCode = unknown.length > 0 ? 2 : 0;
    return;
  }
  const [runs, parallel] = [Number(values.runs), Number(values.parallel)];
  process.stdout.write(`${cpus().length} processors\n`);
  const asked = new Map<string, number>();
  const host = await openBenchHost({
    recording: { turns: [] },
    provider: () => startStopwatch(asked),
    slots: parallel,
  });
  try {
    for (const harness of HARNESSES.filter((name) => values.harness.includes(name))) {
      const references = await host.plan(harness, runs * 2 + 1);
      asked.clear();
      await secondsToFirstRequest(host.activities, references.pop() as RunReference, asked);
      for (const width of [1, parallel]) {
        const seconds = await round(
          host.activities,
          ...([references.splice(0, runs), width, asked] as const),
        );
        process.stdout.write(
          `${harness}, ${width} at once: median ${median(seconds).toFixed(2)} s, slowest ${Math.max(...seconds).toFixed(2)} s\n`,
        );
      }
    }
  } finally {
    await host.close();
  }
}

async function round(
  activities: AgentActivities,
  runs: readonly RunReference[],
  width: number,
  asked: ReadonlyMap<string, number>,
): Promise<number[]> {
  const left = [...runs];
  const seconds: number[] = [];
  // All of one width start together, since it is starting that they would do at the same time.
  while (left.length > 0)
    seconds.push(
      ...(await Promise.all(
        left.splice(0, width).map((run) => secondsToFirstRequest(activities, run, asked)),
      )),
    );
  return seconds;
}

async function secondsToFirstRequest(
  activities: AgentActivities,
  run: RunReference,
  asked: ReadonlyMap<string, number>,
): Promise<number> {
  const reference = await call(activities.reserveHost, { run });
  const started = performance.now();
  await call(activities.prepareWorkspace, reference);
  const end = await call(activities.executeAgent, reference);
  if (end.stopReason !== 'completed') throw new Error(`a run ended with ${JSON.stringify(end)}`);
  const first = asked.get(String(run.repetition));
  if (first === undefined) throw new Error(`${run.runId} asked no model`);
  await call(activities.storeDeliverables, { ...reference, end });
  await call(activities.cleanUpAttempt, reference);
  return (first - started) / 1_000;
}

/** Notes when each repetition asks first, and answers every request in one word. */
async function startStopwatch(asked: Map<string, number>) {
  const server = createServer((request, response) => {
    const repetition = String(request.headers['x-startupbench-repetition']);
    if (!asked.has(repetition)) asked.set(repetition, performance.now());
    void bodyOf(request).then((body) => {
      const { stream } = JSON.parse(body) as { readonly stream?: boolean };
      const type = stream === true ? 'text/event-stream' : 'application/json';
      const reply =
        stream === true ? completionToEventStream(ANSWER, true) : JSON.stringify(ANSWER);
      response.writeHead(200, { 'content-type': type }).end(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const ANSWER = {
  id: 'bench',
  object: 'chat.completion' as const,
  created: 0,
  model: 'bench',
  choices: [
    {
      index: 0,
      finish_reason: 'stop' as const,
      message: { role: 'assistant' as const, content: 'Done.' },
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
