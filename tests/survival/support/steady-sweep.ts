import { steadyAgent } from '../../support/recorded-sweep';
import { type SweepOutcome, SteadyStack } from './steady-stack';

/** A stack with real sandboxes, and what two steady agents and their judges leave when nobody disturbs them. */
export interface SteadySweep {
  readonly steady: SteadyStack;
  readonly undisturbed: SweepOutcome;
}

/** Two runs, of `task-1` and `task-2`: `steps` replies and the one that says that it is finished; `items` to judge. */
export async function startSteadySweep(steps: number, items: number): Promise<SteadySweep> {
  const steady = await SteadyStack.start({
    sweep: 'steady',
    agents: { 'task-1': steadyAgent(steps, 0.05), 'task-2': steadyAgent(steps, 0.05) },
    harness: 'minimal',
    items,
  });
  try {
    await steady.finish('undisturbed');
    return { steady, undisturbed: await steady.outcome() };
  } catch (error) {
    await steady.stop();
    throw error;
  }
}
