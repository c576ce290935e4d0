import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type * as http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { isPublicAddress } from '../../../core/public-address';
import { LocalInternet, textOf } from './support/local-internet';

const open: LocalInternet[] = [];
afterEach(() => Promise.all(open.splice(0).map((internet) => internet.stop())));

async function internetOf(
  handle: http.RequestListener,
  tls?: { readonly key: string; readonly cert: string },
): Promise<LocalInternet> {
  const internet = await LocalInternet.start(handle, tls);
  open.push(internet);
  return internet;
}

const page =
  (body: string | Buffer, headers: http.OutgoingHttpHeaders = {}, status = 200) =>
  (_request: unknown, response: http.ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(body);
  };
const redirect = (location: string) => page('', { location }, 302);

describe('a fetch', () => {
  it('brings status, type and content, and sends nothing of the agent’s but the URL', async () => {
    const internet = await internetOf(page('<p>hello</p>'));
    const answer = await internet.fetch('/a?b=%20c#d');
    expect(answer).toMatchObject({
      outcome: 'fetched',
      status: 200,
      contentType: 'text/html; charset=utf-8',
      finalUrl: `http://site.example:${internet.port}/a?b=%20c`,
    });
    expect(textOf(answer)).toBe('<p>hello</p>');
    expect(internet.seen).toEqual([
      {
        host: `site.example:${internet.port}`,
        url: '/a?b=%20c',
        headers: {
          host: `site.example:${internet.port}`,
          accept: '*/*',
          'accept-encoding': 'identity',
          'user-agent': 'startupbench-fetcher',
          connection: 'close',
        },
      },
    ]);
  });

  it('brings errors of the server as they are, and types that are none as bytes', async () => {
    const internet = await internetOf(page('gone', { 'content-type': 'x"; evil' }, 404));
    expect(await internet.fetch('/')).toMatchObject({
      outcome: 'fetched',
      status: 404,
      contentType: 'application/octet-stream',
    });
  });
});

describe('addresses', () => {
  it('are resolved once, and the connection goes to the very address that was checked', async () => {
    const internet = await internetOf(page('ok'));
    const asked: string[] = [];
    // The second answer would be a rebinding: it must never be asked for.
    const lookup = async (host: string) => {
      asked.push(host);
      return [asked.length === 1 ? '127.0.0.1' : '127.0.0.2'];
    };
    expect(textOf(await internet.fetch('/', { lookup }))).toBe('ok');
    expect(asked).toEqual(['site.example']);
  });

  it.each([
    ['private', ['10.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['public and private', ['93.184.216.34', '127.0.0.1']],
    ['no address', ['localhost']],
  ])('that are %s are refused without a connection', async (_what, addresses) => {
    const internet = await internetOf(page('never'));
    // The rule of the product itself decides here.
    const answer = await internet.fetch('/', {
      lookup: () => Promise.resolve(addresses),
      allowAddress: isPublicAddress,
    });
    expect(answer).toMatchObject({ outcome: 'refused', reason: 'forbidden-address' });
    expect(internet.connections).toBe(0);
  });

  it('that do not exist, or refuse, are unreachable', async () => {
    const internet = await internetOf(page('never'));
    const absent = { lookup: () => Promise.resolve([]) };
    expect(await internet.fetch('/', absent)).toMatchObject({ reason: 'unreachable' });
    const failing = {
      lookup: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    };
    expect(textOf(await internet.fetch('/', failing))).toBe('unreachable: ENOTFOUND');
    await internet.stop();
    open.length = 0;
    expect(textOf(await internet.fetch('/'))).toBe('unreachable: ECONNREFUSED');
  });
});

describe('redirects', () => {
  it('are followed within the grants, relative ones too, each hop resolved anew', async () => {
    const hosts: string[] = [];
    const internet: LocalInternet = await internetOf((request, response) => {
      if (request.url === '/start') redirect('next')(request, response);
      else if (request.url === '/next')
        redirect(`//a.other.example:${internet.port}/end`)(request, response);
      else page('end')(request, response);
    });
    const lookup = async (host: string) => {
      hosts.push(host);
      return ['127.0.0.1'];
    };
    const answer = await internet.fetch('/start', { lookup });
    expect(answer).toMatchObject({
      finalUrl: `http://a.other.example:${internet.port}/end`,
      status: 200,
    });
    expect(hosts).toEqual(['site.example', 'site.example', 'a.other.example']);
  });

  it.each([
    ['metadata', 'http://169.254.169.254/latest/meta-data/', 'not-granted'],
    ['a host that is not granted', 'http://evil.example/', 'not-granted'],
    ['another scheme', 'file:///etc/passwd', 'bad-url'],
    ['a user name', 'http://me@site.example/', 'bad-url'],
    ['an odd port', 'http://site.example:22/', 'bad-url'],
    ['a mapped address', 'http://[::ffff:127.0.0.1]/', 'not-granted'],
  ])('to %s are refused', async (_what, location, reason) => {
    const internet = await internetOf(redirect(location));
    expect(await internet.fetch('/')).toMatchObject({ outcome: 'refused', reason });
    expect(internet.seen).toHaveLength(1);
  });

  it('to a granted name with a private address are refused', async () => {
    const internet: LocalInternet = await internetOf((request, response) =>
      redirect(`http://b.other.example:${internet.port}/`)(request, response),
    );
    const lookup = async (host: string) => [host === 'site.example' ? '127.0.0.1' : '10.0.0.7'];
    expect(await internet.fetch('/', { lookup })).toMatchObject({
      reason: 'forbidden-address',
      finalUrl: `http://b.other.example:${internet.port}/`,
    });
  });

  it('without end are given up', async () => {
    const internet = await internetOf(redirect('/'));
    expect(textOf(await internet.fetch('/'))).toBe('unreachable: more than 5 redirects');
    expect(internet.seen).toHaveLength(6);
  });
});

describe('bounds', () => {
  const BOMB = gzipSync(Buffer.alloc(50_000_000));

  it.each([
    ['a gzip bomb', BOMB, { 'content-encoding': 'gzip' }],
    ['a brotli bomb', brotliCompressSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'br' }],
    ['a long body', Buffer.alloc(1_000_001), {}],
    ['an announced long body', Buffer.alloc(2_000_000), { 'content-length': 2_000_000 }],
  ])('%s is cut off', async (_what, body, headers) => {
    const internet = await internetOf(page(body, headers));
    expect(await internet.fetch('/')).toMatchObject({ outcome: 'refused', reason: 'too-large' });
  });

  it('a body without end is cut off', async () => {
    const internet = await internetOf((_request, response) => {
      const pump = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64_000)));
      };
      response.on('drain', pump);
      pump();
    });
    expect(await internet.fetch('/')).toMatchObject({ reason: 'too-large' });
  });

  it('compressed content within bounds is read; what is not, or is broken, is not', async () => {
    const good = await internetOf(page(gzipSync('text'), { 'content-encoding': 'gzip' }));
    expect(textOf(await good.fetch('/'))).toBe('text');
    const twice = await internetOf(
      page(gzipSync(gzipSync('text')), { 'content-encoding': 'gzip, gzip' }),
    );
    expect(await twice.fetch('/')).toMatchObject({ reason: 'unreachable' });
    const odd = await internetOf(page('text', { 'content-encoding': 'constructor' }));
    expect(await odd.fetch('/')).toMatchObject({ reason: 'unreachable' });
    const broken = await internetOf(page('no gzip', { 'content-encoding': 'gzip' }));
    expect(await broken.fetch('/')).toMatchObject({ reason: 'unreachable' });
  });

  it('a body that is cut short is not taken for whole', async () => {
    const internet = await internetOf((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half');
      setTimeout(() => response.destroy(), 50);
    });
    expect(await internet.fetch('/')).toMatchObject({ reason: 'unreachable' });
  });

  it('headers without end are not read', async () => {
    const internet = await internetOf(page('x', { 'x-long': 'a'.repeat(40_000) }));
    expect(await internet.fetch('/')).toMatchObject({ reason: 'unreachable' });
  });

  const timeoutMs = 400;
  it.each<[string, http.RequestListener]>([
    ['no answer at all', () => undefined],
    [
      'a byte now and then',
      (_request, response) => {
        const timer = setInterval(() => response.write('x'), 50);
        response.once('close', () => clearInterval(timer));
      },
    ],
    [
      'redirects, each slow',
      (_request, response) =>
        void setTimeout(() => response.writeHead(302, { location: '/' }).end(), 150),
    ],
  ])('%s ends in time', async (_what, handle) => {
    const internet = await internetOf(handle);
    expect(await internet.fetch('/', { timeoutMs })).toMatchObject({ reason: 'too-slow' });
  });

  it('a resolver that never answers ends in time', async () => {
    const internet = await internetOf(page('never'));
    const lookup = () => new Promise<never>(() => undefined);
    expect(await internet.fetch('/', { timeoutMs, lookup })).toMatchObject({ reason: 'too-slow' });
  });

  it('a server that switches protocols is left', async () => {
    const internet = await internetOf((request) => {
      request.socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      );
    });
    expect(await internet.fetch('/')).toMatchObject({ reason: 'unreachable' });
  });
});

describe('https', () => {
  let folder: string;
  let tls: { key: string; cert: string };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'web-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=site.example', '-addext', 'subjectAltName=DNS:site.example'];
    const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
    tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('checks the certificate against the name, though it connects to an address', async () => {
    const internet = await internetOf(page('secret'), tls);
    const at = (host: string) => `https://${host}:${internet.port}/`;
    const trusting = { ca: tls.cert };
    expect(textOf(await internet.fetch(at('site.example'), trusting))).toBe('secret');
    expect(textOf(await internet.fetch(at('a.other.example'), trusting))).toBe(
      'unreachable: ERR_TLS_CERT_ALTNAME_INVALID',
    );
    expect(await internet.fetch(at('site.example'))).toMatchObject({ reason: 'unreachable' });
    expect(internet.seen).toHaveLength(1);
  });

  it('is not left by a redirect, to a granted host either', async () => {
    const plain = await internetOf(page('anyone may have changed this'));
    const internet: LocalInternet = await internetOf((request, response) => {
      const to =
        request.url === '/safe'
          ? `https://site.example:${internet.port}/end`
          : `http://site.example:${plain.port}/`;
      if (request.url === '/end') page('end')(request, response);
      else redirect(to)(request, response);
    }, tls);
    const at = (path: string) => `https://site.example:${internet.port}${path}`;
    const options = {
      ca: tls.cert,
      allowPort: (port: number) => port === internet.port || port === plain.port,
    };
    expect(textOf(await internet.fetch(at('/safe'), options))).toBe('end');
    expect(textOf(await internet.fetch(at('/plain'), options))).toBe(
      'bad-url: a redirect from https to http is not followed',
    );
    expect(plain.connections).toBe(0);
  });
});
