import { openStore } from '../../../activities/store/open-store';

describe('openStore', () => {
  it.each([
    ['an unknown scheme', 'gs://bucket', {}, /write file:DIR or s3:\/\/bucket\/prefix/u],
    ['no folder', 'file:', {}, /write file:DIR/u],
    ['no bucket', 's3:///prefix', {}, /write s3:\/\/bucket\/prefix/u],
    [
      'an endpoint without scheme',
      's3://b/p',
      { STARTUPBENCH_S3_ENDPOINT: 'localhost:9000' },
      /http:\/\/host:port/u,
    ],
    [
      'half a key pair',
      's3://b/p',
      { AWS_ACCESS_KEY_ID: 'a' },
      /both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/u,
    ],
  ])('refuses %s', async (_title, description, env, message) => {
    await expect(openStore(description, env)).rejects.toMatchObject({ type: 'ConfigMissing' });
    await expect(openStore(description, env)).rejects.toThrow(message);
  });

  it('asks no server about a bucket that no server can have, and says what to correct', async () => {
    // Nothing listens there: a request would be tried again for seconds and end as `StoreUnavailable`.
    const env = { STARTUPBENCH_S3_ENDPOINT: 'http://127.0.0.1:1' };
    const store = await openStore('s3://Bad_Name/p', env);
    await expect(store.hasRecord('open/a.json')).rejects.toMatchObject({
      type: 'ConfigMissing',
      message: expect.stringMatching(
        /Invalid bucket name: Bad_Name; correct the bucket/u,
      ) as string,
    });
  });

  it('opens a folder by path or by URL', async () => {
    expect((await openStore('file:/data/store', {})).description).toBe('file:/data/store');
    expect((await openStore('file:///data/store', {})).description).toBe('file:/data/store');
  });
});
