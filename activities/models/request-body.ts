import { type ParameterQuirks } from '../../core/account';
import { type ModelIdentity } from '../../core/sweep';
import { type ReplayContext } from './port';

type Json = Readonly<Record<string, unknown>>;

/** Fields that lane parameters can never replace. */
const OWN_FIELDS = ['model', 'messages', 'tools', 'stream', 'stream_options', 'n'];

/** A request, and the names of what the model's API refuses of it. */
export interface PreparedRequest {
  readonly body: Json;
  readonly dropped: readonly string[];
}

/** The request as this model's API wants it: the lane's name and parameters win over what the caller asked for. */
export function requestBody(
  model: ModelIdentity,
  body: Json,
  quirks: ParameterQuirks,
): PreparedRequest {
  const merged: Record<string, unknown> = { ...body };
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(model.parameters))
    if (!OWN_FIELDS.includes(name)) merged[name] = value;
  const limit = merged['max_completion_tokens'] ?? merged['max_tokens'];
  if (limit !== undefined && quirks.outputLimitField !== undefined) {
    delete merged['max_tokens'];
    delete merged['max_completion_tokens'];
    merged[quirks.outputLimitField] = limit;
  }
  for (const name of quirks.refusedFields ?? []) {
    if (merged[name] !== undefined && merged[name] !== null) dropped.push(name);
    Reflect.deleteProperty(merged, name);
  }
  if (quirks.forcedTools === false && isForced(merged['tool_choice'])) {
    merged['tool_choice'] = 'auto';
    dropped.push('tool_choice');
  }
  delete merged['stream'];
  delete merged['stream_options'];
  return { body: { ...merged, model: model.name }, dropped };
}

function isForced(choice: unknown): boolean {
  return choice === 'required' || (typeof choice === 'object' && choice !== null);
}

/** What our own provider is told beside the request. URI-encoded, since task names may hold any character. */
export function replayHeaders(
  model: ModelIdentity,
  context: ReplayContext,
): Record<string, string> {
  const facts: Record<string, string | undefined> = {
    purpose: context.purpose,
    task: context.taskId,
    repetition: String(context.repetition),
    subject: context.subject,
    item: context.itemId,
    recordings: model.recordings?.name,
    simulation: model.simulation === undefined ? undefined : JSON.stringify(model.simulation),
  };
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(facts))
    if (value !== undefined) headers[`x-startupbench-${name}`] = encodeURIComponent(value);
  return headers;
}
