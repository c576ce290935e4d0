import { type LoadLaneResult } from '../../core/activity-contract';
import { type PlannedRun } from '../../core/sweep';
import { digestOf } from '../../workflows/lane-digests';
import { LaneState } from '../../workflows/lane-state';
import { type LaneInput, type RunEnd } from '../../workflows/messages';

const RUN = { taskIndex: 0, repetition: 1 };
const NOTHING: Pick<RunEnd, 'units' | 'costMicroUsd'> = { units: [], costMicroUsd: 0 };

function lane(
  only?: PlannedRun[],
  counts: Partial<LoadLaneResult> = {},
  changes: Partial<LaneInput> = {},
): LaneState {
  const loaded: Partial<LoadLaneResult> = { planned: 1, remaining: [RUN], window: 1, ...counts };
  const common = { sweep: 's', planKey: 'k', laneId: 'a@h', budgeted: false };
  const input = { ...common, ...(only && { only }), ...changes };
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

const END = { units: [], costMicroUsd: 0 };

describe('a run asked for again while it is open', () => {
  it.each([
    [false, 'scored', 1],
    [false, 'failed', 1],
    [true, 'scored', 0],
    [true, 'failed', 1],
  ] as const)(
    '(of the same generation: %s) that ends %s waits again: %i',
    (isSame, end, waiting) => {
      const state = lane();
      state.started(RUN);
      state.rerun(RUN, isSame);
      state.ended(RUN, { ...END, state: end }, 0);
      expect(state.progress(0)).toMatchObject({ waiting });
    },
  );

  it('does not start again when it is cancelled after that', () => {
    const state = lane();
    state.started(RUN);
    state.rerun(RUN);
    expect(state.startsAgain(RUN)).toBe(true);
    state.forgetRerun(RUN);
    state.ended(RUN, { ...END, state: 'cancelled' }, 0);
    expect(state.progress(0)).toMatchObject({ waiting: 0, cancelled: 1 });
  });
});

describe('the counts of a lane', () => {
  const [second, third] = [
    { taskIndex: 0, repetition: 2 },
    { taskIndex: 0, repetition: 3 },
  ];

  it('tell a run that was not selected from one that has its score', () => {
    // Of three runs the third has a score, and the first is what was asked for.
    const state = lane([RUN], { planned: 3, remaining: [RUN, second] });
    expect(state.progress(0)).toMatchObject({ waiting: 1, scored: 1, notSelected: 1 });
    state.rerun(second);
    expect(state.progress(0)).toMatchObject({ waiting: 2, scored: 1, notSelected: 0 });
    state.rerun(third);
    expect(state.progress(0)).toMatchObject({ waiting: 3, scored: 0, notSelected: 0 });
  });

  it('have a run once that was cancelled when its score was written already', () => {
    const carried = {
      ...lane().carry(),
      unfinished: [{ ...RUN, state: 'cancelled' as const }],
    };
    const state = lane(undefined, { planned: 2, remaining: [second] }, { carried });
    expect(state.progress(0)).toMatchObject({ waiting: 1, scored: 1, cancelled: 0 });
  });
});

it('counts what a cancelled run has told of its cost once, when it has ended', () => {
  const state = lane();
  state.started(RUN);
  state.costsUntilCancelled(RUN, 50);
  expect(state.progress(0).costMicroUsd).toBe(0);
  state.ended(RUN, { ...END, state: 'cancelled' }, 0);
  expect(state.progress(0).costMicroUsd).toBe(50);
  state.rerun(RUN);
  state.started(RUN);
  state.costsUntilCancelled(RUN, undefined);
  state.ended(RUN, { ...END, state: 'cancelled' }, 0);
  expect(state.progress(0).costMicroUsd).toBeUndefined();
});

it('is not blocked in the eyes of its sweep while it is about to start a run', () => {
  const second = { taskIndex: 0, repetition: 2 };
  const counts = { planned: 2, remaining: [RUN, second], window: 2, reserveMicroUsd: 20 };
  const state = lane(undefined, counts, { budgeted: true });
  expect(digestOf(state, 0)).toMatchObject({ blockedBy: 'budget', allotmentMicroUsd: 0 });
  // Enough for one of two.
  state.allot(30);
  expect(digestOf(state, 0)).toMatchObject({ allotmentMicroUsd: 30, waiting: 2, running: 0 });
  expect(digestOf(state, 0).blockedBy).toBeUndefined();
  state.started(RUN);
  expect(digestOf(state, 0)).toMatchObject({ blockedBy: 'budget', waiting: 1, running: 1 });
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
