import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PlacesClient } from '../../../activities/gateway/places-client';
import { servePlaces } from '../../../activities/gateway/places-server';
import { OwnPlaces } from '../../../activities/models/places';
import { type Place } from '../../../activities/models/port';
import { SILENT_LOGGER } from '../../../core/logger';
import { waitUntil } from '../../support/wait-until';

const FAILED = { kind: 'failed' } as const;
const asked = (lane: string) => ({
  account: 'lab',
  maxConcurrency: 3,
  lane,
  party: 'one',
  again: false,
});

describe('one budget for all processes of a data folder', () => {
  let folder: string;
  let socketPath: string;
  const clients: PlacesClient[] = [];
  const servers: { stop(): Promise<void> }[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'places-'));
    socketPath = join(folder, 'places.sock');
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    for (const server of servers.splice(0)) await server.stop();
    rmSync(folder, { recursive: true });
  });

  async function serve(places: OwnPlaces): Promise<{ stop(): Promise<void> }> {
    const server = await servePlaces(socketPath, places, SILENT_LOGGER);
    servers.push(server);
    return server;
  }
  function worker(own = new OwnPlaces()): PlacesClient {
    let nowMs = 0;
    // Each look at this clock is a second later: an absent gateway is looked for every time.
    const client = new PlacesClient({
      ...{ socketPath, own, now: () => (nowMs += 1_000), lookEveryMs: 20 },
    });
    clients.push(client);
    return client;
  }
  const open = (places: OwnPlaces) => places.status()['lab']?.open ?? 0;

  it('counts what the gateway and two workers have open together', async () => {
    const places = new OwnPlaces();
    await serve(places);
    const [judge, other] = [worker(), worker()];
    const taken = [
      await places.acquire(asked('agents')),
      await judge.acquire(asked('judges')),
      await other.acquire(asked('judges')),
    ];
    let fourth: Place | undefined;
    void judge.acquire(asked('judges')).then((place) => (fourth = place));
    await waitUntil(() => places.status()['lab']?.waiting === 1);
    taken[2]!.release({ kind: 'succeeded' });
    await waitUntil(() => fourth !== undefined);
    expect(open(places)).toBe(3);
  });

  it('keeps a process alive that waits for nothing but a place', async () => {
    const places = new OwnPlaces();
    await serve(places);
    const taken: Place[] = [];
    for (let call = 0; call < 3; call++) taken.push(await places.acquire(asked('agents')));
    const asking = promisify(execFile)(process.execPath, [
      ...['--import', 'tsx', join(__dirname, '../../fakes/ask-for-place.ts'), socketPath],
    ]);
    await waitUntil(() => places.status()['lab']?.waiting === 1);
    for (const place of taken) place.release({ kind: 'succeeded' });
    expect((await asking).stdout).toBe('granted');
  });

  it('lowers the limit of all when one of them is told "too many"', async () => {
    const places = new OwnPlaces();
    await serve(places);
    const place = await worker().acquire(asked('judges'));
    place.release({ kind: 'overloaded', retryAfterMs: undefined });
    await waitUntil(() => places.status()['lab']?.limit === 2);
  });

  it('takes back what a killed worker held and no longer waits for it', async () => {
    const places = new OwnPlaces();
    await serve(places);
    const dying = worker();
    for (let call = 0; call < 3; call++) await dying.acquire(asked('judges'));
    const waiting = dying.acquire(asked('judges'));
    waiting.catch(() => undefined);
    await waitUntil(() => places.status()['lab']?.waiting === 1);
    await dying.close();
    await waitUntil(() => open(places) === 0 && places.status()['lab']?.waiting === 0);
  });

  it('gives a place back that was granted to a call given up meanwhile', async () => {
    const places = new OwnPlaces();
    await serve(places);
    const held = [0, 1, 2].map(() => places.acquire(asked('agents')));
    const controller = new AbortController();
    const waiting = worker().acquire(asked('judges'), controller.signal);
    await waitUntil(() => places.status()['lab']?.waiting === 1);
    controller.abort(new Error('given up'));
    await expect(waiting).rejects.toThrow('given up');
    for (const place of held) (await place).release(FAILED);
    await waitUntil(() => open(places) === 0 && places.status()['lab']?.waiting === 0);
  });

  it('goes on alone while no gateway runs, and joins the next one with what is open', async () => {
    const own = new OwnPlaces();
    const judge = worker(own);
    const alone = await judge.acquire(asked('judges'));
    expect(open(own)).toBe(1);
    alone.release(FAILED);

    const first = new OwnPlaces();
    const server = await serve(first);
    const place = await judge.acquire(asked('judges'));
    expect([open(own), open(first)]).toEqual([0, 1]);
    await server.stop();
    servers.length = 0;

    // Its call goes on; the waiting of another one survives the change of gateways.
    const second = new OwnPlaces();
    await serve(second);
    (await judge.acquire(asked('judges'))).release(FAILED);
    await waitUntil(() => open(second) === 1);
    place.release({ kind: 'succeeded' });
    await waitUntil(() => open(second) === 0);
  });

  it('tells a gateway that starts of calls which began without one, with no further call made', async () => {
    const own = new OwnPlaces();
    const judge = worker(own);
    const [place, other] = [await judge.acquire(asked('a')), await judge.acquire(asked('b'))];
    const places = new OwnPlaces();
    await serve(places);
    await waitUntil(() => open(places) === 2);
    // One more is the gateway's to give, and the fourth is too many.
    const third = await places.acquire(asked('agents'));
    void judge.acquire(asked('a')).catch(() => undefined);
    await waitUntil(() => places.status()['lab']?.waiting === 1);
    place.release({ kind: 'overloaded', retryAfterMs: undefined });
    await waitUntil(() => places.status()['lab']?.limit === 2);
    other.release({ kind: 'succeeded' });
    third.release(FAILED);
    await waitUntil(() => open(places) === 1 && open(own) === 0);
  });

  it('counts the calls of a gateway that died among its own until another one comes', async () => {
    const own = new OwnPlaces();
    const judge = worker(own);
    const server = await serve(new OwnPlaces());
    const places = [await judge.acquire(asked('a')), await judge.acquire(asked('a'))];
    expect(open(own)).toBe(0);
    await server.stop();
    servers.length = 0;
    await waitUntil(() => open(own) === 2);
    places.push(await judge.acquire(asked('b')));
    expect(open(own)).toBe(3);
    const waiting = judge.acquire(asked('b'));
    await waitUntil(() => own.status()['lab']?.waiting === 1);
    const next = new OwnPlaces();
    await serve(next);
    await waitUntil(() => open(next) === 3);
    places[0]!.release({ kind: 'succeeded' });
    // Given by us, since it asked us; the gateway is told of it all the same.
    places.push(await waiting);
    await waitUntil(() => open(next) === 3);
    for (const place of places) place.release({ kind: 'succeeded' });
    await waitUntil(() => open(next) === 0 && open(own) === 0);
  });

  it('survives gateways that come and go, with every call counted once', async () => {
    const own = new OwnPlaces();
    const judge = worker(own);
    const place = await judge.acquire(asked('a'));
    for (let round = 0; round < 5; round++) {
      const places = new OwnPlaces();
      const server = await serve(places);
      await waitUntil(() => open(places) === 1);
      const more = await judge.acquire(asked('b'));
      expect(open(places)).toBe(2);
      more.release({ kind: 'succeeded' });
      await waitUntil(() => open(places) === 1);
      await server.stop();
      servers.length = 0;
      await waitUntil(() => open(own) === 1);
    }
    place.release({ kind: 'succeeded' });
    expect(open(own)).toBe(0);
  });
});
