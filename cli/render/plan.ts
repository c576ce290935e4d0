import { formatUsd, type MicroUsd } from '../../core/money';
import { type BuiltPlan } from '../../workers/build-plan';
import { escapeText } from './escape';
import { plural } from './plural';

/** What a launch would do and cost, for a terminal. */
export function printPlan(built: BuiltPlan): string {
  const { plan, counts, estimate } = built;
  const items = plan.tasks.reduce((sum, task) => sum + task.itemCount, 0);
  const lines = [
    `sweep ${plan.sweep}, cohort ${plan.cohort}, plan revision ${plan.revision}${built.isNewRevision ? ' (new)' : ''}`,
    `${plural(plan.lanes.length, 'lane')} x ${plural(plan.tasks.length, 'task')} x ${plural(plan.repetitions, 'repetition')} = ` +
      `${plural(counts.planned, 'run')}, ${plural(items * plan.repetitions * plan.lanes.length, 'rubric item')}`,
    `reused ${counts.reused}, to judge only ${counts.toJudge}, to run ${counts.toRun}`,
    `cost of what remains: agent ${range(estimate.agent)}, judge ${range(estimate.judge)} ` +
      `(${plural(estimate.fromStoredRuns, 'run')} from stored runs of their task, ${estimate.fromDefaults} from defaults)`,
  ];
  if (plan.budget !== undefined) lines.push(`budget ${formatUsd(plan.budget.maxCostMicroUsd)}`);
  if (built.paidModels.length > 0) lines.push(`paid models: ${built.paidModels.join(', ')}`);
  const own = plan.lanes.filter(
    ({ model }) => model.provider === 'replay' || model.provider === 'simulated',
  );
  if (own.length > 0)
    lines.push(
      `${own.length} of ${plan.lanes.length} lanes are replayed or simulated: their results say nothing about a model`,
    );
  if (counts.orphaned > 0)
    lines.push(
      `${plural(counts.orphaned, 'scored run')} of the previous revision ${counts.orphaned === 1 ? 'belongs' : 'belong'} to this plan no more: kept, and not counted`,
    );
  return lines.map(escapeText).join('\n');
}

function range(cost: {
  readonly low: MicroUsd | undefined;
  readonly high: MicroUsd | undefined;
}): string {
  return `${formatUsd(cost.low)} - ${formatUsd(cost.high)}`;
}
