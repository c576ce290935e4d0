import { type LoadLaneResult } from '../../core/activity-contract';
import { type PlannedRun } from '../../core/sweep';
import { LaneState } from '../../workflows/lane-state';
import { type RunEnd } from '../../workflows/messages';

const RUN = { taskIndex: 0, repetition: 1 };
const NOTHING: Pick<RunEnd, 'units' | 'costMicroUsd'> = { units: [], costMicroUsd: 0 };

function lane(only?: PlannedRun[]): LaneState {
  const loaded: Partial<LoadLaneResult> = { planned: 1, remaining: [RUN], window: 1 };
  const input = { sweep: 's', planKey: 'k', laneId: 'a@h', budgeted: false, ...(only && { only }) };
  return new LaneState(input, { taskIds: ['t'], spentMicroUsd: 0, ...loaded } as LoadLaneResult);
}

it('goes on in a new execution with all it was started for, and all it was asked for since', () => {
  const other = { taskIndex: 0, repetition: 2 };
  const all = lane();
  all.rerun(other);
  expect(all.selected).toEqual({});
  const some = lane([RUN]);
  some.rerun(RUN);
  some.rerun(other);
  expect(some.selected).toEqual({ only: [RUN, other] });
});

it('says what last kept a run from a score, until it has one', () => {
  const state = lane();
  state.started(RUN);
  const failure = { type: 'RenderUnavailable', message: 'x'.repeat(400) } as const;
  state.ended(RUN, { ...NOTHING, state: 'incomplete', failure }, 0);
  expect(state.progress(0)).toMatchObject({
    incomplete: 1,
    lastFailure: `RenderUnavailable: ${'x'.repeat(281)}`,
  });
  state.rerun(RUN);
  state.started(RUN);
  state.ended(RUN, { ...NOTHING, state: 'scored' }, 1);
  expect(state.progress(1)).toMatchObject({ scored: 1, incomplete: 0 });
  expect(state.progress(1).lastFailure).toBeUndefined();
});
