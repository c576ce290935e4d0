import { type Upstream, REQUEST_ROLES } from './requests';
import { type Json, Samples } from './samples';
import { type Declarations, type VendorTypes } from './vendor-types';

const ROOTS = [
  { path: '/v1/chat/completions', declarations: 'chat', root: 'ChatCompletionCreateParamsBase' },
  { path: '/v1/chat/completions', declarations: 'responses', root: 'ResponseCreateParamsBase' },
  { path: '/v1/messages', declarations: 'messages', root: 'MessageCreateParamsBase' },
  { path: '/v1/messages?beta=true', declarations: 'betaMessages', root: 'MessageCreateParamsBase' },
] as const satisfies readonly { path: string; declarations: Declarations; root: string }[];

/** A request type of each protocol that accounts may speak. */
export const SENT_TYPES: Readonly<Record<Upstream, readonly [Declarations, string]>> = {
  openai: ['chat', 'ChatCompletionCreateParamsBase'],
  anthropic: ['messages', 'MessageCreateParamsBase'],
  'openai-responses': ['responses', 'ResponseCreateParamsBase'],
};

export interface SampleRequest {
  readonly path: string;
  readonly body: Json;
}

const FUNCTION = { type: 'object', properties: {} };
const BASES: Readonly<Record<string, Json>> = {
  '/v1/chat/completions': {
    messages: [{ role: 'user', content: 'base' }],
    tools: [{ type: 'function', function: { name: 'base', parameters: FUNCTION } }],
  },
  '/v1/messages': {
    max_tokens: 1_000,
    messages: [{ role: 'user', content: 'base' }],
    tools: [{ name: 'base', input_schema: FUNCTION }],
  },
};

/**
 * A request for each field of every published request type, with each of its literal values, and `text` wherever any
 * text may stand. Those of the Responses API are put into a chat request, where a lenient provider might read them.
 */
export function allRequests(types: VendorTypes, text: (mark: string) => string): SampleRequest[] {
  const samples = new Samples(types, {}, REQUEST_ROLES, text);
  return ROOTS.flatMap(({ path, declarations, root }) => {
    const base = BASES[path.split('?')[0] ?? ''];
    return types.objects(types.type(declarations, root)).flatMap((object) =>
      object.fields.flatMap((field) =>
        Array.from({ length: samples.variantsOf(field) }, (_, variant) => ({
          path,
          body: { ...base, ...samples.holding(object, { field, variant }) },
        })),
      ),
    );
  });
}

/** Names of the members in which a text holds `part`, anywhere in a value; images inside the request are none. */
export function holdersOf(part: string, value: unknown, name = ''): string[] {
  if (typeof value === 'string')
    return value.includes(part) && !value.startsWith('data:image/') ? [name] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(key.includes(part) ? [`a name in ${name}`] : []),
    ...holdersOf(part, each, Array.isArray(value) ? name : key),
  ]);
}
