import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { waitUntil } from '../../support/wait-until';
import { type Answer, ForwarderBench, type Signs } from './support/forwarder-bench';

const benches: ForwarderBench[] = [];
afterEach(() => Promise.all(benches.splice(0).map((bench) => bench.stop())));
async function bench(answer: Answer, signs: Signs = 'never'): Promise<ForwarderBench> {
  const made = await new ForwarderBench(answer, signs).start();
  benches.push(made);
  return made;
}
const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
const later = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

describe('the forwarder', () => {
  it('passes status, headers and bodies on unchanged, and asks for no compression', async () => {
    const made = await bench((_seen, response) =>
      json(response, 429, { no: 'é' }, { 'retry-after': '7' }),
    );
    const { reply } = made.post('{"a":"ü"}', {
      authorization: 'Bearer t',
      'accept-encoding': 'gzip',
      'x-startupbench-delivery': 'forged',
    });
    expect(await reply).toMatchObject({
      status: 429,
      body: '{"no":"é"}',
      headers: { 'retry-after': '7' },
    });
    const [seen] = made.seen;
    expect(seen!.body).toBe('{"a":"ü"}');
    expect(seen!.request.headers).toMatchObject({ authorization: 'Bearer t' });
    expect(seen!.request.headers).not.toHaveProperty('accept-encoding');
    expect(seen!.delivery).toMatch(/^[0-9a-f]{32}$/u);
  });

  it('gives each request an id of its own, also when bodies repeat', async () => {
    const made = await bench((_seen, response) => json(response, 200, {}));
    for (let n = 0; n < 3; n++) await made.post('same').reply;
    await Promise.all([made.post('same').reply, made.post('same').reply]);
    expect(new Set(made.seen.map(({ delivery }) => delivery)).size).toBe(5);
  });

  it('sends the same request under the same id when the gateway dies, and waits while it is away', async () => {
    const made = await bench((_seen, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half');
    });
    const { reply } = made.post('work');
    await waitUntil(() => made.seen.length === 1);
    await made.killGateway();
    await later(200);
    await made.startGateway((_seen, response) => json(response, 200, { whole: true }));
    expect((await reply).body).toContain('{"whole":true}');
    expect(made.seen.map(({ body }) => body)).toEqual(['work', 'work']);
    expect(made.seen[0]!.delivery).toBe(made.seen[1]!.delivery);
    expect(made.seen[0]!.waitedMs).toBeLessThan(made.seen[1]!.waitedMs);
  });

  it('keeps a stream alive with chunks that clients ignore, then hands the whole reply over', async () => {
    const made: ForwarderBench = await bench(async (_seen, response) => {
      await made.untilSign();
      await made.untilSign();
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end('data: {"x":1}\n\ndata: [DONE]\n\n');
    }, 'soon');
    const { status, headers, body } = await made.post('{"stream": true}').reply;
    expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
    const events = body
      .trim()
      .split('\n\n')
      .map((event) => event.replace('data: ', ''));
    expect(events.slice(-2)).toEqual(['{"x":1}', '[DONE]']);
    expect(events.length).toBeGreaterThan(2);
    expect(JSON.parse(events[0]!)).toEqual({
      id: 'keep-alive',
      object: 'chat.completion.chunk',
      created: 0,
      model: '',
      choices: [],
    });
  });

  it('keeps a plain request alive with white space, and late errors come in the body', async () => {
    const made: ForwarderBench = await bench(async (_seen, response) => {
      await made.untilSign();
      json(response, 402, { error: { message: 'cap' } });
    }, 'soon');
    const plain = await made.post('{}').reply;
    expect(plain.status).toBe(200);
    expect(plain.body.startsWith(' ')).toBe(true);
    expect(JSON.parse(plain.body)).toEqual({ error: { message: 'cap' } });
    const stream = await made.post('{"stream":true}').reply;
    expect(stream.body).toContain('data: {"error":{"message":"cap"}}\n\ndata: [DONE]\n\n');
  });

  it('keeps a client of the Messages API alive with pings, and errors are its events', async () => {
    const made: ForwarderBench = await bench(async (_seen, response) => {
      await made.untilSign();
      json(response, 402, { type: 'error', error: { type: 'billing_error', message: 'cap' } });
    }, 'soon');
    const path = '/v1/messages?beta=true';
    const { body } = await made.post('{"stream":true}', {}, path).reply;
    const events = body.trim().split('\n\n');
    expect(events.length).toBeGreaterThan(1);
    expect(new Set(events.slice(0, -1))).toEqual(new Set(['event: ping\ndata: {"type": "ping"}']));
    expect(events.at(-1)).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"billing_error","message":"cap"}}',
    );
    const plain = await made.post('{}', {}, path).reply;
    expect(plain.body.trimStart()).toMatch(/^\{"type":"error"/u);
  });

  it('goes on when the client hangs up; the same request again gets that reply', async () => {
    const made = await bench(async (_seen, response) => {
      await later(600);
      json(response, 200, { paid: 'once' });
    });
    const first = made.post('expensive');
    await waitUntil(() => made.seen.length === 1);
    first.outgoing.destroy();
    await later(50);
    expect((await made.post('expensive').reply).body).toContain('once');
    expect(made.seen).toHaveLength(1);

    const second = made.post('other');
    await waitUntil(() => made.seen.length === 2);
    second.outgoing.destroy();
    await later(1_200);
    expect((await made.post('other').reply).body).toContain('once');
    expect(made.seen).toHaveLength(2);
  });

  it('waits for a page however long it takes: its status and bytes are its own', async () => {
    const made = await bench(async (_seen, response) => {
      await later(900);
      response.writeHead(404, { 'content-type': 'image/png' }).end('bytes');
    }, 'soon');
    const page = await made.post('', {}, '/web/https://example.org/a').reply;
    expect(page).toMatchObject({ status: 404, body: 'bytes' });
    expect(page.headers['content-type']).toBe('image/png');
  });

  it('is no proxy, and says so at once', async () => {
    const made = await bench((_seen, response) => json(response, 200, {}));
    const refused = await new Promise<string>((answered) => {
      const socket = connect(made.port, '127.0.0.1');
      socket.on('data', (data) => answered(data.toString()));
      socket.write('CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n');
    });
    expect(refused).toMatch(/^HTTP\/1\.1 405 .*this is no proxy/su);
    expect(made.seen).toEqual([]);
  });

  it('takes large bodies in either form, and refuses what is over 64 MiB', async () => {
    const made = await bench((seen, response) => json(response, 200, { bytes: seen.body.length }));
    const large = 'x'.repeat(20 * 1024 ** 2);
    expect(JSON.parse((await made.post(large).reply).body)).toEqual({ bytes: large.length });
    const chunked = await made.post(large, { 'transfer-encoding': 'chunked' }).reply;
    expect(JSON.parse(chunked.body)).toEqual({ bytes: large.length });
    const refused = await new Promise<string>((answered) => {
      const socket = connect(made.port, '127.0.0.1');
      socket.on('data', (data) => answered(data.toString()));
      socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${64 * 1024 ** 2 + 1}\r\n\r\n`);
    });
    expect(refused).toMatch(/^HTTP\/1\.1 413 .*exceeds 64 MiB/su);
  });

  it.each([
    ['is not HTTP', 'rubbish\r\n\r\n'],
    ['ends within its headers', 'GET / HTTP/1.1\r\n'],
    ['has endless headers', `GET / HTTP/1.1\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`],
  ])('outlives a client whose request %s', async (_what, rubbish) => {
    const made = await bench((_seen, response) => json(response, 200, {}));
    const socket = connect(made.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume();
    socket.end(rubbish);
    await once(socket, 'close');
    expect((await made.post('{}').reply).status).toBe(200);
  });
});
