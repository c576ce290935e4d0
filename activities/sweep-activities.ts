import { Context } from '@temporalio/activity';
import {
  type LoadLaneInput,
  type LoadLaneResult,
  type LoadRunResult,
  type LoadSweepInput,
  type LoadSweepResult,
  type RequestRerunInput,
  type RequestRerunResult,
  type RunPosition,
  type SweepActivities,
} from '../core/activity-contract';
import { sessionsCost } from '../core/estimate';
import { canonicalJson, storeKeys } from '../core/ids';
import { addCost, type MicroUsd } from '../core/money';
import { ownEntry } from '../core/own-entry';
import { NO_COST, totalCost } from '../core/run-cost';
import { asksModel, isPaid, plannedRuns, type SweepPlan } from '../core/sweep';
import { withHeartbeat } from './failure-mapping';
import { createPlanCache, type PlanCache } from './plan-cache';
import { mapConcurrently } from './read-json';
import { enterSubmitted } from './enter-submitted';
import { costOfRun } from './run-cost';
import { budgetOf } from './sweep-budget';
import { identifyRun, RunStates, type IdentifiedRun, type LaunchState } from './run-state';
import { type ObjectStore } from './store/port';

export interface SweepActivitiesDependencies {
  readonly store: ObjectStore;
  /** Shared with the other activities of the process. @default a new one */
  readonly plans?: PlanCache;
  /** Whether this worker serves all roles from one queue; see `LoadRunResult.queues`. @default 'split' */
  readonly queues?: 'shared' | 'split';
  readonly now?: () => Date;
  /**
   * Throws where another sweep runs the cohort; called before an execution of a sweep starts anything, each time it
   * loads. @default lets in
   */
  readonly enterCohort?: (
    cohort: string,
    sweep: { readonly workflowId: string; readonly runId: string },
  ) => Promise<void>;
}

/** Write-once record `g<n>/request.json`: a person asked for this generation. */
export interface RerunRequest {
  readonly v: 1;
  readonly runKey: string;
  readonly runId: string;
  readonly generation: number;
  /** The generation it replaces, so that asking twice is asking once. */
  readonly replaces: number;
  readonly who: string;
  readonly reason: string;
  readonly requestedAt: string;
}

/** Records read at once for one lane. */
const CONCURRENT_READS = 32;

/** Activities of the workflow role: what is done and what remains, from the store alone. */
export function createSweepActivities(deps: SweepActivitiesDependencies): SweepActivities {
  const service = new SweepService(deps);
  return {
    loadSweep: (input) =>
      withHeartbeat(async () => {
        const loaded = await service.loadSweep(input);
        const { workflowExecution } = Context.current().info;
        if (workflowExecution !== undefined)
          await deps.enterCohort?.(loaded.cohort, workflowExecution);
        return loaded;
      }),
    loadLane: (input) => withHeartbeat(() => service.loadLane(input)),
    loadRun: (input) => withHeartbeat(() => service.loadRun(input)),
    requestRerun: (input) => withHeartbeat(() => service.requestRerun(input)),
  };
}

/** The same without Temporal around it. */
export class SweepService implements SweepActivities {
  private readonly store: ObjectStore;
  private readonly plans: PlanCache;

  constructor(private readonly deps: SweepActivitiesDependencies) {
    this.store = deps.store;
    this.plans = deps.plans ?? createPlanCache(deps.store);
  }

  async loadSweep({ planKey }: LoadSweepInput): Promise<LoadSweepResult> {
    const plan = await this.plans.loadPlan(planKey);
    return {
      sweep: plan.sweep,
      cohort: plan.cohort,
      laneIds: plan.lanes.map((lane) => lane.id),
      taskIds: plan.tasks.map((task) => task.id),
      repetitions: plan.repetitions,
      plannedPerLane: plan.tasks.length * plan.repetitions,
      window: plan.window,
      budgetMicroUsd: await budgetOf(this.store, plan),
      timings: plan.timings,
    };
  }

  async loadLane({ planKey, laneId }: LoadLaneInput): Promise<LoadLaneResult> {
    const plan = await this.plans.loadPlan(planKey);
    const states = new RunStates(this.store, plan);
    const positions = plannedRuns(plan);
    const found = await mapConcurrently(positions, CONCURRENT_READS, async (position) => {
      const run = identifyRun(plan, laneId, position);
      const launch = await states.launchState(run);
      return { position, launch, cost: await this.spentOn(plan, states, run, launch) };
    });
    const remaining = found.filter(({ launch }) => launch.state !== 'scored');
    return {
      planned: positions.length,
      scored: positions.length - remaining.length,
      remaining: remaining.map(({ position }) => position),
      taskIds: plan.tasks.map((task) => task.id),
      spentMicroUsd: found.map(({ cost }) => cost).reduce(addCost, 0),
      reserveMicroUsd: await this.reserve(plan, laneId),
      window: plan.window,
      timings: plan.timings,
    };
  }

  async loadRun(position: RunPosition): Promise<LoadRunResult> {
    const plan = await this.plans.loadPlan(position.planKey);
    const states = new RunStates(this.store, plan);
    const run = identifyRun(plan, position.laneId, position);
    const { generation, state } = await states.launchState(run);
    if (run.lane.model.submission !== undefined && state !== 'scored')
      await enterSubmitted(this.store, run, run.lane.model.submission, {
        generation,
        now: this.now(),
      });
    const attempts = state === 'scored' ? new Map() : await states.attempts(run, generation);
    const claimedBy = await states.claimingHost(run, generation, attempts);
    const { planKey, laneId, taskIndex, repetition } = position;
    return {
      reference: {
        planKey,
        laneId,
        taskIndex,
        repetition,
        runId: run.runId,
        runKey: run.runKey,
        generation,
      },
      state,
      ...(plan.parser !== undefined &&
        run.lane.harness.image !== undefined && { parses: true as const }),
      needsSandbox: run.lane.harness.image !== undefined,
      attemptsUsed: attempts.size,
      ...(claimedBy !== undefined && { claimedBy }),
      timings: plan.timings,
      queues: this.deps.queues ?? 'split',
      searchAttributes: {
        sweep: plan.sweep,
        model: run.lane.model.id,
        harness: run.lane.harness.id,
        task: run.task.id,
      },
    };
  }

  async requestRerun(input: RequestRerunInput): Promise<RequestRerunResult> {
    const plan = await this.plans.loadPlan(input.planKey);
    const run = identifyRun(plan, input.laneId, input);
    const { generation, state } = await new RunStates(this.store, plan).launchState(run);
    if (state === 'new')
      return {
        accepted: true,
        generation,
        isSameGeneration: true,
        message: `${run.runId} has delivered nothing yet: generation ${generation} is run`,
      };
    if (state === 'scored' && !input.force)
      return {
        accepted: false,
        generation,
        message: `${run.runId} has a score; a run that is scored is done again only with --force`,
      };
    const next = generation + 1;
    const request: RerunRequest = {
      v: 1,
      runKey: run.runKey,
      runId: run.runId,
      generation: next,
      replaces: generation,
      who: input.who,
      reason: input.reason,
      requestedAt: this.now().toISOString(),
    };
    await this.store.putRecord(storeKeys.request(run.runKey, next), canonicalJson(request));
    return {
      accepted: true,
      generation: next,
      message: `${run.runId} is done again as generation ${next}; generation ${generation} is kept`,
    };
  }

  private now(): Date {
    return (this.deps.now ?? (() => new Date()))();
  }

  private async spentOn(
    plan: SweepPlan,
    states: RunStates,
    run: IdentifiedRun,
    launch: LaunchState,
  ): Promise<MicroUsd | undefined> {
    // Most runs of a first launch have nothing in the store at all.
    if (launch.state === 'new' && launch.generation === 1) {
      const attempts = await states.attempts(run, 1);
      if (attempts.size === 0) return totalCost(NO_COST);
    }
    return totalCost(await costOfRun({ store: this.store, plans: this.plans, plan, states }, run));
  }

  /** Worst case of one run: the attempt's cap, and the judge's high estimate for the longest rubric. */
  private async reserve(plan: SweepPlan, laneId: string): Promise<MicroUsd | undefined> {
    const lane = plan.lanes.find((candidate) => candidate.id === laneId);
    const paid = lane !== undefined && asksModel(lane.harness) && isPaid(lane.model);
    const agent = paid ? plan.limits.maxCostMicroUsd : 0;
    if (!isPaid(plan.judge.model)) return agent;
    const sessions = await mapConcurrently(plan.tasks, CONCURRENT_READS, async (task) => {
      const { items } = await this.plans.loadRubric(task);
      const judged = plan.judge.checks ? items.filter((item) => item.check === undefined) : items;
      return judged.length * plan.judge.votes;
    });
    const prices = ownEntry(plan.prices, plan.judge.model.id);
    const longest = Math.max(0, ...sessions);
    return addCost(agent, sessionsCost(prices, { low: longest, high: longest }).high);
  }
}
