import * as http from 'node:http';
import * as net from 'node:net';
import { type AddressInfo } from 'node:net';
import { answerUnreadable, readBody } from '../../../activities/gateway/http-messages';

/** Sends the request, hangs up, and says how a reader fares that begins only then. */
async function readAfterHangUp(request: string): Promise<string> {
  let read: Promise<string> | undefined;
  const began = new Promise<void>((resolve) => {
    const server = http.createServer((incoming) => {
      read = new Promise<string>((done) => {
        incoming.once('close', () => {
          readBody(incoming).then(
            () => done('read'),
            (error: unknown) => done(String(error)),
          );
        });
      });
      resolve();
    });
    server.listen(0, '127.0.0.1', () => {
      const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
        socket.write(request);
      });
      void began.then(() => {
        socket.destroy();
        server.close();
      });
    });
  });
  await began;
  return (await read) ?? '';
}

describe('readBody', () => {
  it('rejects when the sender went away before anyone read', async () => {
    const half = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nhalf';
    await expect(readAfterHangUp(half)).resolves.toMatch(/the sender went away/u);
  });

  it('rejects also when the sender had written everything', async () => {
    const whole = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nbody';
    await expect(readAfterHangUp(whole)).resolves.toMatch(/the sender went away/u);
  });
});

/** Everything that a server with a short limit for whole requests says to these bytes, until it hangs up. */
async function answerTo(bytes: string): Promise<string> {
  const limits = { requestTimeout: 50, headersTimeout: 50, connectionsCheckingInterval: 20 };
  const server = http.createServer(limits, () => undefined);
  server.on('clientError', answerUnreadable);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await new Promise<string>((resolve, reject) => {
      let said = '';
      const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('data', (chunk) => (said += chunk.toString()));
      socket.on('close', () => resolve(said));
      socket.on('error', reject);
      socket.write(bytes);
    });
  } finally {
    server.close();
  }
}

describe('answerUnreadable', () => {
  it('says nothing to a request that did not come whole in time', async () => {
    const half = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nhalf';
    expect(await answerTo(half)).toBe('');
  });

  it('refuses what is no request, so that nobody sends it again', async () => {
    expect(await answerTo('rubbish\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /u);
    const long = `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`;
    expect(await answerTo(long)).toMatch(/^HTTP\/1\.1 431 /u);
  });
});
