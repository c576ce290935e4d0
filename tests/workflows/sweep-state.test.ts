import { type LaneProgress } from '../../workflows/messages';
import { SweepBoard } from '../../workflows/sweep-state';
import { DEFAULT_TIMINGS } from '../../core/limits';

function board(only?: string[]): SweepBoard {
  return new SweepBoard(
    { planKey: 'plan', ...(only && { only }) },
    {
      sweep: 's',
      cohort: 'c',
      laneIds: ['a@h', 'b@h'],
      taskIds: ['t'],
      repetitions: 9,
      plannedPerLane: 9,
      window: 4,
      budgetMicroUsd: 60,
      timings: DEFAULT_TIMINGS,
    },
  );
}

/** A lane whose runs reserve 20 each. */
function word(lane: string, changes: Partial<LaneProgress>): LaneProgress {
  return {
    lane,
    planned: 9,
    waiting: 9,
    running: 0,
    scored: 0,
    incomplete: 0,
    failed: 0,
    cancelled: 0,
    notSelected: 0,
    costMicroUsd: 0,
    reservationMicroUsd: 20,
    allotmentMicroUsd: 0,
    window: 4,
    ends: 0,
    ...changes,
  };
}

/** Both lanes have told that they can afford nothing, and were told of 30 each. */
function shared(): SweepBoard {
  const sweep = board();
  for (const lane of ['a@h', 'b@h']) sweep.digest(word(lane, { blockedBy: 'budget' }));
  expect(Object.fromEntries(sweep.newAllotments())).toEqual({ 'a@h': 30, 'b@h': 30 });
  return sweep;
}

const started = { allotmentMicroUsd: 30, running: 1, waiting: 8 };

describe('the state of a sweep', () => {
  it.each([
    ['Paused', 'running'],
    ['ProviderUnavailable', 'running'],
    ['ProviderAuth', 'blocked'],
  ] as const)('all of whose runs wait for %s is "%s"', (type, state) => {
    const sweep = board();
    const holding = { type, message: 'lunch', runs: 1, sinceMs: 0 };
    for (const lane of ['a@h', 'b@h']) sweep.digest(word(lane, { running: 1, holding }));
    expect(sweep.progress(2).state).toBe(state);
    sweep.pauses.pause('lunch', undefined);
    expect(sweep.progress(2).state).toBe('paused');
  });
});

describe('a run asked for again that the launch did not concern', () => {
  it('gives its lane a part of the launch, and of its budget', () => {
    const sweep = board(['a@h/t/r1']);
    sweep.digest(word('a@h', { waiting: 1, blockedBy: 'budget' }));
    expect(Object.fromEntries(sweep.newAllotments())).toEqual({ 'a@h': 60 });
    sweep.digest(word('a@h', { running: 1, waiting: 0, allotmentMicroUsd: 60 }));
    sweep.join('b@h/t/r2');
    expect(sweep.laneIds()).toEqual(['a@h', 'b@h']);
    expect(sweep.selected('b@h')).toEqual([{ taskIndex: 0, repetition: 2 }]);
    expect(sweep.concerned).toEqual({ only: ['a@h/t/r1', 'b@h/t/r2'] });
    sweep.digest(word('b@h', { waiting: 1, blockedBy: 'budget' }));
    expect(sweep.newAllotments()).toEqual(new Map());
    sweep.digest(word('a@h', { waiting: 0, costMicroUsd: 15, allotmentMicroUsd: 60 }));
    expect(Object.fromEntries(sweep.newAllotments())).toEqual({ 'a@h': 15, 'b@h': 20 });
  });

  it('changes nothing where the launch concerns every run', () => {
    const sweep = board();
    sweep.join('b@h/t/r2');
    expect(sweep.concerned).toEqual({});
    expect(sweep.selected('b@h')).toBeUndefined();
  });
});

const CARRIED = {
  ...{ breaker: { failuresInARow: 0 }, ends: 0, endsCostMicroUsd: 0 },
  ...{ unfinished: [], givenBack: {} },
};

describe('pauses', () => {
  it('of a lane stay with it while it is closed, until it is resumed', () => {
    const { pauses, carried } = board();
    pauses.carry('a@h', { ...CARRIED, pausedBecause: 'noise' });
    expect([pauses.of('a@h'), pauses.of('b@h')]).toEqual(['noise', undefined]);
    pauses.resume('a@h');
    expect(pauses.of('a@h')).toBeUndefined();
    expect(carried.get('a@h')).toEqual(CARRIED);
  });

  it('of all do not come back to a lane that was resumed by itself', () => {
    const { pauses } = board();
    pauses.pause('night', undefined);
    pauses.resume('a@h');
    expect([pauses.of('a@h'), pauses.of('b@h')]).toEqual([undefined, 'night']);
    pauses.pause('again', undefined);
    expect([pauses.of('a@h'), pauses.of('b@h')]).toEqual(['again', 'again']);
  });

  it('that could not be told to a lane that was closing are what it begins with', () => {
    const { pauses } = board();
    const closing = new Set(['a@h']);
    pauses.keep(['a@h'], undefined, closing);
    pauses.carry('a@h', { ...CARRIED, pausedBecause: 'noise' });
    expect(pauses.of('a@h')).toBeUndefined();
    pauses.keep(['a@h'], 'later', new Set());
    expect(pauses.of('a@h')).toBe('later');
    pauses.carry('a@h', CARRIED);
    expect(pauses.of('a@h')).toBeUndefined();
  });
});

describe('what a sweep goes on with in a new execution', () => {
  it('is not the word of a lane whose cost is unknown: it may know it then', () => {
    const sweep = board();
    sweep.digest(word('a@h', { costMicroUsd: undefined }));
    sweep.digest(word('b@h', {}));
    expect(sweep.knownLanes().map(({ lane }) => lane)).toEqual(['b@h']);
  });

  it('has a run that was left to it, though it has failed before', () => {
    const sweep = board();
    sweep.digest(word('a@h', { endedLane: 'done' }));
    const failed = (repetition: number) => ({ taskIndex: 0, repetition, state: 'failed' as const });
    sweep.pauses.carry('a@h', { ...CARRIED, unfinished: [failed(1), failed(2)] });
    sweep.leaveToNext({ laneId: 'a@h', planned: { taskIndex: 0, repetition: 1 } });
    expect(sweep.progress(0).lanes[0]).toMatchObject({ endedLane: 'drained' });
    expect(sweep.carried.get('a@h')?.unfinished).toEqual([failed(2)]);
  });
});

describe('the budget of a sweep', () => {
  it('is taken from no lane that has not answered yet: it may be starting a run', () => {
    const sweep = shared();
    sweep.digest(word('b@h', { ...started, blockedBy: 'budget' }));
    expect(sweep.newAllotments()).toEqual(new Map());
    sweep.digest(word('a@h', { ...started, blockedBy: 'budget' }));
    // 10 of each are left, and neither is idle.
    expect(sweep.newAllotments()).toEqual(new Map());
  });

  it('goes to another lane once its lane has answered that it can do nothing with it', () => {
    const sweep = shared();
    sweep.digest(word('b@h', { ...started, blockedBy: 'budget' }));
    sweep.digest(word('a@h', { allotmentMicroUsd: 30, waiting: 0 }));
    expect(Object.fromEntries(sweep.newAllotments())).toEqual({ 'a@h': 0, 'b@h': 60 });
    expect([sweep.allotmentOf('a@h'), sweep.allotmentOf('b@h')]).toEqual([0, 60]);
  });

  it('comes back from a lane that has ended, which answers nothing more', () => {
    const sweep = shared();
    sweep.digest(word('b@h', { ...started, blockedBy: 'budget' }));
    sweep.laneFailed('a@h', 'failed', 'its plan cannot be read');
    expect(Object.fromEntries(sweep.newAllotments())).toEqual({ 'a@h': 0, 'b@h': 60 });
  });

  it('stays with a lane whose cost has become unknown: it may have spent all of it', () => {
    const unknown = () => {
      const sweep = shared();
      sweep.digest(word('a@h', { ...started, costMicroUsd: undefined, blockedBy: 'budget' }));
      sweep.digest(word('b@h', { ...started, running: 0, costMicroUsd: 20, blockedBy: 'budget' }));
      return sweep;
    };
    const sweep = unknown();
    expect(sweep.hasUnknownShare).toBe(true);
    // 10 of 30 are left to the second lane, and a run needs 20.
    expect(Object.fromEntries(sweep.newAllotments())).toEqual({ 'b@h': 20 });
    expect(Object.fromEntries(unknown().newAllotments({ forgetsUnknown: true }))).toEqual({
      'b@h': 60,
    });
  });

  it('is short in the words of the whole budget, not of a share', () => {
    const sweep = shared();
    for (const lane of ['a@h', 'b@h'])
      sweep.digest(
        word(lane, { allotmentMicroUsd: 30, costMicroUsd: 25, blockedBy: 'budget', reason: 'own' }),
      );
    expect(sweep.progress(2)).toMatchObject({
      state: 'over-budget',
      reason: 'spent $0.0001 of $0.0001; a run of a@h reserves $0.0000',
    });
  });

  it('moves on old words in sweeps that began so, which replay', () => {
    const sweep = shared();
    sweep.digest(word('b@h', { ...started, blockedBy: 'budget' }));
    expect([...sweep.newAllotments({ trustsOldWords: true }).keys()]).toContain('a@h');
  });
});
