import { formatUsd, type MicroUsd } from '../../core/money';
import { ownEntry } from '../../core/own-entry';
import { type PlannedLane, resultProvider, type SweepPlan } from '../../core/sweep';
import { type BuiltPlan } from '../../workers/build-plan';
import { escapeText } from './escape';
import { plural } from '../../core/plural';

/** What a launch would do and cost, for a terminal. */
export function printPlan(built: BuiltPlan): string {
  const { plan, counts, estimate } = built;
  const items = plan.tasks.reduce((sum, task) => sum + task.itemCount, 0);
  const lines = [
    `sweep ${plan.sweep}, cohort ${plan.cohort}, plan revision ${plan.revision}${built.isNewRevision ? ' (new)' : ''}`,
    `${plural(plan.lanes.length, 'lane')} x ${plural(plan.tasks.length, 'task')} x ${plural(plan.repetitions, 'repetition')} = ` +
      `${plural(counts.planned, 'run')}, ${plural(items * plan.repetitions * plan.lanes.length, 'rubric item')}`,
    `reused ${counts.reused}, to judge only ${counts.toJudge}${openText(built)}, to run ${counts.toRun}`,
  ];
  if (counts.toRun + counts.toJudge > 0)
    lines.push(
      `cost of what remains: agent ${range(estimate.agent)}, judge ${range(estimate.judge)} ` +
        `(${estimateText(estimate)})`,
    );
  if (built.budgetMicroUsd !== undefined) lines.push(budgetText(built, built.budgetMicroUsd));
  if (built.paidModels.length > 0) lines.push(`paid models: ${built.paidModels.join(', ')}`);
  const unpriced = unpricedModels(built);
  if (unpriced.length > 0) lines.push(`price unknown: ${unpriced.join(', ')}`);
  lines.push(...taskNotes(plan), ...laneNotes(plan));
  if (counts.orphaned > 0)
    lines.push(
      `${plural(counts.orphaned, 'scored run')} of the previous revision ${counts.orphaned === 1 ? 'belongs' : 'belong'} to this plan no more: kept, and not counted`,
    );
  return lines.map(escapeText).join('\n');
}

/** Runs that were delivered may lack one verdict or all of them, or none where only a weight has changed. */
function openText({ counts, estimate }: BuiltPlan): string {
  if (counts.toJudge === 0) return '';
  const { openItems, deliveredItems } = estimate;
  if (openItems === 0) return ' (no verdict is missing: scores are computed again)';
  return ` (${openItems} of ${plural(deliveredItems, 'item')} have no verdict)`;
}

/** Where the sum is not the file's, it says why. */
function budgetText({ plan }: BuiltPlan, budget: MicroUsd): string {
  const ofFile = plan.budget?.maxCostMicroUsd;
  const raised =
    ofFile === undefined || ofFile === budget
      ? ''
      : `, raised with sweep budget (the file says ${formatUsd(ofFile)})`;
  return `budget ${formatUsd(budget)}${raised}`;
}

/** A figure is as good as what it rests on. */
function estimateText({ fromStoredRuns, fromDefaults }: BuiltPlan['estimate']): string {
  const bases = [
    ...(fromStoredRuns === 0
      ? []
      : [`for ${plural(fromStoredRuns, 'run')} by stored runs of the same task`]),
    ...(fromDefaults === 0 ? [] : [`for ${plural(fromDefaults, 'run')} by default token counts`]),
  ];
  return `estimated ${bases.join(', ')}`;
}

/** Paid models that have no price: what they cost cannot be said. */
export function unpricedModels({
  plan,
  paidModels,
}: Pick<BuiltPlan, 'plan' | 'paidModels'>): string[] {
  return paidModels.filter((id) => ownEntry(plan.prices, id) === undefined);
}

/** What agents get beside the bare workspace. */
function taskNotes({ tasks, parser }: SweepPlan): string[] {
  const granting = tasks.filter(({ grants }) => grants.web.length > 0);
  const hosts = [...new Set(granting.flatMap(({ grants }) => grants.web))].sort();
  return [
    ...(parser === undefined ? [] : ['agents find the text of attachments in _parsed/']),
    ...(hosts.length === 0
      ? []
      : [`${plural(granting.length, 'task')} may fetch pages of ${hosts.join(', ')}`]),
  ];
}

/** What a reader must know of lanes whose results no model gives here. */
function laneNotes({ lanes }: SweepPlan): string[] {
  const of = (...kinds: readonly string[]): PlannedLane[] =>
    lanes.filter((lane) => kinds.includes(resultProvider(lane)));
  const own = of('replay', 'simulated');
  const are = (count: number): string =>
    `${count} of ${plural(lanes.length, 'lane')} ${count === 1 ? 'is' : 'are'}`;
  return [
    ...(own.length === 0
      ? []
      : [
          `${are(own.length)} replayed or simulated: ${own.length === 1 ? 'its' : 'their'} results say nothing about a model`,
        ]),
    ...of('imported').map(({ id, model }) => {
      const { submission } = model;
      return submission === undefined
        ? `${id} (imported)`
        : `${id} (imported): ${submission.product}, ${submission.date}, run by ${submission.operator}`;
    }),
  ];
}

function range(cost: {
  readonly low: MicroUsd | undefined;
  readonly high: MicroUsd | undefined;
}): string {
  if (cost.low === undefined && cost.high === undefined) return formatUsd(undefined);
  return `${formatUsd(cost.low)} - ${formatUsd(cost.high)}`;
}
