import { type SweepProgress } from '../workflows/messages';

/** What keeps an open sweep from going on: a person's word, or trouble that its lanes wait for. */
export type Held =
  | { readonly by: 'pause'; readonly reason: string | undefined }
  | { readonly by: 'trouble'; readonly reason: string | undefined };

/**
 * Looks at all lanes, or at `laneId` alone. `undefined` where nothing is seen to be held; a lane that was paused by
 * itself while as many of its runs are open as its window allows looks like that too.
 */
export function heldBy(progress: SweepProgress, laneId?: string): Held | undefined {
  const lanes = progress.lanes.filter(({ lane }) => laneId === undefined || lane === laneId);
  const paused = lanes.find(({ blockedBy }) => blockedBy === 'paused');
  if (progress.state === 'paused' || paused !== undefined)
    return { by: 'pause', reason: paused?.reason ?? progress.reason };
  // Runs that have not noticed the end of a pause yet go on by themselves.
  const troubled = lanes.find(
    ({ blockedBy, holding }) =>
      blockedBy === 'breaker' || (holding !== undefined && holding.type !== 'Paused'),
  );
  if (progress.state === 'blocked' || troubled !== undefined)
    return { by: 'trouble', reason: troubled?.reason ?? progress.reason };
  return undefined;
}
