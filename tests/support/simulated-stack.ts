import {
  type ProviderCounts,
  RealStack,
  type SimulatedSweep,
  writeSimulatedSweep,
} from './real-stack';

/** A stack whose simulated sweep has run once without disturbance: what every disturbed one must equal. */
export interface SimulatedStack {
  readonly stack: RealStack;
  /** The sweep file. */
  readonly file: string;
  readonly undisturbed: { readonly rows: readonly string[]; readonly counts: ProviderCounts };
}

/** @param reapAfter for how long the run of an attempt must be seen closed before the attempt is removed */
export async function startSimulatedStack(
  sweep: SimulatedSweep,
  reapAfter = '4s',
): Promise<SimulatedStack> {
  const stack = await RealStack.start([], { STARTUPBENCH_REAP_AFTER: reapAfter });
  try {
    const file = await writeSimulatedSweep(stack.folder, sweep);
    const { code, stderr } = await stack.run(
      ...['sweep', 'run', file, '--yes', '--cohort', 'undisturbed'],
    );
    if (code !== 0) throw new Error(stderr);
    const rows = await stack.tidyRows(sweep.sweep);
    return { stack, file, undisturbed: { rows, counts: await stack.calls() } };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
