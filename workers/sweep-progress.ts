import { type Client, WorkflowClient } from '@temporalio/client';
import { workflowIds } from '../core/ids';
import { addCost, type MicroUsd } from '../core/money';
import { RUN_STAGES, type RunStage } from '../core/run';
import { type PlannedRun, resultProvider, type SweepPlan } from '../core/sweep';
import { identifyRun, RunStates } from '../activities/run-state';
import { createPlanCache } from '../activities/plan-cache';
import { mapConcurrently } from '../activities/read-json';
import { type ObjectStore } from '../activities/store/port';
import { budgetOf } from '../activities/sweep-budget';
import { SweepService } from '../activities/sweep-activities';
import {
  laneProgressQuery,
  searchAttributeKeys,
  sweepProgressQuery,
  type LaneProgress,
  type SweepProgress,
} from '../workflows/messages';

/** Where a sweep stands; the shape of `sweep status --json`, with more fields for people. */
export interface SweepStatus {
  readonly sweep: string;
  /** Under which its results are shared; the sweep's own name unless the file or `--cohort` gave another. */
  readonly cohort: string;
  /**
   * A `SweepState` while it is open. Otherwise `done` when every planned run is scored, `incomplete` when it ended
   * with less, else Temporal's word in lower case, `not open` where Temporal knows nothing, or `unknown` where
   * nobody can be asked.
   */
  readonly state: string;
  readonly reason?: string;
  readonly lanes: readonly LaneStatus[];
  readonly costMicroUsd: MicroUsd | undefined;
  readonly budgetMicroUsd: MicroUsd | undefined;
  /** `undefined` before anything has ended, or when nothing runs. */
  readonly etaSeconds: number | undefined;
}

export interface LaneStatus extends LaneProgress {
  /** A `ResultProvider`: what no model gave here is marked wherever it is shown. */
  readonly provider: string;
  readonly byStage: Readonly<Record<RunStage, number>>;
}

const READS_AT_ONCE = 32;
/** The first ends say little: they waited for images, caches and the judge's first session. */
const ENDS_FOR_ETA = 3;

/** Asks the open sweep, its open lanes, and the list of its running runs. */
export async function readProgress(client: Client, sweep: string): Promise<SweepProgress> {
  const known = await client.workflow.getHandle(workflowIds.sweep(sweep)).query(sweepProgressQuery);
  const openLanes = onlyOpen(client);
  const lanes = await mapConcurrently(known.lanes, READS_AT_ONCE, async (lane) => {
    if (lane.endedLane !== undefined) return lane;
    const handle = openLanes.getHandle(workflowIds.lane(sweep, lane.lane));
    // A lane that is not open yet, or just closed: the sweep's own picture.
    return handle.query(laneProgressQuery).catch(() => lane);
  });
  const costMicroUsd = lanes.map((lane) => lane.costMicroUsd).reduce(addCost, 0);
  return { ...known, lanes, costMicroUsd };
}

/** Closed workflows answer queries too: a lane that has not begun would be shown as its last launch left it. */
function onlyOpen({ connection, options }: Client): WorkflowClient {
  const { namespace } = options;
  return new WorkflowClient({ connection, namespace, queryRejectCondition: 'NOT_OPEN' });
}

export async function openStatus(
  client: Client,
  stored: StoredPlan,
  startedAt: Date,
  now: Date,
): Promise<SweepStatus> {
  const { plan } = stored;
  const [progress, stages] = await Promise.all([
    readProgress(client, plan.sweep),
    stagesByLane(client, plan.sweep),
  ]);
  const providers = new Map(plan.lanes.map((lane) => [lane.id, resultProvider(lane)]));
  const known = await withLanesAside(progress.lanes, stored);
  return {
    ...progress,
    cohort: plan.cohort,
    lanes: known.map((lane) => ({
      ...lane,
      provider: providers.get(lane.lane) ?? 'unknown',
      byStage: stageCounts(stages.get(lane.lane)),
    })),
    costMicroUsd: known.map((lane) => lane.costMicroUsd).reduce(addCost, 0),
    etaSeconds: etaSeconds(progress, startedAt, now),
  };
}

/** A plan in its store. */
export interface StoredPlan {
  readonly store: ObjectStore;
  readonly plan: SweepPlan;
  readonly planKey: string;
}

/** Of lanes that a launch of single runs leaves alone Temporal knows nothing: the store does. */
async function withLanesAside(
  lanes: readonly LaneProgress[],
  { store, plan, planKey }: StoredPlan,
): Promise<readonly LaneProgress[]> {
  const isAside = (lane: LaneProgress) => lane.planned > 0 && lane.notSelected === lane.planned;
  if (!lanes.some(isAside)) return lanes;
  const stored = (await closedStatus(store, plan, planKey, '')).lanes;
  return lanes.map((lane) => {
    const found = stored.find((other) => isAside(lane) && other.lane === lane.lane);
    if (found === undefined) return lane;
    const { provider: _provider, byStage: _byStage, waiting, ...counts } = found;
    return { ...counts, waiting: 0, notSelected: waiting };
  });
}

/** Where a sweep stands that is not open: from the store alone. */
export async function closedStatus(
  store: ObjectStore,
  plan: SweepPlan,
  planKey: string,
  state: string,
): Promise<SweepStatus> {
  const plans = createPlanCache(store);
  const service = new SweepService({ store, plans });
  const lanes = await Promise.all(
    plan.lanes.map(async (lane): Promise<LaneStatus> => {
      const { id } = lane;
      const loaded = await service.loadLane({ planKey, laneId: id });
      const unfinished = await unfinishedCounts(store, plan, id, loaded.remaining);
      return {
        lane: id,
        provider: resultProvider(lane),
        planned: loaded.planned,
        running: 0,
        scored: loaded.scored,
        ...unfinished,
        cancelled: 0,
        notSelected: 0,
        costMicroUsd: loaded.spentMicroUsd,
        window: loaded.window,
        ends: 0,
        byStage: stageCounts(undefined),
      };
    }),
  );
  return {
    sweep: plan.sweep,
    cohort: plan.cohort,
    state: endState(state, lanes),
    lanes,
    costMicroUsd: lanes.map((lane) => lane.costMicroUsd).reduce(addCost, 0),
    budgetMicroUsd: await budgetOf(store, plan),
    etaSeconds: undefined,
  };
}

/** A sweep that Temporal calls completed may have failed and incomplete runs. */
function endState(state: string, lanes: readonly LaneStatus[]): string {
  if (lanes.every((lane) => lane.scored === lane.planned)) return 'done';
  return state === 'completed' ? 'incomplete' : state;
}

/** Delivered without a score is incomplete; only lost attempts is failed; all else has not begun. */
async function unfinishedCounts(
  store: ObjectStore,
  plan: SweepPlan,
  laneId: string,
  remaining: readonly PlannedRun[],
): Promise<Pick<LaneStatus, 'waiting' | 'incomplete' | 'failed'>> {
  const states = new RunStates(store, plan);
  const kinds = await mapConcurrently(remaining, READS_AT_ONCE, async (position) => {
    const run = identifyRun(plan, laneId, position);
    const { generation, state } = await states.launchState(run);
    if (state === 'delivered') return 'incomplete';
    const attempts = [...(await states.attempts(run, generation)).values()];
    return attempts.length > 0 && attempts.every((attempt) => attempt?.outcome === 'lost')
      ? 'failed'
      : 'waiting';
  });
  const count = (kind: string) => kinds.filter((each) => each === kind).length;
  return { waiting: count('waiting'), incomplete: count('incomplete'), failed: count('failed') };
}

/** One List call: the stage of every running run. */
async function stagesByLane(client: Client, sweep: string): Promise<Map<string, RunStage[]>> {
  const stages = new Map<string, RunStage[]>();
  const query = `EvalSweep = '${sweep}' AND WorkflowType = 'run' AND ExecutionStatus = 'Running'`;
  for await (const { typedSearchAttributes } of client.workflow.list({ query })) {
    const model = typedSearchAttributes.get(searchAttributeKeys.model) ?? '';
    const harness = typedSearchAttributes.get(searchAttributeKeys.harness) ?? '';
    const named = typedSearchAttributes.get(searchAttributeKeys.stage);
    const stage = RUN_STAGES.find((known) => known === named) ?? 'waiting';
    const lane = `${model}@${harness}`;
    stages.set(lane, [...(stages.get(lane) ?? []), stage]);
  }
  return stages;
}

function stageCounts(stages: readonly RunStage[] | undefined): Record<RunStage, number> {
  const counts: Record<RunStage, number> = { waiting: 0, agent: 0, judging: 0, done: 0 };
  for (const stage of stages ?? []) counts[stage]++;
  return counts;
}

/** Runs left over runs that ended in this launch, times the time it took. */
export function etaSeconds(
  progress: SweepProgress,
  startedAt: Date,
  now: Date,
): number | undefined {
  const total = (field: 'ends' | 'waiting' | 'running') =>
    progress.lanes.reduce((sum, lane) => sum + lane[field], 0);
  const ends = total('ends');
  const left = total('waiting') + total('running');
  if (progress.state !== 'running' || ends < ENDS_FOR_ETA) return undefined;
  const elapsed = (now.getTime() - startedAt.getTime()) / 1_000;
  // The clock was set back since.
  if (elapsed <= 0) return undefined;
  return Math.round((elapsed / ends) * left);
}
