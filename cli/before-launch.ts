import { ownCommand } from '../config/own-command';
import { type Settings } from '../config/environment';
import { plural } from '../core/plural';
import { type BuiltPlan } from '../workers/build-plan';
import { confirmOrCancel } from './confirm';
import { CommandError, EXIT } from './exit';
import { unpricedModels } from './render/plan';

/** What a person has said beforehand. */
export interface LaunchFlags {
  readonly yes?: boolean;
  /** Commander's form of `--no-budget`. */
  readonly budget: boolean;
}

/** A paid lane needs a budget that can be kept, or the word that none is wanted. */
export function refuseUnboundedSpending(built: BuiltPlan, flags: LaunchFlags): void {
  const why = whyUnbounded(built, flags);
  if (why !== undefined) throw new CommandError(EXIT.usage, why);
}

/** `undefined` where a launch is bounded, or costs nothing. */
export function whyUnbounded(
  { plan, paidModels }: Pick<BuiltPlan, 'plan' | 'paidModels'>,
  flags: Pick<LaunchFlags, 'budget'>,
): string | undefined {
  if (paidModels.length === 0) return undefined;
  const names = paidModels.join(', ');
  if (plan.budget === undefined)
    return flags.budget
      ? `${names} ${paidModels.length === 1 ? 'costs' : 'cost'} money and the sweep has no budget: add budget.maxCostUsd to it, or pass --no-budget`
      : undefined;
  const unknown = unpricedModels({ plan, paidModels });
  return unknown.length === 0
    ? undefined
    : `the price of ${unknown.join(', ')} is unknown, so the budget cannot be kept: state it in providers.yaml`;
}

/** After an update of the code: runs would be made with the old one. */
export async function warnOfOtherCode(
  { dataDir }: Pick<Settings, 'dataDir'>,
  say: (line: string) => void,
): Promise<void> {
  const { runsOtherCode } = await import('../workers/worker-code.js');
  if (await runsOtherCode(dataDir))
    say(
      `warning: the worker of ${dataDir} runs other code than this checkout: ${ownCommand()} up restarts it ` +
        'with this one, and loses nothing',
    );
}

/**
 * Throws `CommandError` where the answer is no, or nobody can be asked.
 *
 * @param isOpen whether a launch of the sweep is open; asked only where that matters
 */
export async function askFirst(
  built: BuiltPlan,
  flags: LaunchFlags,
  isOpen: () => Promise<boolean>,
  say: (line: string) => void,
): Promise<void> {
  const { plan, counts, paidModels } = built;
  const ended = counts.dropped > 0 && (await isOpen()) ? counts.dropped : 0;
  if (ended > 0)
    say(
      `warning: sweep ${plan.sweep} is open with another plan, of which ${plural(ended, 'unfinished run')} ` +
        `${ended === 1 ? 'is' : 'are'} no part of this one: this launch takes its place and ends them. ` +
        'Where another sweep is meant, give this one another name',
    );
  if (flags.yes === true) return;
  if (!process.stdin.isTTY) {
    const effects = [
      ...(paidModels.length > 0 ? [`costs money (${paidModels.join(', ')})`] : []),
      ...(counts.orphaned > 0
        ? [`no longer counts ${plural(counts.orphaned, 'scored run')} of the previous revision`]
        : []),
      ...(ended > 0 ? [`ends ${plural(ended, 'unfinished run')}`] : []),
    ];
    if (effects.length === 0) return;
    throw new CommandError(
      EXIT.usage,
      `this launch ${effects.join(', and ')}: pass --yes where nobody can be asked`,
    );
  }
  await confirmOrCancel(`run ${counts.toRun} and judge ${counts.toRun + counts.toJudge}?`);
}
