import { statSync } from 'node:fs';
import { type Command } from 'commander';
import { lookAtSettings } from '../../config/environment';
import { printFault } from '../../config/located-yaml';
import { type SweepFields } from '../../config/sweep-file';
import { type BuiltPlan } from '../../workers/build-plan';
import { type Selection } from '../../workers/plan-selection';
import { whyUnbounded } from '../before-launch';
import { CommandError, EXIT } from '../exit';
import { escapeText } from '../render/escape';
import { commaList, countFlag, idFlag } from '../render/flags';
import { toJson } from '../render/json';
import { printPlan, unpricedModels } from '../render/plan';

export interface PlanFlags {
  readonly tasks?: readonly string[];
  readonly lanes?: readonly string[];
  readonly limit?: number;
  readonly cohort?: string;
}

/** Of commands that take a sweep file as a pattern. */
export interface PlanInputFlags extends PlanFlags {
  readonly instead?: SweepFields;
}

interface OwnFlags {
  readonly explain?: string;
  /** Commander's form of `--no-budget`. */
  readonly budget: boolean;
  readonly json?: boolean;
}

export function registerPlan(sweep: Command): void {
  planOptions(
    sweep
      .command('plan')
      .argument('<file>', 'sweep file (YAML)')
      .description('Say what a launch would run, reuse and cost. Writes and starts nothing.')
      .option(
        '--explain <run>',
        "name the part of this run's key that differs from the last revision",
      )
      .option('--no-budget', 'as for a `sweep run` of paid models without a budget')
      .option('--json', 'print counts and estimate as JSON'),
  ).action(async (file: string, flags: PlanFlags & OwnFlags) => {
    const { openClientServices } = await import('../../workers/client-services.js');
    const { buildPlan } = await import('../../workers/build-plan.js');
    const services = await openClientServices(lookAtSettings());
    const built = await buildPlan(planInput(file, flags), services.planDependencies());
    for (const warning of built.warnings)
      process.stderr.write(`warning: ${escapeText(printFault(warning))}\n`);
    if (flags.explain !== undefined) {
      const { explainRun } = await import('../../workers/explain-run.js');
      const explained = explainRun(built.plan, built.previous, flags.explain);
      process.stdout.write(
        flags.json === true ? `${toJson(explained)}\n` : printExplanation(explained),
      );
      return;
    }
    const { plan, counts, estimate, paidModels } = built;
    const isWork = counts.toRun + counts.toJudge > 0;
    const refusal = isWork ? whyUnbounded(built, flags) : undefined;
    const facts = {
      sweep: plan.sweep,
      cohort: plan.cohort,
      revision: plan.revision,
      isNewRevision: built.isNewRevision,
      lanes: plan.lanes.map((lane) => lane.id),
      tasks: plan.tasks.map((task) => task.id),
      repetitions: plan.repetitions,
      counts,
      estimate: withUnits(estimate),
      budgetMicroUsd: built.budgetMicroUsd ?? null,
      paidModels,
      unpricedModels: unpricedModels(built),
      refusal: refusal ?? null,
    };
    process.stdout.write(flags.json === true ? `${toJson(facts)}\n` : `${printPlan(built)}\n`);
    if (refusal !== undefined)
      throw new CommandError(EXIT.usage, `sweep run will refuse this: ${refusal}`);
  });
}

/** As in all other JSON, amounts say their unit; `null` where a price is unknown. */
export function withUnits({ agent, judge, ...others }: BuiltPlan['estimate']) {
  const range = ({ low, high }: BuiltPlan['estimate']['agent']) => ({
    lowMicroUsd: low ?? null,
    highMicroUsd: high ?? null,
  });
  return { agent: range(agent), judge: range(judge), ...others };
}

/** Selection and cohort, shared by `plan` and `run`. */
export function planOptions(command: Command): Command {
  return command
    .option(
      '--task, --tasks <ids>',
      'only these tasks, comma-separated; * stands for any part',
      commaList,
    )
    .option(
      '--lane, --lanes <ids>',
      'only these lanes (model@harness), comma-separated; * as above',
      commaList,
    )
    .option('--limit <n>', 'only the first n of the selected tasks', countFlag)
    .option(
      '--cohort <name>',
      "share and reuse results under this name instead of the file's",
      idFlag,
    );
}

export function planInput(file: string, flags: PlanInputFlags) {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new CommandError(EXIT.usage, `${file} is a folder: name the sweep's YAML file in it`);
  const { tasks, lanes, limit, cohort, instead } = flags;
  const selection: Selection = {
    ...(tasks !== undefined && { tasks }),
    ...(lanes !== undefined && { lanes }),
    ...(limit !== undefined && { limit }),
  };
  return {
    file,
    selection,
    ...(cohort !== undefined && { cohort }),
    ...(instead !== undefined && { instead }),
  };
}

function printExplanation(explained: {
  readonly runId: string;
  readonly runKey: string;
  readonly comparedWith: number | undefined;
  readonly differences: readonly {
    readonly part: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
  }[];
}): string {
  const { runId, runKey, comparedWith, differences } = explained;
  const head = `${runId}\nkey ${runKey}\n`;
  if (comparedWith === undefined) return `${head}no earlier revision plans this run\n`;
  if (differences.length === 0)
    return `${head}the same as in revision ${comparedWith}: a stored result is reused\n`;
  const lines = differences.map(
    ({ part, before, after }) =>
      `  ${escapeText(part)}: ${escapeText(before ?? 'absent')} -> ${escapeText(after ?? 'absent')}`,
  );
  return `${head}differs from revision ${comparedWith} in\n${lines.join('\n')}\n`;
}
