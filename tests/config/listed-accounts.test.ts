import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, exitCodeOf } from '../../cli/exit';
import { readListedAccounts } from '../../config/listed-accounts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listed-'));
  file = join(folder, 'providers.yaml');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const account = (name: string, more = ''): string =>
  `  ${name}:\n    protocol: openai\n    baseUrl: https://a.invalid/v1\n${more}`;

function exitCode(work: () => unknown): number | undefined {
  try {
    work();
  } catch (error) {
    return exitCodeOf(error);
  }
  return undefined;
}

describe('accounts as they are listed', () => {
  it('come each with what is wrong with its key, and with no other’s', () => {
    const keyed = (name: string, variable: string) => account(name, `    keyEnv: ${variable}\n`);
    writeFileSync(
      file,
      `accounts:\n${keyed('a', 'UNSET')}${keyed('a.b', 'SET')}${account('open')}`,
      { mode: 0o600 },
    );
    const listed = readListedAccounts(file, { SET: 'sk-0123456789' });
    expect(listed.map(({ account: { name, apiKey } }) => [name, apiKey])).toEqual([
      ['a', undefined],
      ['a.b', 'sk-0123456789'],
      ['open', undefined],
    ]);
    expect(listed.map(({ keyFault }) => keyFault)).toEqual([
      expect.stringMatching(/providers\.yaml:3: accounts\.a: .*UNSET \(keyEnv\) is not set$/u),
      undefined,
      undefined,
    ]);
  });

  it('are refused for every other fault of the file', () => {
    writeFileSync(file, `accounts:\n${account('a', '    colour: red\n')}`, { mode: 0o600 });
    expect(() => readListedAccounts(file, {})).toThrow(/providers\.yaml:5: .*colour/u);
    expect(exitCode(() => readListedAccounts(file, {}))).toBe(EXIT.usage);
    rmSync(file);
    writeFileSync(file, `accounts:\n${account('a')}`, { mode: 0o644 });
    expect(() => readListedAccounts(file, {})).toThrow('others may read it');
    expect(exitCode(() => readListedAccounts(file, {}))).toBe(EXIT.usage);
  });

  it('are none where there is no file', () => {
    expect(readListedAccounts(file, {})).toEqual([]);
  });
});
