import { type ParameterQuirks } from '../../core/account';
import { type ModelIdentity } from '../../core/sweep';
import { type ReplayContext } from './port';

type Json = Readonly<Record<string, unknown>>;

/** Fields that lane parameters can never replace. */
const OWN_FIELDS = ['model', 'messages', 'tools', 'stream', 'stream_options', 'n'];

/** The request as this model's API wants it: the lane's name and parameters win over what the caller asked for. */
export function requestBody(model: ModelIdentity, body: Json, quirks: ParameterQuirks): Json {
  const merged: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(model.parameters))
    if (!OWN_FIELDS.includes(name)) merged[name] = value;
  const limit = merged['max_completion_tokens'] ?? merged['max_tokens'];
  if (limit !== undefined && quirks.outputLimitField !== undefined) {
    delete merged['max_tokens'];
    delete merged['max_completion_tokens'];
    merged[quirks.outputLimitField] = limit;
  }
  for (const name of quirks.refusedFields ?? []) Reflect.deleteProperty(merged, name);
  delete merged['stream'];
  delete merged['stream_options'];
  return { ...merged, model: model.name };
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
