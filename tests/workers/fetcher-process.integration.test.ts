import { resolve } from 'node:path';
import { SILENT_LOGGER } from '../../core/logger';
import { FetcherProcess } from '../../workers/fetcher-process';
import { LocalInternet, textOf } from '../activities/web/support/local-internet';
import { waitUntil } from '../support/wait-until';

const MAIN = resolve(__dirname, '../fakes/local-fetcher-main');
const KEYS = ['OPENAI_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'STARTUPBENCH_DATA', 'https_proxy'];

let internet: LocalInternet;
let fetcher: FetcherProcess;
beforeAll(async () => {
  for (const name of KEYS) process.env[name] ??= 'a-secret';
  internet = await LocalInternet.start((request, response) => {
    if (request.url === '/large') response.end(Buffer.alloc(9_000_000, 'x'));
    else if (request.url !== '/never') response.end(`page ${request.url ?? ''}`);
  });
  fetcher = new FetcherProcess(SILENT_LOGGER, MAIN);
});
afterAll(async () => {
  fetcher.stop();
  await internet.stop();
});

const get = (path: string) =>
  fetcher.fetch({
    url: `http://site.example:${internet.port}${path}`,
    grants: ['site.example'],
    maxBytes: 10_000_000,
  });

async function insides(): Promise<{ pid: number; names: string[] }> {
  const answer = await fetcher.fetch({
    url: 'https://environment.example/',
    grants: [],
    maxBytes: 1,
  });
  return JSON.parse(textOf(answer)) as { pid: number; names: string[] };
}

describe('the fetcher process', () => {
  it('has no key, no token, no proxy and no setting in its environment', async () => {
    const { pid, names } = await insides();
    expect(pid).not.toBe(process.pid);
    const allowed = [
      ...['PATH', 'LANG', 'TZ', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
      ...['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'],
    ];
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it('answers many at once, each its own, and large ones whole', async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
    const answers = await Promise.all(paths.map(get));
    expect(answers.map(textOf)).toEqual(paths.map((path) => `page ${path}`));
    expect(textOf(await get('/large'))).toHaveLength(9_000_000);
  });

  it('that is killed fails what is open, and the next fetch starts it again', async () => {
    const { pid } = await insides();
    const open = get('/never').catch((error: unknown) => error);
    await waitUntil(() => Promise.resolve(internet.seen.some(({ url }) => url === '/never')));
    process.kill(pid, 'SIGKILL');
    expect(await open).toMatchObject({ type: 'ProviderUnavailable' });
    expect(textOf(await get('/after'))).toBe('page /after');
    expect((await insides()).pid).not.toBe(pid);
  });

  it('of the product reaches nothing on this machine, whatever is granted', async () => {
    const real = new FetcherProcess(SILENT_LOGGER);
    try {
      const before = internet.connections;
      for (const url of [
        `http://127.0.0.1:${internet.port}/`,
        `http://localhost:${internet.port}/`,
        'http://localhost/',
        'http://[::1]/',
      ])
        expect(
          await real.fetch({ url, grants: ['localhost', '127.0.0.1'], maxBytes: 100 }),
        ).toMatchObject({ outcome: 'refused' });
      expect(internet.connections).toBe(before);
    } finally {
      real.stop();
    }
  });
});
