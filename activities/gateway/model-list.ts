import { type HttpAnswer } from './exchange-outcome';
import { type GatewayAttempt } from './port';
import { type HarnessProtocol } from './request-filter';

/** The answer to `GET /v1/models`: the attempt's one model, in the form of the asking protocol. */
export function modelList(
  { model, limits }: Pick<GatewayAttempt, 'model' | 'limits'>,
  protocol: HarnessProtocol,
): HttpAnswer {
  const list =
    protocol === 'messages'
      ? {
          data: [
            {
              type: 'model',
              id: model.id,
              display_name: model.id,
              created_at: '1970-01-01T00:00:00Z',
            },
          ],
          has_more: false,
          first_id: model.id,
          last_id: model.id,
        }
      : {
          object: 'list',
          data: [
            {
              id: model.id,
              object: 'model',
              created: 0,
              owned_by: 'startupbench',
              context_length: limits.contextWindowTokens,
            },
          ],
        };
  return { status: 200, contentType: 'application/json', body: JSON.stringify(list) };
}
