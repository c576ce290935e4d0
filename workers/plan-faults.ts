import { type ConfigurationFault } from '../config/located-yaml';
import { type PartialSweepFile, type SweepFile } from '../config/sweep-file';
import { type TaskFolder } from '../config/task-folder';
import { addRanges } from '../core/estimate';
import { formatUsd } from '../core/money';
import { didYouMean } from '../core/near-names';
import { ownEntry } from '../core/own-entry';
import { asksModel, isPaid, type ModelIdentity, type PlannedLane } from '../core/sweep';
import { type PlanEstimate } from './plan-estimate';
import { type PlanIngredients } from './plan-ingredients';
import {
  accountUses,
  type ModelCatalog,
  modelFaults,
  noteOn,
  type ResolvedModels,
} from './plan-models';
import { recordingFaults } from './plan-recordings';
import { readTaskFolders } from './plan-tasks';

interface Sources {
  readonly catalog: ModelCatalog;
  readonly ingredients: PlanIngredients;
}

/** Faults of what a sweep file names, where the file itself has faults already. */
export async function faultsBeside(
  partial: PartialSweepFile | undefined,
  { catalog, ingredients }: Sources,
): Promise<ConfigurationFault[]> {
  if (partial === undefined) return [];
  const faults: ConfigurationFault[] = [];
  readTaskFolders(partial.taskFolders, faults, []);
  faults.push(...(await modelFaults(partial.file, partial.models, catalog, ingredients)));
  return faults;
}

/** What is asked of the accounts and recordings of the chosen part of a sweep, and of its budget. */
export async function faultsOfChosen(
  sweep: SweepFile,
  resolved: ResolvedModels,
  chosen: { readonly tasks: readonly TaskFolder[]; readonly lanes: readonly PlannedLane[] },
  { catalog, ingredients }: Sources,
  faults: ConfigurationFault[],
  warnings: ConfigurationFault[],
): Promise<void> {
  const { file } = sweep;
  const { judge } = resolved;
  const called = chosen.lanes.filter(({ harness }) => asksModel(harness)).map((lane) => lane.model);
  const used = resolved.named.filter(([, model]) => model === judge || called.includes(model));
  const accounts = catalog.checkAccounts?.(accountUses(file, used));
  faults.push(...(accounts?.faults ?? []));
  warnings.push(...(accounts?.warnings ?? []));
  const line = (model: ModelIdentity): number | undefined =>
    resolved.named.find(([, named]) => named === model)?.[0].line;
  // Of what no account serves nothing can be known, its price included.
  const served = used.filter(([, { id }]) => accounts?.unserved?.includes(id) !== true);
  const isLimited =
    sweep.limits.maxCostMicroUsd !== undefined || sweep.budgetMicroUsd !== undefined;
  (isLimited ? faults : warnings).push(
    ...unknownPrices(file, served, resolved.prices, catalog, isLimited),
  );
  if (judge !== undefined)
    faults.push(
      ...(await recordingFaults(ingredients, {
        tasks: chosen.tasks,
        lanes: chosen.lanes,
        repetitions: sweep.repetitions,
        judge: { file, line: line(judge), model: judge },
        checks: sweep.judge.checks,
        place: (model) => ({ file, line: line(model) }),
      })),
    );
  if (
    sweep.budgetMicroUsd !== undefined &&
    sweep.limits.maxCostMicroUsd === undefined &&
    called.some(isPaid)
  )
    faults.push({
      file,
      line: sweep.budgetLine,
      message: 'a budget needs limits.maxCostUsd, the most one attempt may cost',
    });
}

/** Paid models whose cost nobody can say. */
function unknownPrices(
  file: string,
  used: ResolvedModels['named'],
  prices: ResolvedModels['prices'],
  catalog: ModelCatalog,
  isLimited: boolean,
): ConfigurationFault[] {
  const unpriced = used.filter(
    ([, model]) => isPaid(model) && ownEntry(prices, model.id) === undefined,
  );
  const first = unpriced.filter(
    ([, { id }], at) => unpriced.findIndex(([, other]) => other.id === id) === at,
  );
  return first.map(([given, { id, account, name }]) => ({
    file,
    line: given.line,
    message:
      `the price of ${id} is unknown, so ` +
      (isLimited ? 'no cost limit can be kept' : 'neither its cost nor sums with it can be said') +
      ': state it under prices in providers.yaml' +
      (isLimited ? ', or leave out maxCostUsd' : '') +
      noteOn(given, catalog) +
      didYouMean(name, catalog.pricedModels?.(account) ?? []),
  }));
}

/** A budget that even the low estimate is above will not be enough. */
export function budgetWarnings(sweep: SweepFile, estimate: PlanEstimate): ConfigurationFault[] {
  const { low } = addRanges(estimate.agent, estimate.judge);
  const budget = sweep.budgetMicroUsd;
  if (budget === undefined || low === undefined || low <= budget) return [];
  const message =
    `the budget of ${formatUsd(budget)} is below the low estimate of what remains, ${formatUsd(low)}: ` +
    'the sweep will probably stop at it';
  return [{ file: sweep.file, line: sweep.budgetLine, message }];
}
