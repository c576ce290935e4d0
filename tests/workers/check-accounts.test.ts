import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, exitCodeOf } from '../../cli/exit';
import { type AccountFinding, checkAccounts } from '../../workers/check-accounts';
import { newFolder, type TestFolder } from '../support/task-folder';

const LAB = '  lab: { protocol: openai, baseUrl: "https://lab.invalid/v1", keyEnv: ABSENT';

describe('checking accounts', () => {
  let folder: TestFolder;
  let file: string;
  beforeEach(() => {
    folder = newFolder();
    file = join(folder.path, 'providers.yaml');
  });
  afterEach(() => folder.remove());

  async function refusal(text: string, account?: string, mode = 0o600) {
    folder.write('providers.yaml', text);
    chmodSync(file, mode);
    const asked = checkAccounts(
      { providersFile: file },
      account === undefined ? {} : { account },
      () => undefined,
      {},
    );
    const error: unknown = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { code: exitCodeOf(error), message: (error as Error).message };
  }

  it('says of an account without models what to do, and asks the others', async () => {
    const keyless = `accounts:
  bare: { protocol: openai, baseUrl: "https://bare.invalid/v1" }
${LAB}, models: [m] }
  priced:
    protocol: openai
    baseUrl: "https://priced.invalid/v1"
    keyEnv: ABSENT
    prices: { own: { inputUsdPerMillion: 1, outputUsdPerMillion: 2 } }
`;
    folder.write('providers.yaml', keyless);
    chmodSync(file, 0o600);
    const found: AccountFinding[] = [];
    await checkAccounts({ providersFile: file }, {}, (finding) => found.push(finding), {});
    expect(found.map(({ account, model, answered }) => [account, model, answered])).toEqual([
      ['bare', undefined, false],
      ['lab', 'm', false],
      ['priced', 'own', false],
    ]);
    expect(found[0]?.problem).toBe(
      `it names no model: say which with --models, or list them under models in ${file}`,
    );
  });

  it('is refused with 2 for what is wrong with the file or the name', async () => {
    const good = `accounts:\n${LAB}, models: [m] }\n`;
    for (const [given, words] of [
      [[good, 'labb'], 'there is no account "labb" in'],
      [[good, 'lab', 0o644], 'chmod 600'],
      [['accounts:\n  lab: { protocol: telnet }\n'], 'providers.yaml:2: '],
      [['accounts: {}\n'], 'there are no accounts in'],
    ] as [[string, string?, number?], string][]) {
      const { code, message } = await refusal(...given);
      expect(message).toContain(words);
      expect(code).toBe(EXIT.usage);
    }
    expect((await refusal(good, 'labb')).message).toMatch(/; did you mean lab\?$/u);
  });
});
