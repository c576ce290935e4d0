import { NativeConnection } from '@temporalio/worker';
import { notReachable, type TemporalTarget } from './temporal-connection';

/** The worker side; tried for `patienceMs`, since worker and server may start together. */
export async function connectWorker(
  target: TemporalTarget,
  patienceMs = 60_000,
): Promise<NativeConnection> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await NativeConnection.connect({ address: target.address });
    } catch (error) {
      if (performance.now() >= deadline) throw notReachable(target, error);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
