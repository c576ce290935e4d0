import { chmodSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccountSource } from '../../config/account-source';
import { readOwnAccounts, readProviders } from '../../config/providers';

describe('providers.yaml', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'providers-'));
    file = join(folder, 'providers.yaml');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(text: string, mode = 0o600): void {
    writeFileSync(file, text, { mode });
    chmodSync(file, mode);
  }

  it('gives accounts with their keys, from the environment or a file', () => {
    write(`
accounts:
  openai:
    protocol: openai
    baseUrl: https://api.openai.com/v1
    keyEnv: TEST_KEY
    maxConcurrency: 16
    prices:
      gpt-5.5:
        inputUsdPerMillion: 5
        outputUsdPerMillion: 30
        longContext: { aboveInputTokens: 272000, inputUsdPerMillion: 10, outputUsdPerMillion: 45 }
  lab:
    protocol: openai
    baseUrl: http://10.0.0.5:8000/v1
    keyFile: lab.key
    allowPrivateAddresses: true
    streaming: false
`);
    writeFileSync(join(folder, 'lab.key'), 'lab-secret\n', { mode: 0o600 });
    const [openai, lab] = readProviders({ file, environment: { TEST_KEY: 'env-secret' } });
    expect(openai).toMatchObject({
      name: 'openai',
      apiKey: 'env-secret',
      maxConcurrency: 16,
      streaming: true,
      allowPrivateAddresses: false,
    });
    expect(openai?.prices['gpt-5.5']).toEqual({
      inputPerMillion: 5_000_000,
      cachedInputPerMillion: 5_000_000,
      cacheWritePerMillion: 5_000_000,
      outputPerMillion: 30_000_000,
      longContext: {
        aboveInputTokens: 272_000,
        inputPerMillion: 10_000_000,
        cachedInputPerMillion: 10_000_000,
        cacheWritePerMillion: 10_000_000,
        outputPerMillion: 45_000_000,
      },
    });
    expect(lab).toMatchObject({
      apiKey: 'lab-secret',
      allowPrivateAddresses: true,
      streaming: false,
      maxConcurrency: 8,
    });
  });

  it('names every fault with its line, and no key', () => {
    write(
      `accounts:
  replay:
    protocol: openai
    baseUrl: https://a.invalid/v1
  a:
    protocol: openai
    baseUrl: https://a.invalid/v1
    keyEnv: MISSING_KEY
  b:
    protocol: openai
    baseUrl: https://b.invalid/v1
    keyFile: absent.key
`,
      0o644,
    );
    expect(() => readProviders({ file, environment: { OTHER: 'secret-value' } })).toThrow(
      new RegExp(
        [
          `${file}: others may read it \\(mode 0644\\); run: chmod 600 ${file}`,
          `${file}:3: "replay" is a provider of our own and cannot be set`,
          `${file}:6: accounts.a: the environment variable MISSING_KEY \\(keyEnv\\) is not set`,
          `${file}:10: accounts.b: ${join(folder, 'absent.key')} \\(keyFile\\) is missing`,
        ].join('\n'),
        'u',
      ),
    );
  });

  it.each([
    [
      'accounts:\n  a:\n    protocol: gemini\n    baseUrl: https://a.invalid\n',
      ':3: accounts.a.protocol: must be "openai" (Chat Completions), "openai-responses" (Responses) or "anthropic" (Messages)',
    ],
    [
      'accounts:\n  a:\n    protocol: openai\n    baseUrl: ftp://a.invalid\n',
      ':4: accounts.a.baseUrl: must be an http or https address',
    ],
    [
      'accounts:\n  a:\n    protocol: openai\n    baseUrl: https://a.invalid\n    apiKey: sk-in-file\n',
      'apiKey',
    ],
    [
      'accounts:\n  a: { protocol: openai, baseUrl: https://a.invalid, keyEnv: A, keyFile: b }\n',
      'give keyEnv or keyFile, not both',
    ],
    ['accounts: [\n', ':2:'],
  ])('refuses %j', (text, message) => {
    write(text);
    expect(() => readProviders({ file, environment: {} })).toThrow(message);
  });

  it('has no accounts without a file', () => {
    expect(readProviders({ file, environment: {} })).toEqual([]);
    expect(readOwnAccounts(join(folder, 'provider.json'))).toEqual([]);
  });

  it.each(['rubbish', '', '{}', '[]', '{"url":"x"}', '{"url":"file:///etc/passwd"}', 'null'])(
    'says what to do about a provider.json that holds %j',
    (text) => {
      const providerFile = join(folder, 'provider.json');
      writeFileSync(providerFile, text);
      expect(() => readOwnAccounts(providerFile)).toThrow(
        `${providerFile} does not say where our own provider answers: run`,
      );
    },
  );

  it.each([
    'https://user:secret-word@a.invalid/v1',
    'https://a.invalid/v1?key=secret-word',
    'https://a.invalid/sk-secret-word-1/v1',
  ])('refuses the address %s, and does not repeat it', (baseUrl) => {
    write(`accounts: { a: { protocol: openai, baseUrl: "${baseUrl}" } }\n`);
    const read = () => readProviders({ file, environment: {} });
    expect(read).toThrow('must hold no user name, password, query or fragment');
    expect(read).not.toThrow('secret-word');
  });

  it('refuses a key that no request can carry, and does not repeat it', () => {
    write(
      `accounts:
  a: { protocol: openai, baseUrl: "https://a.invalid/v1", keyEnv: KEY }
  b: { protocol: openai, baseUrl: "https://a.invalid/v1", keyFile: b.key }
`,
    );
    writeFileSync(join(folder, 'b.key'), 'secret-word\nX-Other: 1\n', { mode: 0o600 });
    const read = () => readProviders({ file, environment: { KEY: 'secret-wörd' } });
    expect(read).toThrow('(keyEnv) holds more than a key');
    expect(read).toThrow('(keyFile) holds more than a key');
    expect(read).not.toThrow('secret');
  });

  it('allows our own providers as many calls at once as their file says', () => {
    const providerFile = join(folder, 'provider.json');
    const limits = (content: object) => {
      writeFileSync(providerFile, JSON.stringify({ url: 'http://127.0.0.1:1234', ...content }));
      return readOwnAccounts(providerFile).map(({ name, maxConcurrency }) => [
        name,
        maxConcurrency,
      ]);
    };
    expect(limits({})).toEqual([
      ['replay', 32],
      ['simulated', 64],
    ]);
    expect(limits({ maxConcurrency: 3 })).toEqual([
      ['replay', 3],
      ['simulated', 3],
    ]);
  });

  it('follows the files: a new address, a new account, a fault only where it is', async () => {
    const providerFile = join(folder, 'provider.json');
    let now = 0;
    const source = createAccountSource({ file, providerFile, environment: {}, now: () => now });
    expect(await source.find('replay')).toBeUndefined();
    writeFileSync(providerFile, JSON.stringify({ url: 'http://127.0.0.1:1234' }));
    now += 1_000;
    expect(await source.find('replay')).toMatchObject({
      baseUrl: 'http://127.0.0.1:1234/replay/v1',
      streaming: true,
    });
    write('accounts:\n  a: { protocol: openai, baseUrl: https://a.invalid }\n');
    now += 1_000;
    expect(await source.find('a')).toMatchObject({ name: 'a', apiKey: undefined });
    write('accounts: nonsense\n');
    utimesSync(file, new Date(1), new Date(1));
    now += 1_000;
    await expect(source.find('a')).rejects.toThrow(':1: accounts:');
    expect(await source.find('simulated')).toMatchObject({
      protocol: 'simulated',
      streaming: false,
    });
  });

  it('follows key files too, so that a key given anew is used at once', async () => {
    const keyFile = join(folder, 'lab.key');
    writeFileSync(keyFile, 'old-key', { mode: 0o600 });
    write('accounts:\n  a: { protocol: openai, baseUrl: https://a.invalid, keyFile: lab.key }\n');
    let now = 0;
    const providerFile = join(folder, 'none');
    const source = createAccountSource({ file, providerFile, environment: {}, now: () => now });
    expect(await source.find('a')).toMatchObject({ apiKey: 'old-key' });
    expect(source.files()).toEqual([providerFile, file, keyFile]);
    writeFileSync(keyFile, 'another-key', { mode: 0o600 });
    now += 1_000;
    expect(await source.find('a')).toMatchObject({ apiKey: 'another-key' });
    expect(source.secrets()).toEqual(['old-key', 'another-key']);
  });

  it('knows the keys that must not be logged', async () => {
    write('accounts:\n  a: { protocol: openai, baseUrl: https://a.invalid, keyEnv: K }\n');
    const source = createAccountSource({
      file,
      providerFile: join(folder, 'none'),
      environment: { K: 'very-secret' },
    });
    await source.find('a');
    expect(source.secrets()).toEqual(['very-secret']);
  });

  it('keeps an account without its key from being found, and no other', async () => {
    write(
      'accounts:\n  a: { protocol: openai, baseUrl: "https://a.invalid/v1", keyEnv: ABSENT }\n' +
        '  b: { protocol: openai, baseUrl: "https://b.invalid/v1" }\n',
    );
    const source = createAccountSource({
      file,
      providerFile: join(folder, 'provider.json'),
      environment: {},
    });
    expect(await source.find('b')).toMatchObject({ name: 'b' });
    await expect(source.find('a')).rejects.toThrow(`${file}:2: accounts.a: the environment`);
    write('accounts:\n  b: { protocol: telnet }\n');
    const broken = createAccountSource({ file, providerFile: '/none', environment: {} });
    await expect(broken.find('b')).rejects.toThrow(/providers\.yaml:2/u);
  });
});
