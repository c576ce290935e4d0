import { join } from 'node:path';
import { printFault } from '../../config/located-yaml';
import { hasKeyInPath, looksLikeKey, namesASecret, secretPaths } from '../../config/looks-secret';
import { readSweepFile } from '../../config/sweep-file';
import { newFolder, taskFiles } from '../support/task-folder';

describe('names', () => {
  it.each([
    ...['api_key', 'apiKey', 'apikey', 'API-KEY', 'x-api-key', 'x-goog-api-key', 'Authorization'],
    ...['proxy-authorization', 'token', 'auth_token', 'X-Auth-Token', 'accessToken', 'bearer'],
    ...['secret', 'client_secret', 'password', 'Cookie', 'private_key', 'credentials'],
    'Ocp-Apim-Subscription-Key',
  ])('takes %s for that of a secret', (name) => expect(namesASecret(name)).toBe(true));

  it.each([
    ...['max_tokens', 'maxTokens', 'max_completion_tokens', 'tool_choice', 'prompt_cache_key'],
    ...['stop_token_ids', 'pad_token', 'token_budget', 'budget_tokens', 'logit_bias', 'author'],
    ...['safety_identifier', 'top_k', 'service_tier', 'authors', 'tokenizer', 'keyword'],
  ])('takes %s for what it is', (name) => expect(namesASecret(name)).toBe(false));
});

describe('values', () => {
  it.each([
    ...['sk-live-1234567890', 'sk-proj-Ab3_x-0000000000', 'Bearer abcdefgh123', 'bearer abcdefgh'],
    ...[
      'Basic dXNlcjpwYXNz',
      'eyJhbGciOiJI.eyJzdWIiOiIx.c2ln',
      '-----BEGIN RSA PRIVATE KEY-----\n',
    ],
    ` AIza${'x'.repeat(35)} `,
    'AKIAIOSFODNN7EXAMPLE',
    `ghp_${'a1'.repeat(18)}`,
  ])('takes %j for a key', (text) => expect(looksLikeKey(text)).toBe(true));

  it.each([
    ...['high', 'sk-learn', 'Bearer of bad news', 'task-1234567890', 'json_schema', ''],
    ...['2026-01-01', 'a'.repeat(64), 'gpt-5.5-2026-04-23', 'Answer with sk-live-1234567890.'],
  ])('takes %j for no key', (text) => expect(looksLikeKey(text)).toBe(false));
});

describe('secretPaths', () => {
  it('finds them at any depth, under their names and by their shapes', () => {
    expect(
      secretPaths({
        api_key: 'anything',
        extra_headers: { Authorization: 'x', 'x-trace': 'sk-live-1234567890' },
        stop: ['fine', 'Bearer 0123456789'],
      }),
    ).toEqual([
      ['api_key'],
      ['extra_headers', 'Authorization'],
      ['extra_headers', 'x-trace'],
      ['stop', 1],
    ]);
  });

  it('leaves alone what only speaks of secrets', () => {
    const schema = { properties: { password: { type: 'string' } }, required: ['password'] };
    expect(
      secretPaths({
        max_tokens: 100,
        response_format: { type: 'json_schema', json_schema: { name: 'login', schema } },
        include: ['reasoning.encrypted_content'],
        metadata: { token: '', secret: null, authorization: true },
      }),
    ).toEqual([]);
  });
});

describe('hasKeyInPath', () => {
  it.each([
    'sk-live-1234567890/v1',
    'v1/token/abcdefgh12',
    'v1/key=/api_key=abc',
    'proxy/Zk3vQ9xLr2TnB8wYc5HdM1Js/v1',
    'v1/%73k-live-1234567890',
  ])('sees it in %s', (path) =>
    expect(hasKeyInPath(new URL(`https://a.invalid/${path}`))).toBe(true),
  );

  it.each([
    'v1',
    'api/v1/openai',
    'v1/0f9a3b5c7d1e2f4a6b8c0d2e4f6a8b0c/gateway/compat',
    'openai/deployments/gpt-5.5-Global-Standard',
    'projects/My-Project-12/locations/us-central1/endpoints/openapi',
    '11111111-2222-4333-8444-555555555555/%zz',
  ])('sees none in %s', (path) =>
    expect(hasKeyInPath(new URL(`https://a.invalid/${path}`))).toBe(false),
  );
});

it('a sweep file with keys in parameters is refused with their lines, and without repeating them', () => {
  const folder = newFolder();
  for (const [name, text] of Object.entries(taskFiles())) folder.write(`tasks/t/${name}`, text);
  folder.write(
    'sweep.yaml',
    `sweep: demo
tasks: [tasks/*]
models:
  - model: gpt-5.5
    parameters:
      temperature: 0
      api_key: hush-hush
      extra_headers:
        Authorization: Bearer hush-hush
harnesses: [nanobot]
judge: { model: { id: judge, model: gpt-5.5, parameters: { user: sk-hush-hush-1 } } }
`,
  );
  const read = readSweepFile(join(folder.path, 'sweep.yaml'));
  folder.remove();
  const faults = 'faults' in read ? read.faults.map((fault) => printFault(fault)) : [];
  const places = [
    ':7: models[gpt-5.5].parameters.api_key',
    ':9: models[gpt-5.5].parameters.extra_headers.Authorization',
    ':11: judge.model.parameters.user',
  ];
  expect(faults).toHaveLength(3);
  for (const [at, place] of places.entries())
    expect(faults[at]).toContain(`sweep.yaml${place}: looks like a key`);
  expect(faults.join('\n')).toContain('keyEnv or keyFile');
  expect(faults.join('\n')).not.toContain('hush');
});
