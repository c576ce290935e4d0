import { type HttpAnswer } from './exchange-outcome';
import { type GatewayAttempt } from './port';
import { type HarnessProtocol } from './request-filter';

type Settings = Pick<GatewayAttempt, 'model' | 'limits'>;

const PATH = /^\/v1\/models(?:\/(.*))?$/su;

/**
 * The answer to `GET /v1/models` and `GET /v1/models/<id>`: the attempt's one model, in the form of the asking
 * protocol. Undefined for other paths, and for models that this attempt does not have.
 */
export function modelAnswer(
  settings: Settings,
  path: string,
  protocol: HarnessProtocol,
): HttpAnswer | undefined {
  const found = PATH.exec(path);
  if (found === null) return undefined;
  const id = decoded(found[1] ?? '');
  if (id === '') return answer(modelList(settings, protocol));
  return id === settings.model.id ? answer(modelEntry(settings, protocol)) : undefined;
}

function modelList(settings: Settings, protocol: HarnessProtocol): object {
  const { id } = settings.model;
  const data = [modelEntry(settings, protocol)];
  return protocol === 'messages'
    ? { data, has_more: false, first_id: id, last_id: id }
    : { object: 'list', data };
}

function modelEntry({ model, limits }: Settings, protocol: HarnessProtocol): object {
  return protocol === 'messages'
    ? {
        type: 'model',
        id: model.id,
        display_name: model.id,
        created_at: '1970-01-01T00:00:00Z',
        max_input_tokens: limits.contextWindowTokens,
        max_tokens: limits.maxOutputTokensPerReply,
      }
    : {
        id: model.id,
        object: 'model',
        created: 0,
        owned_by: 'startupbench',
        context_length: limits.contextWindowTokens,
      };
}

function answer(value: object): HttpAnswer {
  return { status: 200, contentType: 'application/json', body: JSON.stringify(value) };
}

/** A name in a path; one that is no text is no model's. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
