import { modelAnswer } from '../../../activities/gateway/model-list';
import { type HarnessProtocol } from '../../../activities/gateway/request-filter';
import { DEFAULT_LIMITS } from '../../../core/limits';
import { SETTINGS } from './support/attempt-folder';

const settings = {
  model: { ...SETTINGS.model, id: 'glm-5.1@x y' },
  limits: { ...DEFAULT_LIMITS, contextWindowTokens: 200_000, maxOutputTokensPerReply: 32_000 },
};
const get = (path: string, protocol: HarnessProtocol): unknown => {
  const answer = modelAnswer(settings, path, protocol);
  return answer === undefined ? undefined : JSON.parse(answer.body);
};

describe('the list of models', () => {
  it('is the attempt’s one model, as Chat Completions lists it', () => {
    const model = {
      id: 'glm-5.1@x y',
      object: 'model',
      created: 0,
      owned_by: 'startupbench',
      context_length: 200_000,
    };
    expect(get('/v1/models', 'chat-completions')).toEqual({ object: 'list', data: [model] });
    expect(get('/v1/models/', 'chat-completions')).toEqual({ object: 'list', data: [model] });
    expect(get('/v1/models/glm-5.1%40x%20y', 'chat-completions')).toEqual(model);
  });

  it('is the attempt’s one model, as Anthropic lists it', () => {
    const model = {
      type: 'model',
      id: 'glm-5.1@x y',
      display_name: 'glm-5.1@x y',
      created_at: '1970-01-01T00:00:00Z',
      max_input_tokens: 200_000,
      max_tokens: 32_000,
    };
    const ids = { first_id: model.id, last_id: model.id };
    expect(get('/v1/models', 'messages')).toEqual({ data: [model], has_more: false, ...ids });
    expect(get('/v1/models/glm-5.1@x y', 'messages')).toEqual(model);
  });

  it.each(['/v1/models/gpt-4o', '/v1/models/%', '/v1/models/a/b', '/v1/modelsx', '/v1/model'])(
    'has no %s',
    (path) => {
      expect(get(path, 'chat-completions')).toBeUndefined();
    },
  );
});
