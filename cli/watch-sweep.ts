import { ownCommand } from '../config/own-command';
import { resultProvider, type SweepPlan } from '../core/sweep';
import { type ClientServices } from '../workers/client-services';
import { type SweepHandle } from '../workers/sweep-control';
import { type SweepStatus } from '../workers/sweep-progress';
import { type SweepProgress } from '../workflows/messages';
import { CommandError, EXIT, type ExitCode } from './exit';
import { type FollowEnd } from './follow';
import { escapeText } from './render/escape';
import { failureLines } from './render/failures';
import { lanesMark } from './render/marks';

/** An open sweep that a command follows. */
export interface Watched {
  readonly services: ClientServices;
  readonly plan: SweepPlan;
  readonly handle: SweepHandle;
}

/** Says where the Temporal UI shows it. */
export async function sayWhere({ services, handle }: Watched): Promise<void> {
  const { target } = await services.temporal();
  if (target.uiUrl !== undefined)
    say(
      `watch it at ${target.uiUrl}/namespaces/${target.namespace}/workflows/${encodeURIComponent(handle.workflowId)}`,
    );
}

/** Until the sweep ends, gets stuck, or the signal is aborted. Changes nothing. */
export async function watchSweep(watched: Watched, signal: AbortSignal): Promise<FollowEnd> {
  const { services, plan, handle } = watched;
  const { sweep } = plan;
  const { client } = await services.temporal();
  const { findExecution } = await import('../workers/sweep-control.js');
  const { followSweep } = await import('./follow.js');
  const startedAt = (await findExecution(client, sweep))?.startedAt ?? new Date();
  const mark = markOf(plan);
  return followSweep({ client, sweep, handle, startedAt, output: process.stderr, mark, signal });
}

/**
 * The command's last words and its code.
 *
 * @param print puts the sweep's status on standard output
 */
export async function endWatching(
  { services, plan }: Pick<Watched, 'services' | 'plan'>,
  end: FollowEnd,
  print: (status: SweepStatus) => void,
): Promise<void> {
  const { sweep } = plan;
  const { sweepStatus } = await import('../workers/find-sweep.js');
  const status = async () => sweepStatus(services.store, sweep, (await services.temporal()).client);
  switch (end.kind) {
    case 'closed':
      print(await status());
      closed(sweep, end.progress, markOf(plan));
      return;
    case 'stuck':
      print(await status());
      stuck(sweep, end.progress);
      return;
    case 'detached':
      throw new CommandError(
        EXIT.detached,
        `detached: sweep ${sweep} goes on without this command. Look: ${ownCommand()} sweep status ${sweep}. ` +
          `End it: ${ownCommand()} sweep cancel ${sweep}`,
      );
    case 'cancelled':
      throw new CommandError(EXIT.detached, `sweep ${sweep} was cancelled; finished runs are kept`);
    case 'terminated':
      throw new CommandError(
        EXIT.detached,
        `this execution of sweep ${sweep} was ended by another launch or by an operator; finished runs are kept`,
      );
    case 'failed':
      throw new CommandError(EXIT.failed, `sweep ${sweep} failed: ${escapeText(end.message)}`);
  }
}

function closed(sweep: string, progress: SweepProgress, mark: string): void {
  const total = (field: 'scored' | 'incomplete' | 'failed' | 'cancelled' | 'planned') =>
    progress.lanes.reduce((sum, lane) => sum + lane[field], 0);
  const counts = `${total('scored')} scored, ${total('incomplete')} incomplete, ${total('failed')} failed, ${total('cancelled')} cancelled of ${total('planned')}`;
  for (const lane of progress.lanes)
    if (lane.endedLane === 'failed')
      say(`lane ${lane.lane} failed: ${lane.reason ?? 'no reason given'}`);
  failureLines(progress.lanes).forEach(say);
  if (total('scored') < total('planned'))
    throw new CommandError(
      EXIT.incomplete,
      `sweep ${sweep} ended incomplete: ${counts}${mark}. Launched again, it does the rest`,
    );
  say(`sweep ${sweep} is done: ${counts}${mark}. Tables: ${ownCommand()} report ${sweep}`);
}

function stuck(sweep: string, progress: SweepProgress): void {
  const code: ExitCode = progress.state === 'over-budget' ? EXIT.overBudget : EXIT.incomplete;
  const help =
    progress.state === 'over-budget'
      ? `raise it with: ${ownCommand()} sweep budget ${sweep} USD`
      : `go on with: ${ownCommand()} sweep resume ${sweep}`;
  const reason = progress.reason === undefined ? '' : ` (${escapeText(progress.reason)})`;
  throw new CommandError(
    code,
    `sweep ${sweep} is ${progress.state}${reason} and waits; finished runs are kept; ${help}`,
  );
}

/** Says that no model gave the results, where that is so. */
export function markOf(plan: SweepPlan): string {
  return lanesMark(plan.lanes.map(resultProvider));
}

export function say(line: string): void {
  process.stderr.write(`startupbench: ${escapeText(line)}\n`);
}
