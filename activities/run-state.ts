import { createHash } from 'node:crypto';
import { Failure } from '../core/failure';
import { judgeDigest, runId, runKey, storeKeys } from '../core/ids';
import { type AttemptRecord } from '../core/run';
import { type PlannedLane, type PlannedRun, type SweepPlan } from '../core/sweep';
import { type PlannedTask } from '../core/task';
import { readJson } from './read-json';
import { type ObjectStore } from './store/port';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A planned run with its identity. */
export interface IdentifiedRun {
  readonly runId: string;
  readonly runKey: string;
  readonly lane: PlannedLane;
  readonly task: PlannedTask;
  readonly repetition: number;
}

/** What one launch has to know of a run: the newest generation that was asked for, and how far it is. */
export interface LaunchState {
  readonly generation: number;
  readonly state: 'scored' | 'delivered' | 'new';
}

/** Throws `Failure('InvalidInput')` when the plan has no such lane or task. */
export function identifyRun(plan: SweepPlan, laneId: string, position: PlannedRun): IdentifiedRun {
  const lane = plan.lanes.find((candidate) => candidate.id === laneId);
  if (lane === undefined)
    throw new Failure('InvalidInput', `sweep ${plan.sweep} has no lane ${laneId}`);
  const task = plan.tasks[position.taskIndex];
  const { repetition } = position;
  if (task === undefined || repetition < 1 || repetition > plan.repetitions)
    throw new Failure(
      'InvalidInput',
      `sweep ${plan.sweep} plans no task number ${position.taskIndex}, repetition ${repetition}`,
    );
  return {
    runId: runId(lane.id, task.id, repetition),
    runKey: runKey(plan, lane, task, repetition, sha256),
    lane,
    task,
    repetition,
  };
}

/** Reads where runs stand under one plan, from the store alone. */
export class RunStates {
  private readonly judge: string;

  constructor(
    private readonly store: ObjectStore,
    plan: Pick<SweepPlan, 'judge'>,
  ) {
    this.judge = judgeDigest(plan.judge, sha256);
  }

  scoreKey(run: IdentifiedRun, generation: number): string {
    return storeKeys.score(run.runKey, generation, run.task.rubric.sha256, this.judge);
  }

  /** Generations that have a score under this plan's rubric and judge, newest first. */
  async scoredGenerations(run: IdentifiedRun): Promise<number[]> {
    const generations: number[] = [];
    const prefix = `sealed/scores/${run.runKey}/`;
    for await (const key of this.store.list(prefix)) {
      const generation = Number(/^g(\d+)\//u.exec(key.slice(prefix.length))?.[1]);
      if (generation > 0 && key === this.scoreKey(run, generation)) generations.push(generation);
    }
    return generations.sort((left, right) => right - left);
  }

  /** The newest generation that was asked for; at least 1. */
  async newestGeneration(run: IdentifiedRun, atLeast = 1): Promise<number> {
    let generation = atLeast;
    while (await this.store.hasRecord(storeKeys.request(run.runKey, generation + 1)))
      generation += 1;
    return generation;
  }

  async launchState(run: IdentifiedRun): Promise<LaunchState> {
    const [scored = 0] = await this.scoredGenerations(run);
    const generation = await this.newestGeneration(run, Math.max(1, scored));
    if (generation === scored) return { generation, state: 'scored' };
    // What was made elsewhere lies in the store before its run begins.
    const delivered =
      run.lane.model.submission !== undefined ||
      (await this.store.hasRecord(storeKeys.result(run.runKey, generation)));
    return { generation, state: delivered ? 'delivered' : 'new' };
  }

  /** Attempts of a generation by number; `undefined` for one that was claimed and has no end yet. */
  async attempts(
    run: IdentifiedRun,
    generation: number,
  ): Promise<Map<number, AttemptRecord | undefined>> {
    const prefix = `${storeKeys.generation(run.runKey, generation)}/attempts/`;
    const numbers = new Set<number>();
    for await (const key of this.store.list(prefix)) {
      const number = Number(key.slice(prefix.length).split('/')[0]);
      if (number > 0) numbers.add(number);
    }
    const ordered = [...numbers].sort((left, right) => left - right);
    const records = await Promise.all(
      ordered.map((number) =>
        readJson<AttemptRecord>(
          this.store,
          storeKeys.attempt(run.runKey, generation, number, 'attempt.json'),
        ),
      ),
    );
    return new Map(ordered.map((number, index) => [number, records[index]]));
  }

  /** The host that has claimed the newest of these attempts which has no end. */
  async claimingHost(
    run: IdentifiedRun,
    generation: number,
    attempts: ReadonlyMap<number, AttemptRecord | undefined>,
  ): Promise<string | undefined> {
    const open = [...attempts].findLast(([, record]) => record === undefined);
    if (open === undefined) return undefined;
    const key = storeKeys.attempt(run.runKey, generation, open[0], 'claim.json');
    return (await readJson<{ readonly hostId: string }>(this.store, key))?.hostId;
  }
}
