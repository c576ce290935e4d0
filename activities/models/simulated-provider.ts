import * as crypto from 'node:crypto';
import { type Simulation } from '../../core/sweep';
import { type ProviderTurn } from './provider-reply';
import { type OfferedTool, type ProviderRequest, ProviderRequestError } from './provider-request';

/** Share of rubric items that a simulated judge finds met. */
const PASS_RATE = 0.6;
const FIRST_LINE = 'Simulated report';
const REPORT = 'results/report.md';

/** Uniform in [0, 1), the same for the same parts. */
export function seeded(...parts: readonly (string | number | undefined)[]): number {
  const digest = crypto.createHash('sha256').update(JSON.stringify(parts)).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

/** What the simulated model says in this turn: the same request always gets the same reply. */
export function simulatedTurn(request: ProviderRequest): ProviderTurn {
  const simulation = simulationOf(request);
  const turn =
    request.purpose === 'judge' ? judgeTurn(request, simulation) : agentTurn(request, simulation);
  const jitter = seeded(
    simulation.seed,
    request.taskId,
    request.repetition,
    request.itemId,
    request.turn,
  );
  return {
    ...turn,
    usage: {
      inputTokens: Math.ceil(request.bodyBytes / 4),
      outputTokens: 40 + Math.floor(jitter * 200),
      cachedInputTokens: request.turn === 0 ? 0 : Math.floor(request.bodyBytes / 8),
    },
  };
}

export function simulationOf(request: ProviderRequest): Simulation {
  if (request.simulation === undefined)
    throw new ProviderRequestError(
      400,
      'no_simulation',
      'the header x-startupbench-simulation is missing',
    );
  return request.simulation;
}

function agentTurn(request: ProviderRequest, simulation: Simulation): ProviderTurn {
  const [tool] = request.tools;
  if (tool === undefined || request.turn >= simulation.steps - 1)
    return { text: `Simulated agent: done after ${request.turn + 1} steps.`, tools: [] };
  const call = { name: tool.name, arguments: inventedArguments(tool, request.turn) };
  return { text: undefined, tools: [call] };
}

function judgeTurn(request: ProviderRequest, simulation: Simulation): ProviderTurn {
  if (request.turn < simulation.judgeTurns - 1) {
    const look =
      request.turn % 2 === 0
        ? { name: 'list_artifacts', arguments: {} }
        : { name: 'read_text', arguments: { artifact: REPORT } };
    return { text: undefined, tools: [look] };
  }
  const pass =
    seeded(simulation.seed, 'pass', request.taskId, request.repetition, request.itemId) < PASS_RATE;
  const verdict = {
    justification: `Simulated verdict on ${request.itemId ?? 'an item'}.`,
    pass,
    citations: [{ locator: `${REPORT}#lines=1-1`, quote: FIRST_LINE }],
    searched: [],
  };
  return { text: undefined, tools: [{ name: 'submit_verdict', arguments: verdict }] };
}

/** Arguments that fit the tool's schema. A shell's first command leaves the report that simulated judges cite. */
function inventedArguments(tool: OfferedTool, turn: number): Record<string, unknown> {
  const { properties, required } = tool.parameters as { properties?: unknown; required?: unknown };
  const schema = (properties ?? {}) as Record<string, { type?: unknown } | undefined>;
  const names = Array.isArray(required) ? (required as unknown[]) : Object.keys(schema).slice(0, 1);
  const values: Record<string, unknown> = {};
  for (const name of names)
    if (typeof name === 'string') values[name] = inventedValue(name, schema[name]?.type, turn);
  return values;
}

function inventedValue(name: string, type: unknown, turn: number): unknown {
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  if (type === 'object') return {};
  if (!/command|cmd/u.test(name)) return `simulated ${turn + 1}`;
  return turn === 0
    ? `mkdir -p results && echo '${FIRST_LINE}' > ${REPORT} && echo step 1`
    : `echo step ${turn + 1}`;
}
