/**
 * Requests that say the same as Chat Completions and as Responses, written by hand from OpenAI's documentation; each
 * with the page that shows the form.
 */
type Json = Readonly<Record<string, unknown>>;

export interface GoldenRequest {
  readonly title: string;
  readonly source: string;
  readonly chat: Json;
  readonly responses: Json;
  readonly dropped?: readonly string[];
}

export const GUIDES = 'https://developers.openai.com/api/docs/guides';
export const PNG = 'data:image/png;base64,iVBORw0KGgo=';
export const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
export const OWN = { store: false, include: ['reasoning.encrypted_content'] };
export const USER = { role: 'user', content: 'How warm is it in Oslo and in 北京?' };
export const OSLO = {
  id: 'call_o',
  type: 'function',
  function: { name: 'warmth', arguments: '{"city":"Oslo"}' },
};
export const BEIJING = {
  id: 'call_b',
  type: 'function',
  function: { name: 'warmth', arguments: '{"city":"北京"}' },
};
export const OSLO_ITEM = {
  type: 'function_call',
  call_id: 'call_o',
  name: 'warmth',
  arguments: '{"city":"Oslo"}',
};
export const BEIJING_ITEM = {
  type: 'function_call',
  call_id: 'call_b',
  name: 'warmth',
  arguments: '{"city":"北京"}',
};
