import * as http from 'node:http';
import * as net from 'node:net';
import { type AddressInfo } from 'node:net';
import { readBody } from '../../../activities/gateway/http-messages';

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
