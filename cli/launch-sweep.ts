import { type Client } from '@temporalio/client';
import { ownCommand } from '../config/own-command';
import { type BuiltPlan } from '../workers/build-plan';
import { type ClientServices } from '../workers/client-services';
import { type Attached, type SweepExecution } from '../workers/sweep-control';
import { CommandError, EXIT } from './exit';

type Launched = Pick<BuiltPlan, 'plan' | 'planKey'>;

/** Each round ends another launch's execution, which no launch starts twice; more than launch at one moment. */
const ROUNDS = 20;

/**
 * Attaches to the open sweep of this very plan and code, or starts it. An open sweep of an older plan or of other code
 * ends first; its sandboxes run on and are adopted. Of launches at one moment the one with the newest plan stays, and
 * the others end here with a `CommandError` that says so.
 */
export async function attachOrReplace(
  services: ClientServices,
  built: Launched,
  say: (line: string) => void,
): Promise<Attached> {
  const { client } = await services.temporal();
  const { attachOrStart } = await import('../workers/sweep-control.js');
  const { plan, planKey } = built;
  const stack = services.settings.stackId;
  for (let round = 1; round <= ROUNDS; round++) {
    await makeWay(client, built, say);
    const attached = await attachOrStart({ client, stack, plan, planKey });
    if ((await whyStartAgain(attached.execution, planKey)) === undefined) return attached;
  }
  throw new CommandError(
    EXIT.failed,
    `other launches of sweep ${plan.sweep} take its place again and again: run it when they have ended`,
  );
}

async function makeWay(
  client: Client,
  built: Launched,
  say: (line: string) => void,
): Promise<void> {
  const { findExecution } = await import('../workers/sweep-control.js');
  const { endWithoutCancelling } = await import('../workers/end-sweep.js');
  const { readProgress } = await import('../workers/sweep-progress.js');
  const { heldBy } = await import('../workers/held-sweep.js');
  const { sweep } = built.plan;
  const open = await findExecution(client, sweep);
  if (open?.isOpen !== true) return;
  const why = await whyStartAgain(open, built.planKey);
  if (why === undefined) return;
  if (isNewer(open, built))
    throw new CommandError(
      EXIT.detached,
      `sweep ${sweep} was launched with another plan meanwhile, and that launch goes on: look with ` +
        `${ownCommand()} sweep status ${sweep}, or run this command again to take its place`,
    );
  const progress = await readProgress(client, sweep).catch(() => undefined);
  const held = progress && heldBy(progress);
  const paused =
    held?.by === 'pause' ? `, and paused${inBrackets(held.reason)}: this ends too` : '';
  say(
    `sweep ${sweep} is open with ${why}${paused}: it starts again from the store, sandboxes run on`,
  );
  await endWithoutCancelling(client, sweep, open.firstRunId);
}

/** Why an open execution cannot do what is asked; `undefined` where it does that. */
export async function whyStartAgain(
  open: Pick<SweepExecution, 'planKey' | 'build' | 'isPart'>,
  planKey: string,
): Promise<string | undefined> {
  const { workflowBuildId } = await import('../workers/build-id.js');
  if (open.planKey !== planKey) return 'another plan';
  if (open.build !== workflowBuildId()) return 'other code';
  return open.isPart ? 'single runs only' : undefined;
}

export function inBrackets(reason: string | undefined): string {
  return reason === undefined ? '' : ` (${reason})`;
}

function isNewer(execution: SweepExecution, { plan }: Launched): boolean {
  return Number(/\/plan-(\d+)\.json$/u.exec(execution.planKey ?? '')?.[1] ?? 0) > plan.revision;
}
