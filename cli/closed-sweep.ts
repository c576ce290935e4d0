import { ownCommand } from '../config/own-command';
import { plural } from '../core/plural';
import { type SweepPlan } from '../core/sweep';
import { type ClientServices } from '../workers/client-services';
import { type SweepStatus } from '../workers/sweep-progress';
import { type SweepExecution } from '../workers/sweep-control';
import { CommandError, EXIT } from './exit';

/** The refusal of a command that only an open sweep can take: how the sweep ended, and what starts the rest. */
export async function refusedAsClosed(
  { store }: Pick<ClientServices, 'store'>,
  { plan, planKey }: { readonly plan: SweepPlan; readonly planKey: string },
  execution: Pick<SweepExecution, 'status'> | undefined,
): Promise<CommandError> {
  const { closedStatus } = await import('../workers/sweep-progress.js');
  const word = execution?.status.toLowerCase() ?? 'not open';
  return new CommandError(EXIT.usage, refusalOf(await closedStatus(store, plan, planKey, word)));
}

/** How a closed sweep ended, and what starts the rest. */
export function refusalOf({
  sweep,
  state,
  lanes,
}: Pick<SweepStatus, 'sweep' | 'state' | 'lanes'>): string {
  const total = (field: 'planned' | 'scored') => lanes.reduce((sum, lane) => sum + lane[field], 0);
  return closedRefusal(sweep, state, total('planned') - total('scored'));
}

/** @param left planned runs without a score */
export function closedRefusal(sweep: string, state: string, left: number): string {
  if (state === 'done' || left === 0)
    return `sweep ${sweep} is done: every planned run is scored, and nothing of it is open`;
  const ended = state === 'not open' ? 'is not open' : `is not open (${state})`;
  return (
    `sweep ${sweep} ${ended}; ${plural(left, 'run')} ${left === 1 ? 'has' : 'have'} no score: ` +
    `${ownCommand()} sweep run FILE says what they cost, asks, and starts them`
  );
}
