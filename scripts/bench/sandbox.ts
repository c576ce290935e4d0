import { parseArgs } from 'node:util';
import { startProvider } from '../../activities/models/provider-server';
import { type AgentActivities, type RunReference } from '../../core/activity-contract';
import { call, median, openBenchHost } from './support/agent-host';

/**
 * What a run costs in a real sandbox when the model answers at once: the harness `minimal` makes shell commands from a
 * recording, through the real gateway; prepare, execute and store are timed, cleaning up is not.
 */
const USAGE = `usage: tsx scripts/bench/sandbox.ts [options]
  --runs N       runs of each round (default 12)
  --commands N   shell commands a run (default 20)
  --parallel N   width of the second round (default 4)
`;

const STAGES = ['prepareWorkspace', 'executeAgent', 'storeDeliverables'] as const;
type Seconds = Record<(typeof STAGES)[number], number>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '12' },
      commands: { type: 'string', default: '20' },
      parallel: { type: 'string', default: '4' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const [runs, parallel] = [Number(values.runs), Number(values.parallel)];
  const turn = { tools: [{ name: 'exec', arguments: { command: 'date >> results/log.txt' } }] };
  const turns = [...Array.from({ length: Number(values.commands) }, () => turn), { text: 'done' }];
  const host = await openBenchHost({
    recording: { turns },
    provider: (recordingsDir) => startProvider({ port: 0, recordingsDir }),
    slots: parallel,
  });
  try {
    const references = await host.plan('minimal', runs * 2 + 1);
    await timedRun(host.activities, references.pop() as RunReference);
    for (const width of [1, parallel])
      await round(host.activities, references.splice(0, runs), width);
  } finally {
    await host.close();
  }
}

async function round(activities: AgentActivities, runs: readonly RunReference[], width: number) {
  const measured: Seconds[] = [];
  const started = Date.now();
  const left = [...runs];
  const lane = async () => {
    for (let run = left.pop(); run !== undefined; run = left.pop())
      measured.push(await timedRun(activities, run));
  };
  await Promise.all(Array.from({ length: width }, lane));
  const wall = (Date.now() - started) / 1_000;
  const total = measured.map((stages) => STAGES.reduce((sum, stage) => sum + stages[stage], 0));
  const stages = STAGES.map(
    (stage) => `${stage} ${median(measured.map((seconds) => seconds[stage])).toFixed(2)}`,
  );
  process.stdout.write(
    `${width} in parallel: median ${median(total).toFixed(2)} s a run (${stages.join(', ')}), ${((wall * width) / runs.length).toFixed(2)} slot-seconds a run\n`,
  );
}

async function timedRun(activities: AgentActivities, run: RunReference): Promise<Seconds> {
  const seconds = { prepareWorkspace: 0, executeAgent: 0, storeDeliverables: 0 };
  const timed = async <T>(stage: keyof Seconds, work: Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await work;
    seconds[stage] = (performance.now() - started) / 1_000;
    return result;
  };
  const reference = await call(activities.reserveHost, { run });
  await timed('prepareWorkspace', call(activities.prepareWorkspace, reference));
  const end = await timed('executeAgent', call(activities.executeAgent, reference));
  if (end.stopReason !== 'completed') throw new Error(`a run ended with ${JSON.stringify(end)}`);
  await timed('storeDeliverables', call(activities.storeDeliverables, { ...reference, end }));
  await call(activities.cleanUpAttempt, reference);
  return seconds;
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
