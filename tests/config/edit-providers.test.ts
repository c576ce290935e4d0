import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, exitCodeOf } from '../../cli/exit';
import { addAccount, removeAccount } from '../../config/edit-providers';
import { type GivenAccount } from '../../config/given-account';
import { readProviders } from '../../config/providers';
import { newFolder, type TestFolder } from '../support/task-folder';

const LAB: GivenAccount = { protocol: 'openai', baseUrl: 'https://lab.invalid/v1' };

const ALIASED = `accounts:
  moon: &moon { protocol: openai, baseUrl: "https://moon.invalid" }
  lab: *moon
`;

let folder: TestFolder;
let file: string;
beforeEach(() => {
  folder = newFolder();
  file = join(folder.path, 'providers.yaml');
});
afterEach(() => folder.remove());

function write(text: string, mode = 0o600): void {
  folder.write('providers.yaml', text);
  chmodSync(file, mode);
}

/** What was thrown; nothing may be written then. */
function refusal(work: () => unknown): { readonly code: number; readonly message: string } {
  const before = readdirSync(folder.path).map((name) => [name, read(name)]);
  try {
    work();
  } catch (error) {
    expect(readdirSync(folder.path).map((name) => [name, read(name)])).toEqual(before);
    return { code: exitCodeOf(error), message: (error as Error).message };
  }
  throw new Error('nothing was refused');
}

function read(name: string): string | undefined {
  const path = join(folder.path, name);
  return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
}

describe('an account that is added', () => {
  it.each([
    ['a faulty file', 'accounts:\n  moon: { protocol: telnet }\n', 0o600, ':2: '],
    ['no YAML', 'accounts: [\n', 0o600, ':2: '],
    ['a file that others may read', 'accounts: {}\n', 0o644, 'chmod 600'],
    [
      'a name that is taken',
      'accounts:\n  lab: { protocol: openai, baseUrl: "https://a.invalid" }\n',
      0o600,
      '"lab" already',
    ],
  ])('is refused with 2 for %s', (_what, text, mode, words) => {
    write(text, mode);
    const { code, message } = refusal(() => addAccount(file, 'lab', LAB));
    expect(code).toBe(EXIT.usage);
    expect(message).toContain(file);
    expect(message).toContain(words);
  });

  it('needs no key of any account, and stands with its prices in a file that can be read', () => {
    write(
      `accounts:\n  moon: { protocol: openai, baseUrl: "https://moon.invalid", keyFile: none }\n`,
    );
    const prices = { 'a/b': { inputUsdPerMillion: 0.6, outputUsdPerMillion: 2.4 } };
    addAccount(file, 'lab', { ...LAB, keyEnv: 'ABSENT', prices });
    const accounts = readProviders({ file, environment: {}, keys: false });
    expect(accounts.map(({ name }) => name)).toEqual(['moon', 'lab']);
    expect(accounts[1]?.prices['a/b']).toMatchObject({
      ...{ inputPerMillion: 600_000, cachedInputPerMillion: 600_000, outputPerMillion: 2_400_000 },
    });
  });

  it('leaves the rest of the file as it is written', () => {
    const long = `https://${'long-'.repeat(12)}name.invalid/v1 # with a remark`;
    const before = `# ours\naccounts:\n  moon:\n    protocol: openai\n    baseUrl: ${long}\n`;
    write(before);
    addAccount(file, 'lab', LAB);
    expect(read('providers.yaml')).toBe(
      `${before}  lab:\n    protocol: openai\n    baseUrl: https://lab.invalid/v1\n`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('an account that is removed', () => {
  const THREE = `# ours
accounts:
  # the first
  moon:
    protocol: openai
    baseUrl: https://moon.invalid
  # what the lab has
  lab:
    protocol: telnet
  # paid by us
  sun: { protocol: openai, baseUrl: "https://sun.invalid", keyEnv: ABSENT }
`;

  it('leaves the others with their comments, even where it was faulty', () => {
    write(THREE);
    removeAccount(file, 'lab');
    expect(read('providers.yaml')).toBe(
      THREE.replace('  # what the lab has\n  lab:\n    protocol: telnet\n', ''),
    );
    removeAccount(file, 'moon');
    removeAccount(file, 'sun');
    expect(readProviders({ file, environment: {} })).toEqual([]);
    addAccount(file, 'lab', LAB);
    expect(read('providers.yaml')).toMatch(/^# ours\n[^]*^ {2}lab:\n {4}protocol: openai\n/mu);
  });

  it.each([
    ['a name that is not there', 'labb', THREE, 'no account "labb" in', 'did you mean lab?'],
    ['the faults of another account', 'sun', THREE, 'yaml:9: ', 'accounts.lab'],
    ['no YAML', 'lab', 'accounts: [\n', ':2: ', ''],
    ['another form', 'lab', '[]\n', 'no account "lab" in', 'there are: none'],
    ['a part that others use', 'moon', ALIASED, 'alias', 'edit it there'],
  ])('is refused with 2 for %s', (_what, name, text, ...words) => {
    write(text);
    const { code, message } = refusal(() => removeAccount(file, name));
    expect(code).toBe(EXIT.usage);
    expect(message).toContain(file);
    for (const part of words) expect(message).toContain(part);
  });

  it('is refused where there is no file', () => {
    expect(refusal(() => removeAccount(file, 'lab')).code).toBe(EXIT.usage);
  });
});
