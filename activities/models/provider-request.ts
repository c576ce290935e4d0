import { type IncomingMessage } from 'node:http';
import { type Simulation } from '../../core/sweep';

/** A request to one of our own providers, as far as they look at it. */
export interface ProviderRequest {
  readonly purpose: string;
  readonly taskId: string;
  readonly repetition: number;
  readonly subject: string | undefined;
  readonly itemId: string | undefined;
  readonly recordings: string | undefined;
  readonly simulation: Simulation | undefined;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** Number of assistant messages so far. */
  readonly turn: number;
  /** Offered function tools; empty when the model may call none. */
  readonly tools: readonly OfferedTool[];
  readonly bodyBytes: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface OfferedTool {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A fault of the request itself; answered in OpenAI's error shape. */
export class ProviderRequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ProviderRequestError';
  }
}

type Json = Record<string, unknown>;

export function parseProviderRequest(request: IncomingMessage, raw: Buffer): ProviderRequest {
  const body = parseBody(raw);
  const messages = Array.isArray(body['messages']) ? (body['messages'] as unknown[]) : [];
  const simulation = header(request, 'simulation');
  return {
    purpose: header(request, 'purpose') ?? 'agent',
    taskId: header(request, 'task') ?? '',
    repetition: Number(header(request, 'repetition') ?? 1),
    subject: header(request, 'subject'),
    itemId: header(request, 'item'),
    recordings: header(request, 'recordings'),
    simulation: simulation === undefined ? undefined : parseSimulation(simulation),
    stream: body['stream'] === true,
    includeUsage:
      isObject(body['stream_options']) && body['stream_options']['include_usage'] === true,
    turn: messages.filter((message) => isObject(message) && message['role'] === 'assistant').length,
    tools: body['tool_choice'] === 'none' ? [] : offeredTools(body['tools']),
    bodyBytes: raw.length,
    body,
  };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[`x-startupbench-${name}`];
  return typeof value === 'string' ? decodeURIComponent(value) : undefined;
}

function parseBody(raw: Buffer): Json {
  try {
    const body: unknown = JSON.parse(raw.toString('utf8'));
    if (isObject(body)) return body;
  } catch {
    // Falls through to the one message for every body that is no JSON object.
  }
  throw new ProviderRequestError(400, 'invalid_json', 'the body is not a JSON object');
}

function parseSimulation(text: string): Simulation {
  const given = JSON.parse(text) as Partial<Simulation>;
  return {
    seed: given.seed ?? 0,
    steps: given.steps ?? 1,
    judgeTurns: given.judgeTurns ?? 1,
    latencyMs: given.latencyMs ?? 0,
    errorRate: given.errorRate ?? 0,
  };
}

function offeredTools(tools: unknown): OfferedTool[] {
  if (!Array.isArray(tools)) return [];
  const offered: OfferedTool[] = [];
  for (const tool of tools as unknown[]) {
    if (!isObject(tool) || !isObject(tool['function'])) continue;
    const { name, parameters } = tool['function'];
    if (typeof name === 'string')
      offered.push({ name, parameters: isObject(parameters) ? parameters : {} });
  }
  return offered;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
