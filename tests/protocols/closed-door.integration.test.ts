import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { shortSocketPath } from '../../activities/gateway/socket-path';
import { DEFAULT_LIMITS } from '../../core/limits';
import { TOKEN } from '../activities/gateway/support/attempt-folder';
import { type GatewayBench, startGatewayBench } from '../activities/gateway/support/gateway-bench';
import { type Answer, ask } from '../activities/gateway/support/sandbox-client';
import { allRequests, holdersOf, SENT_TYPES } from './support/all-requests';
import { REPLIES } from './support/provider-replies';
import { type Upstream, UPSTREAMS } from './support/requests';
import { SentFields } from './support/sent-fields';
import { VendorTypes } from './support/vendor-types';

interface Seen {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}
interface SentList {
  readonly [upstream: string]: {
    readonly fields: Readonly<Record<string, string>>;
    readonly own: readonly string[];
  };
}

const SENT = parse(readFileSync(join(__dirname, 'fields/sent.yaml'), 'utf8')) as SentList;
const LIMITS = {
  ...DEFAULT_LIMITS,
  maxSteps: 1_000_000,
  maxModelRequests: 1_000_000,
};
/** Members whose text is the conversation's own: words, names of tools, ids of calls, arguments, schemas. */
const WORDS = [
  'arguments',
  'call_id',
  'content',
  'data',
  'description',
  'id',
  'name',
  'output',
  'properties',
  'raw',
  'reasoning_content',
  'refusal',
  'required',
  'signature',
  'stop',
  'stop_sequences',
  'text',
  'thinking',
  'tool_call_id',
];

function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}

describe('what gets out of a sandbox', () => {
  let bench: GatewayBench;
  let provider: Server;
  let probe: ReturnType<typeof createTcpServer>;
  let probePort: number;
  let probed = 0;
  let seen: Seen[] = [];
  const folders = new Map<Upstream, string>();
  beforeAll(async () => {
    bench = await startGatewayBench();
    provider = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      request.on('end', () => {
        const url = request.url ?? '';
        seen.push({ url, headers: request.headers, body: JSON.parse(text) as unknown });
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(REPLIES[url] ?? {}));
      });
    });
    probe = createTcpServer((socket) => {
      probed++;
      socket.destroy();
    });
    const port = await listen(provider);
    probePort = await listen(probe);
    const accounts = Object.fromEntries(
      UPSTREAMS.map((protocol) => [
        protocol,
        {
          protocol,
          baseUrl: `http://127.0.0.1:${port}/v1`,
          keyEnv: 'TEST_DOOR_KEY',
          allowPrivateAddresses: true,
          streaming: false,
        },
      ]),
    );
    const file = join(bench.dataDir, 'providers.yaml');
    writeFileSync(file, JSON.stringify({ accounts }), { mode: 0o600 });
    const control = bench.control({ TEST_DOOR_KEY: 'the-key', STARTUPBENCH_PROVIDERS: file });
    await control.ensureRunning();
    for (const upstream of UPSTREAMS) {
      const model = {
        ...{ id: 'lane', provider: upstream, name: 'the-model', parameters: {} },
        account: upstream,
      };
      const folder = bench.attempt({ attemptId: `door-${upstream}`, model, limits: LIMITS });
      await control.open(folder);
      folders.set(upstream, folder);
    }
  });
  afterAll(async () => {
    await bench.stop();
    await new Promise((closed) => provider.close(closed));
    await new Promise((closed) => probe.close(closed));
  });
  beforeEach(() => {
    seen = [];
  });

  const types = new VendorTypes(['chat', 'messages', 'betaMessages', 'responses']);
  it.each(UPSTREAMS)(
    'of every published field only the listed ones reach an %s account, and nothing else is asked',
    async (upstream) => {
      const address = `http://127.0.0.1:${probePort}/`;
      const requests = allRequests(types, (mark) => `${address}${mark}`);
      const folder = folders.get(upstream) ?? '';
      const answers: number[] = [];
      const next = requests[Symbol.iterator]();
      const worker = async (): Promise<void> => {
        for (const { path, body } of { [Symbol.iterator]: () => next })
          answers.push((await ask(folder, { path, body })).status);
      };
      await Promise.all(Array.from({ length: 6 }, worker));
      expect(answers).toHaveLength(requests.length);
      expect(answers.filter((status) => status !== 200 && status !== 400)).toEqual([]);
      expect(seen.length).toBeGreaterThan(requests.length * 0.9);
      const sent = new SentFields(types);
      const type = types.type(...SENT_TYPES[upstream]);
      for (const { body } of seen) sent.add(type, body);
      const list = SENT[upstream];
      const fields = Object.entries(list?.fields ?? {}).flatMap(([name, names]) =>
        names.split(' ').map((field) => `${name}.${field}`),
      );
      expect([...sent.known].sort()).toEqual(fields.sort());
      expect([...sent.unknown].sort()).toEqual(list?.own);
      const holders = new Set(seen.flatMap(({ body }) => holdersOf(address, body)));
      // Members of schemas bear the names that the samples gave them.
      const strange = [...holders].filter((name) => !name.startsWith('mark_'));
      expect(strange.filter((name) => !WORDS.includes(name))).toEqual([]);
      expect(seen.filter(({ body }) => (body as { model: unknown }).model !== 'the-model')).toEqual(
        [],
      );
      expect(probed).toBe(0);
    },
    240_000,
  );

  it('no header of the harness goes to the provider, and none names another one', async () => {
    const host = `127.0.0.1:${probePort}`;
    const headers = {
      host,
      'x-forwarded-host': host,
      'x-forwarded-for': '10.0.0.1',
      'x-original-url': `http://${host}/`,
      forwarded: `host=${host}`,
      via: `1.1 ${host}`,
      cookie: 'a=b',
      'openai-organization': 'org-other',
      'openai-project': 'proj-other',
      'anthropic-beta': 'mcp-client-2025-11-20,files-api-2025-04-14',
      'anthropic-version': '2099-01-01',
      'x-api-key': 'sk-of-the-agent',
      'x-startupbench-purpose': 'judge',
      'x-startupbench-recordings': '../../etc',
    };
    const body = { messages: [{ role: 'user', content: 'hi' }] };
    for (const upstream of UPSTREAMS)
      expect((await ask(folders.get(upstream) ?? '', { headers, body })).status).toBe(200);
    const sent = seen.map((each) => [each.url, Object.keys(each.headers).sort()]);
    const usual = ['accept', 'connection', 'content-length', 'content-type', 'host'];
    expect(sent).toEqual([
      ['/v1/chat/completions', [...usual, 'authorization', ...OPENAI_CLIENT].sort()],
      ['/v1/messages', [...usual, 'anthropic-version', 'x-api-key'].sort()],
      ['/v1/responses', [...usual, 'authorization'].sort()],
    ]);
    expect(seen.map((each) => each.headers.host)).not.toContain(host);
    expect(JSON.stringify(seen)).not.toMatch(/sk-of-the-agent|org-other|2099|judge|etc/u);
    expect(probed).toBe(0);
  });

  it('no spelling of an address leads anywhere', async () => {
    const host = `127.0.0.1:${probePort}`;
    const lines = [
      `POST http://${host}/v1/chat/completions HTTP/1.1`,
      `GET http://${host}/v1/models HTTP/1.1`,
      `CONNECT ${host} HTTP/1.1`,
      `POST //${host}/v1/chat/completions HTTP/1.1`,
      `POST /v1/chat/completions/../../../${host} HTTP/1.1`,
      'GET /v1/../control/gateway.json HTTP/1.1',
      'GET /v1/models/../../../../etc/passwd HTTP/1.1',
      'GET /v1/%6dodels%2f..%2fx HTTP/1.1',
      `POST @${host}/v1/chat/completions HTTP/1.1`,
      'OPTIONS * HTTP/1.1',
      'TRACE /v1/models HTTP/1.1',
    ];
    const folder = folders.get('openai') ?? '';
    const statuses = await Promise.all(lines.map((line) => statusOfRaw(folder, line, host)));
    expect(statuses.filter((status) => status < 400 && status !== 0)).toEqual([]);
    expect(seen).toEqual([]);
    expect(probed).toBe(0);
  });

  it('a request hidden in another’s body is not read as one', async () => {
    const inner = 'GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n';
    const status = await statusOfRaw(
      folders.get('openai') ?? '',
      'POST /v1/chat/completions HTTP/1.1',
      'x',
      `content-length: ${inner.length}\r\ntransfer-encoding: chunked\r\n`,
      `0\r\n\r\n${inner}`,
    );
    expect(status).toBe(400);
    expect(seen).toEqual([]);
  });

  it('another attempt’s token and delivery ids give nothing of it', async () => {
    const [own, other] = ['own', 'other'].map((name) => {
      const tokenSha256 = name === 'own' ? undefined : '0'.repeat(64);
      return bench.attempt({
        attemptId: `door-${name}`,
        model: {
          ...{ id: 'lane', provider: 'openai', name: 'the-model', parameters: {} },
          account: 'openai',
        },
        ...(tokenSha256 === undefined ? {} : { tokenSha256 }),
      });
    });
    const control = bench.control();
    await control.open(own ?? '');
    await control.open(other ?? '');
    const body = { messages: [{ role: 'user', content: 'secret of one attempt' }] };
    await ask(own ?? '', { deliveryId: 'd1', body });
    const strange: Answer = await ask(other ?? '', { deliveryId: 'd1', body });
    expect(strange.status).toBe(401);
    await ask(folders.get('openai') ?? '', { deliveryId: 'd1', body });
    // Asked again under the same id in another attempt, it is a request of that attempt.
    expect(seen).toHaveLength(2);
  });
});

/** What the official client adds of itself. */
const OPENAI_CLIENT = [
  'user-agent',
  'x-stainless-arch',
  'x-stainless-lang',
  'x-stainless-os',
  'x-stainless-package-version',
  'x-stainless-retry-count',
  'x-stainless-runtime',
  'x-stainless-runtime-version',
];

/** Status of a request written by hand; 0 when the connection is closed without an answer. */
function statusOfRaw(
  folder: string,
  line: string,
  host: string,
  headers = 'content-length: 2\r\n',
  body = '{}',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const short = shortSocketPath(join(folder, 'run', 'gateway.sock'));
    const socket = connect(short.path);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      short.release();
      resolve(Number(/^HTTP\/1\.1 (\d+)/u.exec(text)?.[1] ?? 0));
    });
    const auth = `authorization: Bearer ${TOKEN}\r\n`;
    socket.write(`${line}\r\nhost: ${host}\r\n${auth}${headers}\r\n${body}`);
  });
}
