import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import * as http from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAttemptWeb } from '../../../activities/web/attempt-web';
import { type FetchAnswer, type FetchRequest } from '../../../activities/web/port';
import { readWebFetches, webFiles } from '../../../activities/web/web-files';
import { SILENT_LOGGER } from '../../../core/logger';
import { type WebLimits, WEB_LIMITS } from '../../../core/web';

let controlDir: string;
let asked: FetchRequest[];
let servers: http.Server[];
beforeEach(() => {
  controlDir = mkdtempSync(join(tmpdir(), 'attempt-web-'));
  asked = [];
  servers = [];
});
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
  rmSync(controlDir, { recursive: true, force: true });
});

function grant(...grants: readonly string[]): void {
  writeFileSync(webFiles(controlDir).orders, JSON.stringify({ v: 1, grants }));
}

const fetched = (text: string, status = 200): FetchAnswer => ({
  outcome: 'fetched',
  finalUrl: 'https://example.org/a',
  status,
  contentType: 'text/plain',
  body: Buffer.from(text),
});

/** What the gateway's socket does with the requests of one attempt; a second one is a restarted gateway. */
async function gateway(
  answer: (request: FetchRequest) => FetchAnswer | Promise<FetchAnswer>,
  limits: Partial<WebLimits> = {},
) {
  const web = openAttemptWeb({
    controlDir,
    fetcher: {
      fetch: async (request) => {
        asked.push(request);
        return answer(request);
      },
    },
    logger: SILENT_LOGGER,
    limits: { ...WEB_LIMITS, ...limits },
  });
  const server = http.createServer((request, response) => {
    web?.handle(request, response).catch(() => response.destroy());
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return async (url: string, delivery: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${port}/web/${url}`, {
      method,
      headers: { 'x-startupbench-delivery': delivery },
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
}

describe('web access of an attempt', () => {
  it('lets no more than some wait: who asks and goes away fills no memory', async () => {
    grant('example.org');
    let go = (): void => undefined;
    const gone = new Promise<void>((resolve) => (go = resolve));
    const ask = await gateway(async () => {
      await gone;
      return fetched('page');
    });
    const statuses: number[] = [];
    const all = Array.from({ length: 40 }, async (_, at) => {
      const { status } = await ask('https://example.org/a', `d${at}`);
      // All refusals come while the first fetch is still under way.
      if (statuses.push(status) === 8) go();
    });
    await Promise.all(all);
    expect(statuses).toEqual([...Array<number>(8).fill(429), ...Array<number>(32).fill(200)]);
    expect(readWebFetches(controlDir)).toHaveLength(32);
  });

  it('is none where the task grants none', () => {
    const options = {
      controlDir,
      fetcher: { fetch: () => Promise.reject(new Error('never')) },
      logger: SILENT_LOGGER,
    };
    expect(openAttemptWeb(options)).toBeUndefined();
    grant();
    expect(openAttemptWeb(options)).toBeUndefined();
  });

  it('hands over status, type and bytes, and keeps all of it first', async () => {
    grant('example.org');
    const get = await gateway(() => fetched('not here', 404));
    const { status, text, headers } = await get('https://example.org/a?b=c', 'd1');
    expect({ status, text, type: headers.get('content-type') }).toEqual({
      status: 404,
      text: 'not here',
      type: 'text/plain',
    });
    expect(asked).toEqual([
      {
        url: 'https://example.org/a?b=c',
        grants: ['example.org'],
        maxBytes: WEB_LIMITS.maxBytesPerFetch,
      },
    ]);
    const [kept] = readWebFetches(controlDir);
    expect(kept?.fetch).toMatchObject({
      url: 'https://example.org/a?b=c',
      finalUrl: 'https://example.org/a',
      status: 404,
      bytes: 8,
    });
    const content = join(webFiles(controlDir).folder, kept?.fetch.sha256 ?? '');
    expect(readFileSync(content, 'utf8')).toBe('not here');
  });

  it('answers a delivery again from what it kept, also after a restart and a torn line', async () => {
    grant('example.org');
    const first = await gateway(() => fetched('once'));
    await first('https://example.org/a', 'd1');
    appendFileSync(webFiles(controlDir).list, '{"delivery":"torn');
    const second = await gateway(() => fetched('twice'));
    expect((await second('https://example.org/a', 'd1')).text).toBe('once');
    expect((await second('https://example.org/a', 'd2')).text).toBe('twice');
    expect(asked).toHaveLength(2);
    const third = await gateway(() => fetched('never'));
    expect((await third('https://example.org/a', 'd2')).text).toBe('twice');
    expect(readWebFetches(controlDir).map(({ delivery }) => delivery)).toEqual(['d1', 'd2']);
  });

  it('joins a delivery that is under way', async () => {
    grant('example.org');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const get = await gateway(async () => {
      await held;
      return fetched('joined');
    });
    const both = [get('https://example.org/a', 'd1'), get('https://example.org/a', 'd1')];
    setTimeout(release, 50);
    expect((await Promise.all(both)).map(({ text }) => text)).toEqual(['joined', 'joined']);
    expect(asked).toHaveLength(1);
  });

  it('says why something is refused, counts it, and bounds how much and how often', async () => {
    grant('example.org');
    const get = await gateway(
      ({ url }) =>
        url.includes('evil')
          ? { outcome: 'refused', reason: 'not-granted', message: 'this task grants no access' }
          : fetched('x'.repeat(60)),
      { maxFetches: 4, maxTotalBytes: 100, maxBytesPerFetch: 80 },
    );
    const refused = await get('https://evil.net/', 'd1');
    expect({ status: refused.status, body: JSON.parse(refused.text) as unknown }).toEqual({
      status: 403,
      body: { error: { message: 'this task grants no access', code: 'not-granted' } },
    });
    await get('https://example.org/', 'd2');
    await get('https://example.org/', 'd3');
    expect(asked.map(({ maxBytes }) => maxBytes)).toEqual([80, 80, 40]);
    expect((await get('https://example.org/', 'd4')).status).toBe(429);
    expect((await get('https://example.org/', 'd5')).status).toBe(429);
    expect(asked).toHaveLength(3);
    expect(readWebFetches(controlDir).filter(({ fetch }) => fetch.refused)).toHaveLength(3);
  });

  it('does not fill the disk for an agent that asks without end', async () => {
    grant('example.org');
    const get = await gateway(() => fetched('same'), { maxFetches: 3 });
    for (let count = 0; count < 60; count++) await get('https://example.org/', `d${count}`);
    expect(readWebFetches(controlDir).length).toBeLessThanOrEqual(3 + 20);
    // One content, however often it came, and the list.
    expect(readdirSync(webFiles(controlDir).folder)).toHaveLength(2);
  });

  it('serves GET alone', async () => {
    grant('example.org');
    const get = await gateway(() => fetched('never'));
    expect((await get('https://example.org/', 'd1', 'POST')).status).toBe(405);
    expect((await get('https://example.org/', 'd2', 'DELETE')).status).toBe(405);
    expect((await get('https://example.org/', 'not a delivery id')).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it('breaks off, unanswered, when the fetcher is in trouble: the forwarder sends it again', async () => {
    grant('example.org');
    let works = false;
    const get = await gateway(() => {
      if (!works) throw new Error('the fetcher process ended');
      return fetched('again');
    });
    await expect(get('https://example.org/', 'd1')).rejects.toThrow();
    works = true;
    expect((await get('https://example.org/', 'd1')).text).toBe('again');
  });
});
