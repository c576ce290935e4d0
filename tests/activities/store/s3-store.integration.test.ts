import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { openStore } from '../../../activities/store/open-store';
import { openS3Store } from '../../../activities/store/s3-client';
import { type S3Server, startS3Server } from '../../support/s3-server';
import { describeStoreContract } from './store-contract';

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.stop());

describeStoreContract('S3Store', async () => {
  const place = `s3://${server.bucket}/${randomUUID()}`;
  const [store, other] = await Promise.all([
    openStore(place, server.env),
    openStore(place, server.env),
  ]);
  return {
    store,
    other,
    corruptBlob: async (key) => {
      const name = `${place.slice(`s3://${server.bucket}/`.length)}/${key}`;
      await server.client.putObject(server.bucket, name, Buffer.from('altered!'));
    },
  };
});

describe('S3Store', () => {
  it('works without a prefix, beside other objects of the bucket', async () => {
    const store = await openStore(`s3://${server.bucket}`, server.env);
    const key = `open/${randomUUID()}`;
    await store.putRecord(key, 'x');
    expect(await store.hasRecord(key)).toBe(true);
    expect(store.description).toBe(`s3://${server.bucket}/`);
  });

  it('says what is wrong with a bucket or a key, without trying for long', async () => {
    const absent = await openStore('s3://absent-bucket/p', server.env);
    await expect(absent.getRecord('open/x')).rejects.toMatchObject({
      type: 'ConfigMissing',
      message: expect.stringContaining('create the bucket') as string,
    });
    const wrong = await openStore(`s3://${server.bucket}/p`, {
      ...server.env,
      AWS_SECRET_ACCESS_KEY: 'another',
    });
    await expect(wrong.putRecord('open/x', 'x')).rejects.toMatchObject({ type: 'ConfigMissing' });
  });
});

/** A server that answers as `answer` says, to see what the store does with faults and with servers that lie. */
async function withServer(
  answer: Parameters<typeof createServer>[1],
  use: (env: { STARTUPBENCH_S3_ENDPOINT: string }) => Promise<void>,
): Promise<void> {
  const fake: Server = createServer(answer);
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = fake.address() as AddressInfo;
    await use({ STARTUPBENCH_S3_ENDPOINT: `http://127.0.0.1:${port}` });
  } finally {
    fake.closeAllConnections();
    await new Promise((resolve) => fake.close(resolve));
  }
}

describe('S3Store against servers that misbehave', () => {
  it('refuses a server that ignores the condition', async () => {
    let last = Buffer.alloc(0);
    await withServer(
      (request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          if (request.method === 'PUT') last = Buffer.concat(chunks);
          response.writeHead(request.method === 'DELETE' ? 204 : 200, { etag: '"x"' });
          response.end(request.method === 'GET' ? last : undefined);
        });
      },
      async (env) => {
        const store = await openStore('s3://bucket/p', env);
        await expect(store.verify()).rejects.toMatchObject({
          type: 'ConfigMissing',
          message: expect.stringContaining('ignores If-None-Match') as string,
        });
      },
    );
  });

  it('tries again after 503 and after a cut connection, then adopts its own put', async () => {
    let calls = 0;
    await withServer(
      (request, response) => {
        calls += 1;
        request.resume();
        request.on('end', () => {
          if (calls === 1) response.writeHead(503).end();
          // The put was taken, the reply is lost.
          else if (calls === 2) request.socket.destroy();
          else
            response
              .writeHead(412)
              .end('<Error><Code>PreconditionFailed</Code><Message>m</Message></Error>');
        });
      },
      async (env) => {
        const store = await openStore('s3://bucket/p', env);
        expect(await store.putRecord('open/x', 'x')).toBe('exists');
        expect(calls).toBe(3);
      },
    );
  });

  it('gives up a server that never answers, and one that is not there', async () => {
    await withServer(
      () => undefined,
      async (env) => {
        const store = await openS3Store('s3://bucket/p', env, 50);
        await expect(store.getRecord('open/x')).rejects.toMatchObject({
          type: 'StoreUnavailable',
          message: expect.stringContaining('no answer for 50 ms') as string,
        });
      },
    );
    const gone = await openStore('s3://bucket/p', {
      STARTUPBENCH_S3_ENDPOINT: 'http://127.0.0.1:9',
    });
    await expect(gone.putBlob('open', Buffer.from('x'))).rejects.toMatchObject({
      type: 'StoreUnavailable',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });
});
