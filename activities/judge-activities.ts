import { Context } from '@temporalio/activity';
import {
  type CheckItemsResult,
  type JudgeActivities,
  type JudgeItemInput,
  type JudgeItemResult,
  type PendingItem,
} from '../core/activity-contract';
import { canonicalJson, storeKeys } from '../core/ids';
import { ownEntry } from '../core/own-entry';
import { type RubricItem } from '../core/rubric';
import { type Verdict } from '../core/verdict';
import { aggregateRun } from './aggregate-run';
import { type RunCheck } from './checks/port';
import { type LaneLink } from './agent/lane-link';
import { withHeartbeat } from './failure-mapping';
import { createStoreJournal, UnsavedTurns } from './judge/journal';
import { judgeItem } from './judge/judge-item';
import { mechanicalVerdict } from './judge/mechanical-verdict';
import { type Inspector } from './judge/port';
import { JudgeHolding } from './judge-holding';
import {
  type JudgedRun,
  type JudgedRunDependencies,
  JudgedRuns,
  replaySubject,
} from './judged-run';
import { type ModelClient } from './models/port';
import { mapConcurrently, readJson } from './read-json';

const ITEMS_AT_ONCE = 8;

export interface JudgeActivitiesDependencies extends JudgedRunDependencies {
  readonly models: ModelClient;
  readonly inspector: Inspector;
  readonly runCheck: RunCheck;
  /** The way to the lanes of the runs that are judged here; absent = nobody can pause them. */
  readonly lane?: LaneLink;
  /** How long the first word of a lane is waited for; default 30,000. */
  readonly firstAskMs?: number;
  /** @default 2000 */
  readonly heartbeatIntervalMs?: number;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

/** Activities of the queue `judge`. */
export function createJudgeActivities(deps: JudgeActivitiesDependencies): JudgeActivities {
  const runs = new JudgedRuns(deps);
  const now = deps.now ?? Date.now;
  const { models, lane, firstAskMs } = deps;
  const holding = new JudgeHolding({
    models,
    now,
    ...(lane !== undefined && { lane }),
    ...(firstAskMs !== undefined && { firstAskMs }),
  });
  const unsaved = new UnsavedTurns(deps.store);
  return {
    checkItems: ({ run, viewKey }) =>
      withHeartbeat(
        async () => checkItems(deps, await runs.load(run, viewKey), now),
        deps.heartbeatIntervalMs,
      ),
    judgeItem: (input) =>
      withHeartbeat(async ({ signal }) => {
        const run = await runs.load(input.run, input.viewKey);
        try {
          return await judgeOneItem(deps, run, input, { signal, now, holding, unsaved });
        } catch (error) {
          if (signal.aborted) throw error;
          throw holding.failure(error, input.held, run.plan.timings);
        }
      }, deps.heartbeatIntervalMs),
    aggregateRun: ({ run, viewKey }) =>
      withHeartbeat(
        async () => aggregateRun(deps.store, await runs.load(run, viewKey), now),
        deps.heartbeatIntervalMs,
      ),
  };
}

async function checkItems(
  deps: JudgeActivitiesDependencies,
  run: JudgedRun,
  now: () => number,
): Promise<CheckItemsResult> {
  const asked = run.rubric.items.flatMap((item) =>
    run.votes.map((vote) => ({ item, vote, key: run.verdictKey(item, vote) })),
  );
  const pending = await mapConcurrently(
    asked,
    ITEMS_AT_ONCE,
    async ({ item, vote, key }): Promise<PendingItem | undefined> => {
      if (await deps.store.hasRecord(storeKeys.verdict(key))) return undefined;
      const { checks } = run.plan.judge;
      const mechanics = { runCheck: deps.runCheck, checks, now };
      const verdict = await mechanicalVerdict(mechanics, item, key, run.evidence);
      if (verdict === undefined)
        return { itemId: item.id, level: levelOf(item), verdictKey: key, vote };
      await putVerdict(deps, verdict);
      return undefined;
    },
  );
  const open = pending.filter((item) => item !== undefined);
  return { decided: asked.length - open.length, pending: open };
}

interface JudgeContext {
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly holding: JudgeHolding;
  readonly unsaved: UnsavedTurns;
}

async function judgeOneItem(
  deps: JudgeActivitiesDependencies,
  run: JudgedRun,
  input: JudgeItemInput,
  { signal, now, holding, unsaved }: JudgeContext,
): Promise<JudgeItemResult> {
  const key = input.item.verdictKey;
  const known = await readJson<Verdict>(deps.store, storeKeys.verdict(key));
  if (known !== undefined) return decided(known);
  const { judge, prices, sweep, timings } = run.plan;
  const { lane, task, repetition } = run.identity;
  const item = run.item(input.item.itemId);
  const result = await judgeItem(
    {
      models: holding.client({
        sweep,
        run: input.run,
        model: judge.model,
        verdictKey: key,
        timings,
      }),
      inspector: deps.inspector,
      journal: createStoreJournal(deps.store, key, unsaved),
      now,
    },
    await run.prepared(),
    {
      judge,
      prices: ownEntry(prices, judge.model.id),
      verdictKey: key,
      item,
      context: {
        purpose: 'judge',
        taskId: task.id,
        repetition,
        subject: replaySubject(lane),
        itemId: item.id,
      },
      asker: Context.current().info.workflowExecution?.runId ?? 'no workflow',
      signal,
    },
  );
  if (result.outcome === 'unjudged')
    return {
      outcome: 'unjudged',
      reason: result.reason,
      costMicroUsd: result.roundCostMicroUsd,
    };
  const stored = await putVerdict(deps, result.verdict);
  return { ...decided(stored), costMicroUsd: result.roundCostMicroUsd };
}

function decided(verdict: Verdict): JudgeItemResult {
  return {
    outcome: verdict.met ? 'met' : 'unmet',
    costMicroUsd: verdict.source === 'judge' ? verdict.costMicroUsd : 0,
  };
}

/** Stores a verdict; where another executor was first, its verdict is the one that counts. */
async function putVerdict(deps: JudgeActivitiesDependencies, verdict: Verdict): Promise<Verdict> {
  const key = storeKeys.verdict(verdict.verdictKey);
  if ((await deps.store.putRecord(key, canonicalJson(verdict))) === 'created') return verdict;
  return (await readJson<Verdict>(deps.store, key)) ?? verdict;
}

function levelOf(item: RubricItem): string {
  return item.level ?? `weight ${item.weight}`;
}
