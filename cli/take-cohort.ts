import { userInfo } from 'node:os';
import { type SweepPlan } from '../core/sweep';
import { type ClientServices } from '../workers/client-services';
import { confirmOrCancel } from './confirm';
import { CommandError, EXIT } from './exit';
import { escapeText } from './render/escape';

export interface CohortFlags {
  readonly takeCohort?: boolean;
  readonly yes?: boolean;
}

/**
 * Two open sweeps must not run the same runs: throws where another one of the cohort is open. Every sweep is asked
 * again when it begins, since another one may begin at the same moment (`createCohortGate`); here nothing is started
 * or ended yet.
 */
export async function refuseHeldCohort(
  services: ClientServices,
  plan: SweepPlan,
  flags: CohortFlags = {},
): Promise<void> {
  const { otherHolder, releaseHolder } = await import('../workers/cohort-holder.js');
  const { heldMessage, isOnServer, openOnServer } = await import('../workers/cohort-gate.js');
  const { workflowIds } = await import('../core/ids.js');
  const { client, target } = await services.temporal();
  const { store, settings } = services;
  const { namespace } = target;
  const stack = settings.stackId;
  const own = { stack, namespace, workflowId: workflowIds.sweep(plan.sweep) };
  const isOpen = openOnServer(client, stack);
  const other = await otherHolder(store, plan.cohort, own, isOpen);
  if (other === undefined) return;
  const held = heldMessage(plan.cohort, other);
  if (isOnServer(client, stack, other)) throw new CommandError(EXIT.failed, held);
  if (flags.takeCohort !== true)
    throw new CommandError(
      EXIT.failed,
      `${held}. Nothing is known here of that stack; where it is gone for good, sweep run --take-cohort goes on with its runs`,
    );
  process.stderr.write(
    `startupbench: warning: ${escapeText(other.workflowId)} of stack ${escapeText(other.stack)} took cohort ` +
      `${plan.cohort} on ${escapeText(other.takenAt)}; where it still runs, the same runs are made and paid twice\n`,
  );
  if (flags.yes !== true) {
    if (!process.stdin.isTTY)
      throw new CommandError(EXIT.usage, '--take-cohort needs --yes where nobody can be asked');
    await confirmOrCancel(`is stack ${escapeText(other.stack)} gone for good?`);
  }
  const who = userInfo().username;
  await releaseHolder(store, plan.cohort, other, { why: 'given-up', who });
}

/** After a sweep's end: other stacks may go on with its cohort. A worker says it too, some time later. */
export async function releaseEndedCohort(services: ClientServices, cohort: string): Promise<void> {
  const { releaseIfEnded } = await import('../workers/cohort-gate.js');
  const { client } = await services.temporal();
  const { store, settings } = services;
  await releaseIfEnded({ client, store, stack: settings.stackId }, cohort).catch(() => undefined);
}
