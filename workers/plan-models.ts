import { ConfigurationError } from '../config/configuration-error';
import { type ConfigurationFault } from '../config/located-yaml';
import { type GivenModel, type SweepFile } from '../config/sweep-file';
import { type OperatorProtocol } from '../core/account';
import { type ModelPrices } from '../core/money';
import { didYouMean } from '../core/near-names';
import { ownEntry } from '../core/own-entry';
import { type ModelIdentity, type SweepPlan } from '../core/sweep';
import { type AccountCheck, type AccountUse } from './operator-accounts';
import { type PlanIngredients } from './plan-ingredients';

/** What the catalog knows of a model. */
export interface CatalogModel {
  /** The provider's name for it. */
  readonly name: string;
  readonly provider: OperatorProtocol;
  /** Account that serves it unless the sweep names another. */
  readonly account: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly prices?: ModelPrices;
  /** What to know of its price. */
  readonly note?: string;
}

/** Finds models by the name a sweep file uses (the catalog's or the provider's), and prices as the operator or the catalog states them. */
export interface ModelCatalog {
  find(name: string): CatalogModel | undefined;
  /** Names to offer when one is not found. */
  names(): readonly string[];
  /** The operator's price of `model` at `account`, if any. */
  accountPrices?(account: string, model: string): ModelPrices | undefined;
  /** Names of the models that the operator's account has prices for. */
  pricedModels?(account: string): readonly string[];
  /** What the operator's account speaks, if it is known here. */
  accountProtocol?(account: string): OperatorProtocol | undefined;
  /** Whether the operator's accounts can serve these models, as far as this machine can tell. */
  checkAccounts?(uses: readonly AccountUse[]): AccountCheck;
}

/** Fields of a request that are not a sweep's to set. */
const RESERVED_PARAMETERS = ['model', 'messages', 'tools', 'tool_choice', 'stream', 'n'];
const FREE: ModelPrices = {
  inputPerMillion: 0,
  cachedInputPerMillion: 0,
  cacheWritePerMillion: 0,
  outputPerMillion: 0,
};

/** What accounts have to serve; our own providers need none. */
export function accountUses(
  file: string,
  models: readonly (readonly [GivenModel, ModelIdentity])[],
): AccountUse[] {
  return models.flatMap(([given, { id, account, name }]) =>
    given.kind === 'named' ? [{ id, account, name, file, line: given.line }] : [],
  );
}

export interface ResolvedModels {
  readonly models: readonly ModelIdentity[];
  /** Every model with how the file names it, the judge included. */
  readonly named: readonly (readonly [GivenModel, ModelIdentity])[];
  readonly judge: ModelIdentity | undefined;
  /** By a model's id; those whose price is unknown are not in it. */
  readonly prices: Readonly<Record<string, ModelPrices>>;
}

/** Faults of single models: unknown ones, recordings that are not there, accounts that cannot serve them. */
export async function modelFaults(
  file: string,
  models: readonly GivenModel[],
  catalog: ModelCatalog,
  ingredients: PlanIngredients,
): Promise<ConfigurationFault[]> {
  const faults: ConfigurationFault[] = [];
  const named: (readonly [GivenModel, ModelIdentity])[] = [];
  for (const given of models) {
    const model = await resolveModel(given, catalog, ingredients, (message) =>
      faults.push({ file, line: given.line, message }),
    );
    if (model !== undefined) named.push([given, model]);
  }
  faults.push(...(catalog.checkAccounts?.(accountUses(file, named)).faults ?? []));
  return faults;
}

/** Resolves one model of a sweep file, with the price of today. */
export async function resolveOne(
  file: string,
  given: GivenModel,
  catalog: ModelCatalog,
  ingredients: PlanIngredients,
): Promise<{ readonly model: ModelIdentity; readonly prices: ModelPrices | undefined }> {
  const faults: ConfigurationFault[] = [];
  const model = await resolveModel(given, catalog, ingredients, (message) =>
    faults.push({ file, line: given.line, message }),
  );
  if (model !== undefined)
    faults.push(...(catalog.checkAccounts?.(accountUses(file, [[given, model]])).faults ?? []));
  if (model === undefined || faults.length > 0) throw new ConfigurationError(faults);
  return { model, prices: currentPrice(model, given, catalog) };
}

/** Resolves a sweep's models against the catalog; prices that a previous plan froze stay as they were. */
export async function resolveModels(
  sweep: SweepFile,
  catalog: ModelCatalog,
  ingredients: PlanIngredients,
  previous: Pick<SweepPlan, 'prices' | 'lanes' | 'judge'> | undefined,
  faults: ConfigurationFault[],
): Promise<ResolvedModels> {
  const prices = new Map<string, ModelPrices>();
  const resolve = async (given: GivenModel): Promise<ModelIdentity | undefined> => {
    const fault = (message: string): void =>
      void faults.push({ file: sweep.file, line: given.line, message });
    const model = await resolveModel(given, catalog, ingredients, fault);
    if (model === undefined) return undefined;
    const price = frozenPrice(model, previous) ?? currentPrice(model, given, catalog);
    const known = prices.get(model.id);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(price))
      fault(`${model.id} names two models with different prices: give one of them another id`);
    if (price !== undefined) prices.set(model.id, price);
    return model;
  };
  const models: ModelIdentity[] = [];
  const named: (readonly [GivenModel, ModelIdentity])[] = [];
  for (const given of sweep.models) {
    const model = await resolve(given);
    if (model === undefined) continue;
    models.push(model);
    named.push([given, model]);
  }
  const judge = await resolve(sweep.judge.model);
  if (judge !== undefined) named.push([sweep.judge.model, judge]);
  return { models, judge, named, prices: Object.fromEntries(prices) };
}

/** What the catalog says on a model's price, in brackets; nothing where it says nothing. */
export function noteOn(given: GivenModel, catalog: ModelCatalog): string {
  const note = given.kind === 'named' ? catalog.find(given.model)?.note : undefined;
  return note === undefined ? '' : ` (${note})`;
}

async function resolveModel(
  given: GivenModel,
  catalog: ModelCatalog,
  ingredients: PlanIngredients,
  fault: (message: string) => void,
): Promise<ModelIdentity | undefined> {
  if (given.kind === 'named') return resolveNamed(given, catalog, fault);
  const own = { id: given.id, provider: given.kind, parameters: {}, account: given.kind };
  if (given.kind === 'simulated')
    return { ...own, name: 'simulated', simulation: given.simulation };
  try {
    const digest = await ingredients.recordingsDigest(given.recordings);
    const recordings = { name: given.recordings, digest };
    return { ...own, name: `recordings/${given.recordings}`, recordings };
  } catch (error) {
    fault(`model ${given.id}: ${(error as Error).message}`);
    return undefined;
  }
}

function resolveNamed(
  given: GivenModel & { readonly kind: 'named' },
  catalog: ModelCatalog,
  fault: (message: string) => void,
): ModelIdentity | undefined {
  const entry = catalog.find(given.model);
  const account = given.account ?? entry?.account;
  if (account === undefined) {
    const names = catalog.names();
    const near = didYouMean(given.model, names);
    const account = 'name the account that serves it ({ id, account, model })';
    fault(
      near === ''
        ? `unknown model ${given.model}: ${account}, or use one of the catalog: ${names.join(', ')}`
        : `unknown model ${given.model}${near} If not, ${account}`,
    );
    return undefined;
  }
  for (const parameter of Object.keys(given.parameters))
    if (RESERVED_PARAMETERS.includes(parameter))
      fault(`model ${given.id}: the parameter ${parameter} is set by the harness; leave it out`);
  return {
    id: given.id,
    provider: catalog.accountProtocol?.(account) ?? entry?.provider ?? 'openai',
    name: entry?.name ?? given.model,
    parameters: { ...entry?.parameters, ...given.parameters },
    ...(given.revision === undefined ? {} : { revision: given.revision }),
    account,
  };
}

function currentPrice(
  model: ModelIdentity,
  given: GivenModel,
  catalog: ModelCatalog,
): ModelPrices | undefined {
  if (given.kind !== 'named') return FREE;
  const entry = catalog.find(given.model);
  return (
    catalog.accountPrices?.(model.account, model.name) ??
    (entry?.account === model.account ? entry.prices : undefined)
  );
}

function frozenPrice(
  model: ModelIdentity,
  previous: Pick<SweepPlan, 'prices' | 'lanes' | 'judge'> | undefined,
): ModelPrices | undefined {
  const before = [...(previous?.lanes.map((lane) => lane.model) ?? []), previous?.judge.model].find(
    (candidate) =>
      candidate?.id === model.id &&
      candidate.name === model.name &&
      candidate.account === model.account,
  );
  return before === undefined ? undefined : ownEntry(previous?.prices, before.id);
}
