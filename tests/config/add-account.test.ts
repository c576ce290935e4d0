import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, exitCodeOf } from '../../cli/exit';
import { addAccount, type GivenAccount } from '../../config/add-account';
import { newFolder, type TestFolder } from '../support/task-folder';

const LAB: GivenAccount = { protocol: 'openai', baseUrl: 'https://lab.invalid/v1' };

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
});
