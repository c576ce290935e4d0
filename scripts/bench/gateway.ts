import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { attemptFiles } from '../../activities/gateway/attempt-files';
import { type GatewayLoad, openGatewayLoad, type Passage, tagOf } from './support/gateway-load';

/**
 * What the gateway adds to a model request: the way in (last byte from the harness to last byte at the provider) and
 * the way out (last byte from the provider to first byte at the harness), at three sizes of body and many agents at
 * once; how large the journal of a long run gets beside what it records; and the process's memory over many requests.
 */
const USAGE = `usage: tsx scripts/bench/gateway.ts [options]
  --agents N       agents in parallel (default 32)
  --latency MS     the provider's mean time for a reply (default 1000)
  --requests N     requests of the memory round (default 2000)
  --only ROUND     37KB, 1MB, 20MB, journal or memory (default all)
`;

const SIZES: readonly (readonly [name: string, bytes: number, requests: number])[] = [
  ['37KB', 37_000, 20],
  ['1MB', 1_000_000, 5],
  ['20MB', 20_000_000, 1],
];
const STEPS = 200;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      agents: { type: 'string', default: '32' },
      latency: { type: 'string', default: '1000' },
      requests: { type: 'string', default: '2000' },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const wanted = (round: string) => values.only === undefined || values.only === round;
  let latencyMs = Number(values.latency);
  // Half to one and a half times the mean: agents do not stay in step.
  const load = await openGatewayLoad(() => latencyMs * (0.5 + Math.random()), reply);
  try {
    for (const [name, bytes, requests] of SIZES)
      if (wanted(name)) await overhead(load, name, bytes, requests, Number(values.agents));
    latencyMs = 0;
    if (wanted('journal')) await journal(load);
    if (wanted('memory')) await memory(load, Number(values.requests));
  } finally {
    await load.close();
  }
}

async function overhead(
  load: GatewayLoad,
  name: string,
  bytes: number,
  requests: number,
  agents: number,
): Promise<void> {
  const passages: Passage[] = [];
  const history = historyOf(bytes);
  const processorMs = load.processorMs();
  await Promise.all(
    Array.from({ length: agents }, async (_, agent) => {
      const folder = await load.attempt(`size-${bytes}-${agent}`);
      for (let request = 0; request <= requests; request++) {
        const tag = `${bytes}/${agent}/${request}`;
        const passage = await load.ask(folder, tag, bodyOf([...history, tagOf(tag)]));
        // The first one stores the history; a long run's others build on it.
        if (request > 0 || requests === 1) passages.push(passage);
      }
    }),
  );
  const wayIn = passages.map(({ sentMs, arrivedMs }) => arrivedMs - sentMs);
  const wayOut = passages.map(({ answeredMs, handedOverMs }) => handedOverMs - answeredMs);
  const both = passages.map((_, index) => (wayIn[index] ?? 0) + (wayOut[index] ?? 0));
  const used = (load.processorMs() - processorMs) / (agents * (requests + 1));
  say(
    `${name} bodies, ${agents} agents, ${passages.length} requests: overhead ${percentiles(both)} (in ${percentiles(wayIn)}; out ${percentiles(wayOut)}); ${used.toFixed(1)} ms of processor a request`,
  );
}

/** A conversation that grows by a reply, its tool's result and now and then an image, as long runs do. */
async function journal(load: GatewayLoad): Promise<void> {
  const folder = await load.attempt('journal');
  const messages: object[] = [...historyOf(37_000)];
  let payload = 0;
  let sent = 0;
  for (let step = 0; step < STEPS; step++) {
    const body = bodyOf([...messages, tagOf(`step-${step}`)]);
    const { answer } = await load.ask(folder, `step-${step}`, body);
    sent += body.length;
    payload += answer.length;
    const { choices } = JSON.parse(answer) as { choices: { message: object }[] };
    const result: object[] = [
      { role: 'tool', tool_call_id: `call-step-${step}`, content: text(2_000, step) },
      ...(step % 20 === 0 ? [image(200_000, step)] : []),
    ];
    messages.push(choices[0]?.message ?? {}, ...result);
    payload += JSON.stringify(result).length;
  }
  payload += JSON.stringify(historyOf(37_000)).length;
  const bytes = statSync(attemptFiles(folder).journal).size;
  say(
    `journal of ${STEPS} steps: ${mb(bytes)} for ${mb(payload)} of replies, results and images (${(bytes / payload).toFixed(2)} times), ${mb(sent)} sent in all`,
  );
}

async function memory(load: GatewayLoad, requests: number): Promise<void> {
  const figures: string[] = [];
  const agents = 8;
  const folders = await Promise.all(
    Array.from({ length: agents }, (_, agent) => load.attempt(`memory-${agent}`)),
  );
  const history = historyOf(37_000);
  const quarter = Math.ceil(requests / agents / 4);
  for (let part = 0; part < 4; part++) {
    await Promise.all(
      folders.map(async (folder, agent) => {
        for (let request = 0; request < quarter; request++) {
          const tag = `memory/${part}/${agent}/${request}`;
          await load.ask(folder, tag, bodyOf([...history, tagOf(tag)]));
        }
      }),
    );
    figures.push(`${((part + 1) * quarter * agents).toString()}: ${load.memoryMb().toFixed(0)} MB`);
  }
  say(`resident memory after requests of 37 KB: ${figures.join(', ')}`);
}

function historyOf(bytes: number): object[] {
  if (bytes <= 100_000) return [{ role: 'system', content: text(bytes, 0) }];
  const parts = 10;
  return Array.from({ length: parts }, (_, part) => image(bytes / parts, part));
}

function image(bytes: number, seed: number): object {
  const url = `data:image/png;base64,${letters(bytes, seed)}`;
  return { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
}

function text(bytes: number, seed: number): string {
  const line = `${seed} the quick brown fox jumps over the lazy dog and counts its invoices\n`;
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

/** Base64 of nothing, another one for each seed. */
function letters(bytes: number, seed: number): string {
  const start = seed.toString().padStart(8, '0');
  return `${start}${'A'.repeat(Math.floor(bytes / 4) * 4)}`;
}

function bodyOf(messages: readonly object[]): Buffer {
  const parameters = { type: 'object', properties: { command: { type: 'string' } } };
  const tools = [{ type: 'function', function: { name: 'exec', parameters } }];
  return Buffer.from(JSON.stringify({ model: 'bench', max_tokens: 1_000, tools, messages }));
}

function reply(tag: string): string {
  const argument = JSON.stringify({ command: `echo ${text(200, 1)}` });
  const call = {
    id: `call-${tag}`,
    type: 'function',
    function: { name: 'exec', arguments: argument },
  };
  return JSON.stringify({
    id: `reply-${tag}`,
    object: 'chat.completion',
    created: 1,
    model: 'bench',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, tool_calls: [call] },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 9_000, completion_tokens: 80, total_tokens: 9_080 },
  });
}

function percentiles(values: readonly number[]): string {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return `p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms`;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
