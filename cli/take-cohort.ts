import { type Client } from '@temporalio/client';
import { type SweepPlan } from '../core/sweep';
import { type ClientServices } from '../workers/client-services';
import { CommandError, EXIT } from './exit';

/** Two open sweeps must not run the same runs: throws where another one of the cohort is open. */
export async function takeCohortOrFail(
  services: ClientServices,
  plan: SweepPlan,
  client: Client,
  namespace: string,
): Promise<void> {
  const { takeCohort } = await import('../workers/cohort-holder.js');
  const { findById } = await import('../workers/sweep-control.js');
  const { workflowIds } = await import('../core/ids.js');
  const stack = services.settings.stackId;
  const holder = { stack, namespace, workflowId: workflowIds.sweep(plan.sweep) };
  const taken = await takeCohort(services.store, plan.cohort, holder, async (other) => {
    // What another stack's server says cannot be known from here.
    if (other.stack !== stack || other.namespace !== namespace) return true;
    return (await findById(client, other.workflowId))?.isOpen ?? false;
  });
  if (!taken.taken)
    throw new CommandError(
      EXIT.failed,
      `cohort ${plan.cohort} is being run by ${taken.heldBy.workflowId} on stack ${taken.heldBy.stack}: ` +
        'wait for it, cancel it, or give this sweep another cohort',
    );
}
