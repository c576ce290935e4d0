import { Failure } from '../../core/failure';
import { type WatchedAttempt } from './execution-watch';

/**
 * An executor that was frozen and wakes up must not touch what its successor has taken over, or will. Which of two
 * Temporal still waits for, neither can tell: where the older one raised the epoch last, the newer one lets go too, and
 * since this failure is retried it takes the attempt up again. Nobody listens to the older one's.
 */
export async function letGoIfSuperseded({
  context,
  epoch,
  assertAwake,
}: Pick<WatchedAttempt, 'context' | 'epoch' | 'assertAwake'>): Promise<void> {
  assertAwake();
  if ((await context.state.epoch()) <= epoch) return;
  throw new Failure(
    'WorkerLost',
    `another executor has taken over attempt ${context.reference.attempt} of ${context.reference.run.runId}`,
  );
}
