import { type LaneProgress } from '../../workflows/messages';

/** What last kept runs from a score, a line a lane. */
export function failureLines(
  lanes: readonly Pick<LaneProgress, 'lane' | 'lastFailure'>[],
): string[] {
  return lanes.flatMap(({ lane, lastFailure }) =>
    lastFailure === undefined ? [] : [`last failure of ${lane}: ${lastFailure}`],
  );
}
