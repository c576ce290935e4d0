import { checkModel, type ModelCheck, unanswered } from '../activities/models/check-model';
import { createModelClient } from '../activities/models/model-client';
import { type ModelClient } from '../activities/models/port';
import { catalogPrices, catalogQuirks, MODEL_CATALOG } from '../config/catalog';
import { type Settings } from '../config/environment';
import { readListedAccounts } from '../config/listed-accounts';
import { ownCommand } from '../config/own-command';
import { type Account } from '../core/account';
import { didYouMean } from '../core/near-names';
import { Failure } from '../core/failure';

/** What was found of a model; of an account that names no model, without one. */
export type AccountFinding = Omit<ModelCheck, 'model'> & { readonly model?: string };

export interface CheckRequest {
  /** Name of an account; without one, all are checked. */
  readonly account?: string;
  /** Models to ask; without any, those that the account allows, else those of the catalog that it serves and those that it prices. */
  readonly models?: readonly string[];
  /** Told of each model before it is asked, which may take minutes. */
  readonly asking?: (account: string, model: string) => void;
}

/**
 * Asks each model of the operator's accounts something tiny, account by account, and hands each finding on as it
 * comes; an account whose key is not there, or that names no model, is found so, and the others are asked. Throws
 * `Failure('InvalidInput')` for a file that cannot be read and for accounts that are not there, before anything is asked.
 */
export async function checkAccounts(
  settings: Pick<Settings, 'providersFile'>,
  request: CheckRequest,
  found: (check: AccountFinding) => void,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<void> {
  const file = settings.providersFile;
  const listed = readListedAccounts(file, environment);
  const names = listed.map(({ account }) => account.name);
  const wanted = listed.filter(
    ({ account }) => request.account === undefined || account.name === request.account,
  );
  if (wanted.length === 0)
    throw new Failure(
      'InvalidInput',
      request.account === undefined || names.length === 0
        ? `there are no accounts in ${file}: ${ownCommand()} account add makes one`
        : `there is no account "${request.account}" in ${file}${didYouMean(request.account, names) || `; there are: ${names.join(', ')}`}`,
    );
  for (const { account, keyFault } of wanted) {
    const models = modelsOf(account, request);
    if (models.length === 0) found({ account: account.name, ...unanswered(namesNoModels(file)) });
    for (const model of models) {
      if (keyFault !== undefined) {
        const trouble = { problem: keyFault, problemType: 'ConfigMissing' } as const;
        found({ account: account.name, model, ...unanswered(trouble) });
        continue;
      }
      request.asking?.(account.name, model);
      found(await checkStreaming(account, model));
    }
  }
}

/** A model that gives no reply in a stream is asked again without: some servers only answer whole. */
async function checkStreaming(account: Account, model: string): Promise<ModelCheck> {
  const check = await checkModel(clientOf(account), account, model);
  const stream = account.streaming ?? true;
  if (check.answered || !stream || check.problemType !== 'ProviderUnavailable') return check;
  const whole = { ...account, streaming: false };
  const again = await checkModel(clientOf(whole), whole, model);
  if (!again.answered) return check;
  return {
    ...again,
    problem: `it does not stream: set streaming: false for "${account.name}" in providers.yaml`,
  };
}

function clientOf(account: Account): ModelClient {
  return createModelClient({
    accounts: [account],
    quirks: (model) => catalogQuirks(model.name),
    prices: (model) => catalogPrices(model),
  });
}

function modelsOf(account: Account, { models = [] }: CheckRequest): readonly string[] {
  if (models.length > 0) return models;
  if (account.models.length > 0) return account.models;
  const catalog = MODEL_CATALOG.filter((entry) => entry.account === account.name);
  return [...new Set([...catalog.map(({ name }) => name), ...Object.keys(account.prices)])];
}

function namesNoModels(file: string): Pick<ModelCheck, 'problem' | 'problemType'> {
  const problem = `it names no model: say which with --models, or list them under models in ${file}`;
  return { problem, problemType: 'ConfigMissing' };
}
