import { ApplicationFailure, Context } from '@temporalio/activity';
import {
  type AgentActivities,
  type JudgeActivities,
  type JudgeHold,
  type LoadRunResult,
  type RenderActivities,
  type RunPosition,
  type SweepActivities,
} from '../../core/activity-contract';
import { type FailureType } from '../../core/failure';
import { runId } from '../../core/ids';
import { DEFAULT_TIMINGS, type Timings } from '../../core/limits';
import { plannedRuns, type PlannedRun } from '../../core/sweep';
import { type StopReason } from '../../core/run';

export type AllActivities = SweepActivities & AgentActivities & RenderActivities & JudgeActivities;

export interface FakeSweep {
  readonly sweep: string;
  readonly laneIds: readonly string[];
  readonly taskCount: number;
  readonly repetitions: number;
  readonly items: number;
  readonly window: number;
  readonly budgetMicroUsd?: number;
  readonly reserveMicroUsd?: number;
  readonly agentCostMicroUsd: number;
  readonly timings: Timings;
  readonly needsSandbox: boolean;
  /** Attachments are parsed before the first attempt. @default false */
  readonly parses?: boolean;
  /** Host that has an open claim on every run. */
  readonly claimedBy?: string;
  /** Called at the start of each activity; throw or wait to disturb it. */
  readonly disturb: (
    activity: string,
    runId: string,
    detail: string,
    held?: JudgeHold,
  ) => Promise<void> | void;
}

/**
 * Retries within a test; silences and timeouts longer than a busy machine takes for anything, so that no test meets one
 * it does not ask for.
 */
export const TEST_TIMINGS: Timings = {
  ...DEFAULT_TIMINGS,
  heartbeatTimeoutMs: 60_000,
  heartbeatIntervalMs: 200,
  hostSilenceMs: 60_000,
  leaseMs: 60_000,
  warmUpMs: 60_000,
  activityRetryInitialMs: 50,
  activityRetryTotalMs: 1_000,
  holdProbeMs: 50,
};

/** What the fakes did and what they "stored"; a stand-in for the object store that outlives workflows and workers. */
export class FakeWorld {
  readonly calls: { readonly activity: string; readonly runId: string; readonly detail: string }[] =
    [];
  readonly scored = new Set<string>();
  readonly delivered = new Set<string>();
  readonly generations = new Map<string, number>();
  readonly attempts = new Map<string, number>();
  readonly lost: { readonly runId: string; readonly attempt: number; readonly outcome: string }[] =
    [];
  readonly cleaned: string[] = [];
  readonly verdicts = new Set<string>();

  constructor(readonly options: FakeSweep) {}

  count(activity: string, run?: string): number {
    return this.calls.filter(
      (call) => call.activity === activity && (run === undefined || call.runId === run),
    ).length;
  }

  activities(hostId: string): AllActivities {
    const { options } = this;
    const note = async (activity: string, run: string, detail = '', held?: JudgeHold) => {
      this.calls.push({ activity, runId: run, detail });
      await options.disturb(activity, run, detail, held);
    };
    const idOf = (position: RunPosition) =>
      runId(position.laneId, `task-${position.taskIndex}`, position.repetition);
    return {
      loadSweep: async () => {
        await note('loadSweep', '');
        return {
          sweep: options.sweep,
          cohort: options.sweep,
          laneIds: options.laneIds,
          taskIds: taskIds(options),
          repetitions: options.repetitions,
          plannedPerLane: options.taskCount * options.repetitions,
          window: options.window,
          budgetMicroUsd: options.budgetMicroUsd,
          timings: options.timings,
        };
      },
      loadLane: async ({ laneId }) => {
        await note('loadLane', laneId);
        const all = plannedRuns({
          tasks: taskIds(options) as never,
          repetitions: options.repetitions,
        });
        const id = (run: PlannedRun) => runId(laneId, `task-${run.taskIndex}`, run.repetition);
        const remaining = all.filter((run) => !this.scored.has(id(run)));
        return {
          planned: all.length,
          scored: all.length - remaining.length,
          remaining,
          taskIds: taskIds(options),
          spentMicroUsd: 0,
          reserveMicroUsd: options.reserveMicroUsd,
          window: options.window,
          timings: options.timings,
        };
      },
      loadRun: async (position) => {
        const id = idOf(position);
        await note('loadRun', id);
        return this.loadedRun(position, id);
      },
      requestRerun: async (input) => {
        const id = idOf(input);
        await note('requestRerun', id);
        const present = this.generations.get(id) ?? 1;
        if (!this.scored.has(id) && !this.delivered.has(id))
          return {
            accepted: true,
            generation: present,
            isSameGeneration: true,
            message: `${id} has delivered nothing yet: g${present} is run`,
          };
        if (this.scored.has(id) && !input.force)
          return { accepted: false, generation: 1, message: `${id} has a score: use force` };
        this.scored.delete(id);
        this.delivered.delete(id);
        const generation = present + 1;
        this.generations.set(id, generation);
        return { accepted: true, generation, message: `${id} runs again as g${generation}` };
      },
      reserveHost: async ({ run, previous }) => {
        await note('reserveHost', run.runId, previous === undefined ? '' : previous.hostId);
        if (previous?.hostId === hostId) return previous;
        const attempt = (this.attempts.get(run.runId) ?? 0) + 1;
        this.attempts.set(run.runId, attempt);
        return { run, attempt, hostId };
      },
      prepareWorkspace: async ({ run }) => note('prepareWorkspace', run.runId),
      executeAgent: async ({ run, attempt }) => {
        const beat = setInterval(() => Context.current().heartbeat(), 200);
        try {
          await note('executeAgent', run.runId, String(attempt));
        } finally {
          clearInterval(beat);
        }
        return {
          stopReason: 'completed' as StopReason,
          steps: 1,
          costMicroUsd: options.agentCostMicroUsd,
        };
      },
      storeDeliverables: async ({ run, end }) => {
        await note('storeDeliverables', run.runId);
        this.delivered.add(run.runId);
        return {
          deliverablesDigest: 'd',
          deliverableCount: 1,
          stopReason: end.stopReason,
          costMicroUsd: end.costMicroUsd,
        };
      },
      cleanUpAttempt: async ({ run, attempt }) => {
        await note('cleanUpAttempt', run.runId, String(attempt));
        this.cleaned.push(`${run.runId} ${attempt}`);
      },
      recordLostAttempt: async ({ run, attempt, outcome }) => {
        await note('recordLostAttempt', run.runId, String(attempt));
        this.lost.push({ runId: run.runId, attempt, outcome });
        return { costMicroUsd: 0 };
      },
      parseAttachments: async ({ run }) => note('parseAttachments', run.runId),
      renderEvidence: async ({ run }) => {
        await note('renderEvidence', run.runId);
        return { viewKey: 'view', deliverableCount: 1 };
      },
      checkItems: async ({ run }) => {
        await note('checkItems', run.runId);
        const pending = Array.from({ length: options.items }, (_, index) => ({
          itemId: `item-${index + 1}`,
          level: 'core',
          verdictKey: `${run.runId}/${index + 1}`,
          vote: 1,
        })).filter((item) => !this.verdicts.has(item.verdictKey));
        return { decided: options.items - pending.length, pending };
      },
      judgeItem: async ({ run, item, held }) => {
        const beat = setInterval(() => Context.current().heartbeat(), 200);
        try {
          await note('judgeItem', run.runId, item.itemId, held);
        } finally {
          clearInterval(beat);
        }
        this.verdicts.add(item.verdictKey);
        return { outcome: 'met' as const, costMicroUsd: 1 };
      },
      aggregateRun: async ({ run }) => {
        await note('aggregateRun', run.runId);
        const missing = Array.from({ length: options.items }).filter(
          (_, index) => !this.verdicts.has(`${run.runId}/${index + 1}`),
        ).length;
        if (missing === 0) this.scored.add(run.runId);
        return {
          state: missing === 0 ? ('scored' as const) : ('incomplete' as const),
          scoreInterval: [0, 100] as const,
          ...(missing === 0 && { score: 100, success: true }),
          unjudged: missing,
          costMicroUsd: 0,
        };
      },
    };
  }

  private loadedRun(position: RunPosition, id: string): LoadRunResult {
    const [model = '', harness = ''] = position.laneId.split('@');
    const generation = this.generations.get(id) ?? 1;
    const delivered = this.delivered.has(id) ? 'delivered' : 'new';
    return {
      reference: { ...position, runId: id, runKey: `key ${id}`, generation },
      state: this.scored.has(id) ? 'scored' : delivered,
      needsSandbox: this.options.needsSandbox,
      ...(this.options.parses === true && { parses: true as const }),
      attemptsUsed: this.attempts.get(id) ?? 0,
      ...(this.options.claimedBy !== undefined && { claimedBy: this.options.claimedBy }),
      timings: this.options.timings,
      searchAttributes: {
        sweep: this.options.sweep,
        model,
        harness,
        task: `task-${position.taskIndex}`,
      },
    };
  }
}

export function failWith(type: FailureType, message = 'by the test'): never {
  throw ApplicationFailure.create({
    type,
    message,
    nonRetryable: true,
  });
}

/** As a judge whose account is in trouble ends; see `JudgeHolding.failure`. */
export function failHeld(type: FailureType, held: JudgeHold | undefined): never {
  throw ApplicationFailure.create({
    type,
    message: 'not now',
    nonRetryable: held === undefined || (held.type ?? type) !== type,
    details: [{ held: true }],
  });
}

function taskIds(options: FakeSweep): string[] {
  return Array.from({ length: options.taskCount }, (_, index) => `task-${index}`);
}
