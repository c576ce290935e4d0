import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ModelCheck } from '../../activities/models/check-model';

type Json = Record<string, unknown>;
const KEY = 'sk-local-0123456789abcdef';
const LAUNCHER = resolve(__dirname, '../../startupbench');

let folder: string;
let file: string;
const servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'startupbench-account-'));
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  file = join(folder, 'data', 'providers.yaml');
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all(servers.splice(0).map((server) => new Promise((end) => server.close(end))));
});

/** The command as people run it. */
async function account(...parameters: string[]) {
  const child = spawn(LAUNCHER, ['account', ...parameters], {
    env: { PATH: process.env['PATH'], STARTUPBENCH_DATA: join(folder, 'data'), LOCAL_KEY: KEY },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number];
  expect(stdout + stderr).not.toContain(KEY);
  return { status, stdout, stderr };
}

/** A provider that answers by what the request holds. */
async function provider(
  answer: (request: Json, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const key = request.headers['x-api-key'] ?? request.headers.authorization;
      if (key !== KEY && key !== `Bearer ${KEY}`)
        json(response, 401, { error: { message: `bad key ${String(key)}` } });
      else answer(JSON.parse(text) as Json, response);
    });
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function json(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function events(response: ServerResponse, values: readonly Json[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''));
}

const CALL = { name: 'report_colour', arguments: '{"colour":"red"}' };
/** Tools, images, a stream and usage. */
function able(request: Json, response: ServerResponse): void {
  const delta = { tool_calls: [{ index: 0, id: 'c', type: 'function', function: CALL }] };
  events(response, [
    { model: `${String(request['model'])}-2026`, choices: [{ index: 0, delta }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    { choices: [], usage: { prompt_tokens: 100, completion_tokens: 10 } },
  ]);
}
/** Refuses images and tools, answers whole and says nothing of tokens. */
function plain(request: Json, response: ServerResponse): void {
  if (request['tools'] !== undefined || JSON.stringify(request).includes('image_url'))
    json(response, 400, { error: { message: 'not supported', type: 'invalid_request_error' } });
  else json(response, 200, { choices: [{ message: { content: 'red' }, finish_reason: 'stop' }] });
}
/** Anthropic’s form. */
function anthropic(request: Json, response: ServerResponse): void {
  expect(request['messages']).toMatchObject([{ content: [{ type: 'text' }, { type: 'image' }] }]);
  json(response, 200, {
    id: 'm',
    type: 'message',
    model: 'claude-x-1',
    content: [{ type: 'tool_use', id: 't', name: 'report_colour', input: { colour: 'Red' } }],
    stop_reason: 'tool_use',
    usage: { input_tokens: 100, output_tokens: 10 },
  });
}

/** OpenAI’s Responses. */
function responses(request: Json, response: ServerResponse): void {
  expect(request['input']).toMatchObject([{ content: [{}, { type: 'input_image' }] }]);
  expect(request['store']).toBe(false);
  const call = { type: 'function_call', call_id: 'c', ...CALL };
  const usage = { input_tokens: 100, output_tokens: 10 };
  const reply = { status: 'completed', model: 'gpt-x-1', output: [call], usage };
  events(response, [
    { type: 'response.created', response: { status: 'in_progress' } },
    { type: 'response.completed', response: reply },
  ]);
}
/** Answers whole, asked for a stream or not. */
function wholeOnly(_request: Json, response: ServerResponse): void {
  json(response, 200, {
    choices: [{ message: { tool_calls: [{ id: 'c', function: CALL }] }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  });
}

describe('startupbench account', () => {
  it('adds accounts to a file that keeps its comments, and lists them without keys', async () => {
    writeFileSync(file, '# ours\naccounts: {}\n', { mode: 0o600 });
    const lab = ['--base-url', 'http://10.0.0.5:8000/v1', '--no-key', '--allow-private-addresses'];
    expect(await account('add', 'lab', ...lab, '--models', 'a,b')).toMatchObject({ status: 0 });
    const added = await account('add', 'anthropic');
    expect(added).toMatchObject({ status: 0 });
    expect(added.stdout).toContain('set ANTHROPIC_API_KEY');
    expect(readFileSync(file, 'utf8')).toContain('# ours');
    expect(statSync(file).mode & 0o777).toBe(0o600);

    // A key that is not set hides nothing.
    const unset = await account('list');
    expect(unset.status).toBe(0);
    expect(unset.stdout).toMatch(/^lab .* no /mu);
    expect(unset.stdout).toMatch(/^anthropic .* missing /mu);
    expect(unset.stderr).toContain('ANTHROPIC_API_KEY (keyEnv) is not set');
    writeFileSync(file, readFileSync(file, 'utf8').replace('ANTHROPIC_API_KEY', 'LOCAL_KEY'));
    const { stdout } = await account('list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'lab', protocol: 'openai', models: ['a', 'b'], hasKey: false },
      { name: 'anthropic', protocol: 'anthropic', hasKey: true },
    ]);
    expect((await account('list')).stdout).toContain('https://api.anthropic.com/v1');
  });

  it('writes nothing that could not be read again', async () => {
    expect(await account('add', 'x')).toMatchObject({ status: 2 });
    expect(await account('add', 'x', '--base-url', 'https://a.invalid')).toMatchObject({
      status: 2,
    });
    const bad = await account('add', 'x', '--base-url', 'ftp://a.invalid', '--no-key');
    expect(bad).toMatchObject({ status: 2 });
    expect(bad.stderr).toBe('startupbench: --base-url: must be an http or https address\n');
    const local = ['--base-url', 'http://127.0.0.1:9471/v1', '--no-key'];
    expect(await account('add', 'la b', ...local)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /the name: account names have .*\n--allow-private-addresses: is needed .* 127\.0\.0\.1/u,
      ) as string,
    });
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
    const good = ['--base-url', 'https://a.invalid/v1', '--no-key'];
    expect((await account('add', 'x', ...good)).status).toBe(0);
    const prices = ['--price', 'm=1/2', '--price', 'n=0.5/2/0.1'];
    expect((await account('add', 'y', ...good, ...prices)).status).toBe(0);
    const [, priced] = JSON.parse((await account('list', '--json')).stdout) as Json[];
    expect(priced).toMatchObject({ prices: { m: {}, n: { cachedInputPerMillion: 100_000 } } });
    expect((await account('remove', 'y')).status).toBe(0);
    expect(await account('remove', 'y')).toMatchObject({ status: 2 });
    const before = readFileSync(file, 'utf8');
    expect(await account('add', 'x', ...good)).toMatchObject({ status: 2 });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('says what works for each model, by one tiny call where nothing is refused', async () => {
    const calls: string[] = [];
    const counted =
      (name: string, answer: typeof able): typeof able =>
      (request, response) => {
        calls.push(name);
        answer(request, response);
      };
    const add = (name: string, url: string, ...more: string[]) =>
      account(
        ...['add', name, '--base-url', url, '--models', 'm', '--allow-private-addresses'],
        ...(more.length === 0 ? ['--key-env', 'LOCAL_KEY'] : more),
      );
    await add('able', await provider(counted('able', able)));
    const whole = ['--key-env', 'LOCAL_KEY', '--no-streaming'];
    await add('plain', await provider(counted('plain', plain)), ...whole);
    const messages = ['--protocol', 'anthropic', ...whole];
    await add('claude', await provider(counted('claude', anthropic)), ...messages);
    await add('locked', await provider(able), '--no-key');
    const items = ['--protocol', 'openai-responses', '--key-env', 'LOCAL_KEY'];
    await add('responses', await provider(counted('responses', responses)), ...items);
    await add('whole', await provider(wholeOnly));

    const { status, stdout, stderr } = await account('check', '--json');
    expect(status).toBe(1);
    expect(stderr).toContain('asking able/m\n');
    expect(stderr).toContain('no answer: locked/m; cannot run agents, which need tools: plain/m');
    const [one, two, three, four, five, six] = JSON.parse(stdout) as ModelCheck[];
    const all = { answered: true, tools: 'yes', images: 'yes', usage: true };
    expect(one).toMatchObject({ ...all, streamed: true, reportedModel: 'm-2026' });
    expect(two).toMatchObject({
      ...{ answered: true, tools: 'no', images: 'no', usage: false, streamed: false },
      problem: 'with a tool: refused (status 400): not supported',
      problemType: 'InvalidInput',
    });
    expect(three).toMatchObject({ ...all, streamed: false, reportedModel: 'claude-x-1' });
    expect(four).toMatchObject({
      answered: false,
      problem: expect.stringMatching(/^the key is refused \(status 401\): bad key/u) as string,
      problemType: 'ProviderAuth',
    });
    expect(five).toMatchObject({ ...all, streamed: true, reportedModel: 'gpt-x-1' });
    expect(six).toMatchObject({
      ...{ ...all, streamed: false },
      problem: 'it does not stream: set streaming: false for "whole" in providers.yaml',
    });
    expect(calls).toEqual(['able', 'plain', 'plain', 'plain', 'claude', 'responses']);

    const alone = await account('check', 'able', '--models', 'm');
    expect(alone).toMatchObject({ status: 0 });
    expect(alone.stdout).toMatch(/able\s+m\s+yes\s+yes\s+yes\s+yes\s+yes\s+unknown/u);
    expect(alone.stdout).toContain(
      'price unknown, to be stated under prices in providers.yaml: able/m',
    );
    expect(await account('check', 'nobody')).toMatchObject({ status: 2 });
  });

  it('asks the others where one account has no key, and says what to do about each', async () => {
    const add = (name: string, url: string, ...more: string[]) =>
      account(
        ...['add', name, '--base-url', url, '--allow-private-addresses', '--models', 'm'],
        ...['--key-env', 'LOCAL_KEY', ...more],
      );
    await account('add', 'openai');
    await add('able', await provider(able));
    const wordy = { choices: [{ message: { content: 'It is red.' }, finish_reason: 'stop' }] };
    const words = await provider((_request, response) => {
      json(response, 200, wordy);
    });
    await add('wordy', words, '--no-streaming');
    const page = await provider((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>no such page</html>');
    });
    await add('page', page, '--protocol', 'anthropic');
    const { status, stdout, stderr } = await account('check', '--models', 'm');
    expect(status).toBe(1);
    expect(stdout).toContain('OPENAI_API_KEY (keyEnv) is not set');
    expect(stdout).toMatch(/^able +m +yes +yes /mu);
    expect(stdout).toContain(
      'wordy/m: it answered without calling the tool that it was told to call\n',
    );
    expect(stdout).toContain('no token counts, so no cost or token limit can be kept: wordy/m');
    expect(stdout).toContain(
      'page/m: no model answers there (status 404), but a web page; ' +
        'is baseUrl right? It ends before /messages\n',
    );
    expect(stderr).not.toContain('asking openai');
    expect(stderr).toContain(
      'no answer: openai/m, page/m; did not show that it can use tools: wordy/m',
    );
    const bare = ['--base-url', words, '--no-key', '--allow-private-addresses'];
    const unnamed = await account('add', 'bare', ...bare);
    expect(unnamed.stdout).toMatch(
      /^see what works there: .*startupbench account check bare --models \.\.\.$/mu,
    );
    const notAsked = await account('check', 'bare');
    expect(notAsked.stdout).toContain('bare: it names no model: say which with --models');
    expect(notAsked).toMatchObject({
      ...{ status: 1, stderr: 'startupbench: not asked: bare\n' },
    });
  });
});
