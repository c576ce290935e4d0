import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpricedModels } from '../../cli/render/plan';
import { createModelCatalog } from '../../config/catalog';
import { ConfigurationError } from '../../config/configuration-error';
import { buildPlan } from '../../workers/build-plan';
import { type AccountUse, operatorAccounts } from '../../workers/operator-accounts';
import { StoredSweep, TEST_CATALOG, testIngredients } from '../support/stored-sweep';

let sweep: StoredSweep;
beforeEach(() => {
  sweep = new StoredSweep();
});
afterEach(() => sweep.remove());

async function faultsOf(build: Promise<unknown>): Promise<string> {
  const error: unknown = await build.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigurationError);
  return (error as Error).message;
}

describe('what a plan refuses', () => {
  it("nothing of the guide's sweep, as pasted", async () => {
    const root = join(__dirname, '..', '..');
    const guide = readFileSync(join(root, 'docs/guides/launch-a-sweep.md'), 'utf8');
    const [, text = ''] = /```yaml\n([^]*?)```/u.exec(guide) ?? [];
    sweep.folder.write('sweep.yaml', text.replace('../tasks', join(root, 'tasks')));
    const catalog = createModelCatalog('2026-11-01');
    const built = await buildPlan(
      { file: sweep.file },
      { store: sweep.store, ingredients: testIngredients(), catalog },
    );
    expect(built.paidModels).toEqual(['gpt-5.5', 'gpt-5.5-high']);
    expect(built.warnings.filter(({ file }) => file === sweep.file)).toEqual([]);
  });

  it('a budget over paid lanes without a cap', async () => {
    sweep.writeSweep({ models: '[gpt-5.5]', harnesses: '[nanobot]', budget: '{ maxCostUsd: 9 }' });
    expect(await faultsOf(sweep.build())).toMatch(
      /sweep\.yaml:7: a budget needs limits\.maxCostUsd, the most one attempt may cost/u,
    );
  });

  it('says the faults behind a sweep file that has faults of its own', async () => {
    sweep.writeTask('one', { 'rubric.yaml': '[]' });
    sweep.writeSweep({ models: '[gpt-9]', harnesses: '[nanobot]', repetitions: '0' });
    const message = await faultsOf(sweep.build());
    for (const part of [
      'sweep.yaml:5: repetitions: must be at least 1',
      'tasks/one/rubric.yaml',
      'sweep.yaml:3: unknown model gpt-9',
    ])
      expect(message).toContain(part);
  });

  it('names each model without a price, with its line', async () => {
    const paid = '[{ id: mine, account: lab, model: my-model }, gpt-5.5]';
    sweep.writeSweep({ models: paid, harnesses: '[nanobot, minimal]' });
    const { warnings, plan, paidModels } = await sweep.plan();
    const named = warnings.filter(({ message }) => message.includes('price'));
    expect(named).toEqual([
      {
        file: sweep.file,
        line: 3,
        message:
          'the price of mine is unknown, so neither its cost nor sums with it can be said: state it under prices in providers.yaml',
      },
    ]);
    expect(unpricedModels({ plan, paidModels })).toEqual(['mine']);
  });

  it('warns of a budget below the low estimate', async () => {
    sweep.writeSweep({
      models: '[gpt-5.5]',
      harnesses: '[nanobot]',
      limits: '{ maxCostUsd: 5 }',
      budget: '{ maxCostUsd: 0.01 }',
    });
    const { warnings } = await sweep.plan();
    expect(warnings.map(({ message }) => message).join('\n')).toMatch(
      /the budget of \$0\.0100 is below the low estimate of what remains, \$\d/u,
    );
  });

  it('says why no account serves a model, and nothing of the price that follows from it', async () => {
    const providersFile = join(sweep.folder.path, 'providers.yaml');
    const prices = '{ my-model: { inputUsdPerMillion: 1, outputUsdPerMillion: 2 } }';
    const lab = `{ protocol: openai, baseUrl: "https://lab.invalid/v1", prices: ${prices}`;
    const refused = async (account: string, model: string, more = ''): Promise<string[]> => {
      sweep.folder.write('providers.yaml', `accounts:\n  lab: ${lab}${more} }\n`);
      chmodSync(providersFile, 0o600);
      sweep.writeSweep({
        models: `[{ id: mine, account: ${account}, model: ${model} }]`,
        harnesses: '[nanobot]',
        limits: '{ maxCostUsd: 5 }',
      });
      const accounts = operatorAccounts(
        { providersFile, store: 'file:/s', temporalAddress: undefined },
        {},
      );
      const catalog = { ...TEST_CATALOG, ...accounts };
      const deps = { store: sweep.store, ingredients: testIngredients(), catalog };
      return (await faultsOf(buildPlan({ file: sweep.file }, deps))).split('\n');
    };
    expect(await refused('labb', 'my-model')).toEqual([
      expect.stringMatching(/sweep\.yaml:3: model mine: there is no account labb .*mean lab\?$/u),
    ]);
    expect(await refused('lab', 'my-modle', ', models: [my-model]')).toEqual([
      expect.stringMatching(/does not list my-modle under models; .*; did you mean my-model\?$/u),
    ]);
    expect(await refused('lab', 'my-modle')).toEqual([
      expect.stringMatching(/the price of mine is unknown, .*; did you mean my-model\?$/u),
    ]);
  });

  it('offers the model of the catalog that was likely meant', async () => {
    sweep.writeSweep({ models: '[gpt-5.55]', harnesses: '[nanobot]' });
    expect(await faultsOf(sweep.build())).toContain(
      'unknown model gpt-5.55; did you mean gpt-5.5? If not, name the account',
    );
  });

  it('asks the accounts only for models that the chosen lanes call', async () => {
    sweep.writeSweep({
      models: '[gpt-5.5, { id: sim, provider: simulated }]',
      harnesses: '[nanobot, oracle]',
    });
    const asked: string[][] = [];
    const deps = {
      store: sweep.store,
      ingredients: testIngredients(),
      catalog: {
        ...TEST_CATALOG,
        checkAccounts: (uses: readonly AccountUse[]) => {
          asked.push(uses.map(({ id }) => id));
          return {
            faults: uses.map(({ file, line, id }) => ({ file, line, message: `no ${id}` })),
            warnings: [],
          };
        },
      },
    };
    expect(await faultsOf(buildPlan({ file: sweep.file }, deps))).toContain(
      'sweep.yaml:3: no gpt-5.5',
    );
    await buildPlan({ file: sweep.file, selection: { lanes: ['*@oracle', 'sim@*'] } }, deps);
    expect(asked).toEqual([['gpt-5.5'], []]);
  });
});
