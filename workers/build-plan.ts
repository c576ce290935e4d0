import { ConfigurationError } from '../config/configuration-error';
import { type ConfigurationFault } from '../config/located-yaml';
import { readSweepFile, type SweepFields, type SweepFile } from '../config/sweep-file';
import { laneId, storeKeys } from '../core/ids';
import { type MicroUsd } from '../core/money';
import {
  asksModel,
  isPaid,
  type ModelIdentity,
  type PlannedLane,
  type SweepPlan,
} from '../core/sweep';
import { parserDigest } from '../activities/parse-attachments';
import { type ObjectStore } from '../activities/store/port';
import { webDigest } from '../activities/web-identity';
import { budgetOf } from '../activities/sweep-budget';
import { countPlan, findEqualRuns, type PlanCounts } from './plan-counts';
import { type PlanEstimate } from './plan-estimate';
import { budgetWarnings, faultsBeside, faultsOfChosen } from './plan-faults';
import { type PlanIngredients } from './plan-ingredients';
import { type ModelCatalog, resolveModels } from './plan-models';
import { importedLanes, submissionFaults } from './plan-submissions';
import { latestPlan, numberPlan, type PlanDraft, samePlan, writePlan } from './plan-revisions';
import { planTasks, putPlannedBlobs, readTaskFolders } from './plan-tasks';
import { selectFrom, type Selection } from './plan-selection';

export interface BuildPlanInput {
  /** The sweep file. */
  readonly file: string;
  /** Instead of what the file says. */
  readonly instead?: SweepFields;
  /** Instead of the file's cohort, e.g. to run everything again. */
  readonly cohort?: string;
  readonly selection?: Selection;
}

export interface BuildPlanDependencies {
  readonly store: ObjectStore;
  readonly ingredients: PlanIngredients;
  readonly catalog: ModelCatalog;
  readonly now?: () => Date;
}

export interface BuiltPlan {
  readonly plan: SweepPlan;
  readonly planKey: string;
  /** The revision before this one; the same plan when nothing changed. */
  readonly previous: SweepPlan | undefined;
  /** False when the newest revision in the store says the same. */
  readonly isNewRevision: boolean;
  readonly counts: PlanCounts;
  readonly estimate: PlanEstimate;
  /** What the plan's budget was raised to, if it was. */
  readonly budgetMicroUsd: MicroUsd | undefined;
  /** Models that are paid for, the judge included. Without a budget they need the user's word. */
  readonly paidModels: readonly string[];
  readonly warnings: readonly ConfigurationFault[];
  /**
   * Puts the plan's blobs and writes it as the next revision; the same content is the same revision. Where another
   * launch took the number, plan and key are the ones it really has. Throws `Failure('InvalidInput')` when a file of a
   * task changed since.
   */
  write(): Promise<BuiltPlan>;
}

/**
 * Makes the plan of a sweep file; writes nothing. Throws `ConfigurationError` with every fault of the sweep file, its
 * tasks, models, accounts and recordings.
 */
export async function buildPlan(
  input: BuildPlanInput,
  deps: BuildPlanDependencies,
): Promise<BuiltPlan> {
  const read = readSweepFile(input.file, input.instead);
  if ('faults' in read)
    throw new ConfigurationError([...read.faults, ...(await faultsBeside(read.partial, deps))]);
  const sweep = read.value;
  const now = deps.now ?? (() => new Date());
  const newest = await latestPlan(deps.store, sweep.sweep);
  const faults: ConfigurationFault[] = [];
  const warnings: ConfigurationFault[] = [];
  const folders = readTaskFolders(sweep.taskFolders, faults, warnings);
  const resolved = await resolveModels(sweep, deps.catalog, deps.ingredients, newest, faults);
  const imported = await importedLanes(deps.store, sweep, faults);
  const chosen = selectFrom(
    folders,
    [...planLanes(sweep, resolved.models, deps.ingredients), ...imported.lanes],
    input.selection ?? {},
    (message) => faults.push({ file: sweep.file, line: undefined, message }),
  );
  faults.push(...submissionFaults(sweep, imported, chosen));
  await faultsOfChosen(sweep, resolved, chosen, deps, faults, warnings);
  if (faults.length > 0 || resolved.judge === undefined) throw new ConfigurationError(faults);
  const oracle = chosen.lanes.some(({ harness }) => harness.name === 'oracle');
  const { tasks, blobs } = await planTasks(chosen.tasks, oracle);
  const draft: PlanDraft = {
    v: 1,
    sweep: sweep.sweep,
    cohort: input.cohort ?? sweep.cohort,
    tasks,
    lanes: chosen.lanes,
    repetitions: sweep.repetitions,
    limits: sweep.limits,
    judge: {
      model: resolved.judge,
      mode: sweep.judge.mode,
      votes: sweep.judge.votes,
      checks: sweep.judge.checks,
      limits: sweep.judge.limits,
      protocolDigest: deps.ingredients.judgeProtocolDigest(sweep.judge.limits),
    },
    window: sweep.window,
    budget:
      sweep.budgetMicroUsd === undefined ? undefined : { maxCostMicroUsd: sweep.budgetMicroUsd },
    timings: sweep.timings,
    gatewayProtocolDigest: deps.ingredients.gatewayProtocolDigest,
    rendererRecipe: deps.ingredients.rendererRecipe,
    inspectorRecipe: deps.ingredients.inspectorRecipe,
    ...(tasks.some(({ grants }) => grants.web.length > 0) && { fetcher: webDigest() }),
    ...(sweep.parsed && { parser: parserDigest(deps.ingredients.rendererRecipe) }),
    prices: resolved.prices,
  };
  const plan = numberPlan(draft, newest, now);
  refuseEqualRuns(sweep, plan);
  const rubrics = new Map(chosen.tasks.map(({ id, rubric }) => [id, rubric]));
  const counted = await countPlan(deps.store, plan, newest, rubrics);
  const built: BuiltPlan = {
    ...named(plan),
    previous: newest,
    isNewRevision: !samePlan(draft, newest),
    ...counted,
    budgetMicroUsd: await budgetOf(deps.store, plan),
    paidModels: paidModels(plan),
    warnings: [...warnings, ...budgetWarnings(sweep, counted.estimate)],
    write: async () => {
      await putPlannedBlobs(deps.store, blobs);
      return { ...built, ...named(await writePlan(deps.store, draft, newest, now)) };
    },
  };
  return built;
}

function named(plan: SweepPlan): Pick<BuiltPlan, 'plan' | 'planKey'> {
  return { plan, planKey: storeKeys.plan(plan.sweep, plan.revision) };
}

function planLanes(
  sweep: SweepFile,
  models: readonly ModelIdentity[],
  ingredients: PlanIngredients,
): PlannedLane[] {
  return models.flatMap((model) =>
    sweep.harnesses.map((name) => {
      const harness = ingredients.harness(name);
      return { id: laneId(model.id, harness.id), model, harness };
    }),
  );
}

function refuseEqualRuns(sweep: SweepFile, plan: SweepPlan): void {
  const equal = findEqualRuns(plan);
  if (equal === undefined) return;
  throw new ConfigurationError([
    {
      file: sweep.file,
      line: undefined,
      message:
        `${equal[0]} and ${equal[1]} are the same run under two names (same model, parameters, harness and task): ` +
        'leave one of them out',
    },
  ]);
}

function paidModels(plan: SweepPlan): string[] {
  const working = plan.lanes.filter(({ harness }) => asksModel(harness));
  const models = [...working.map((lane) => lane.model), plan.judge.model];
  const paid = models.filter(isPaid).map((model) => model.id);
  return [...new Set(paid)].sort();
}
