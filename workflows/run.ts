import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  getExternalWorkflowHandle,
  isCancellation,
  patched,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type AggregateRunResult,
  type AttemptReference,
  type LoadRunResult,
} from '../core/activity-contract';
import { isProviderTrouble } from '../core/attempts';
import { type BreakerUnit } from '../core/breaker';
import { DEFAULT_TIMINGS } from '../core/limits';
import { addCost, formatUsd, type MicroUsd } from '../core/money';
import { percentText } from '../core/percent-text';
import { plural } from '../core/plural';
import { type RunStage, type StopReason } from '../core/run';
import { runActivities, sweepActivities, type RunActivities } from './activity-options';
import { factTable } from './details';
import { failureFact, wasCancelled, type FailureFact } from './failures';
import {
  cancelledRunCostSignal,
  searchAttributeKeys,
  type RunEnd,
  type RunInput,
} from './messages';
import { runAgent, type AgentPart, type Spent } from './run-agent';
import { runJudging, type JudgingView } from './run-judging';

/**
 * One task, one lane, one repetition: agent, evidence, verdicts, score. What is in the store already is not done
 * again. Ends as Failed, with its `RunEnd` in the failure's details, when infrastructure kept it from a score.
 */
export async function run(input: RunInput): Promise<RunEnd> {
  const facts: Record<string, string> = { Stage: 'begins' };
  const show = (changes: Record<string, string>) => {
    Object.assign(facts, changes);
    setCurrentDetails(factTable(facts));
  };
  const spent: Spent = { agentMicroUsd: 0, judgeMicroUsd: 0 };
  let end: RunEnd;
  try {
    const loaded = await sweepActivities(DEFAULT_TIMINGS).loadRun(input);
    end = loaded.state === 'scored' ? REUSED : await makeRun(loaded, show, spent);
  } catch (error) {
    if (wasCancelled(error)) {
      await CancellationScope.nonCancellable(async () => {
        setStage('done', 'cancelled');
        await tellCost(input, addCost(spent.agentMicroUsd, spent.judgeMicroUsd));
      });
      // An activity whose worker died meanwhile reports a timeout: the run is cancelled all the same.
      if (isCancellation(error) || !patched('cancelled-runs-end-so')) throw error;
      throw new CancelledFailure('cancelled');
    }
    end = failedEnd(failureFact(error, 'StoreUnavailable'), [], 0);
  }
  setStage('done', end.state, end.score);
  show({ Stage: 'done', Ended: describeEnd(end), Cost: formatUsd(end.costMicroUsd) });
  if (end.failure === undefined || end.state === 'incomplete') return end;
  throw ApplicationFailure.create({
    message: end.failure.message,
    type: end.failure.type,
    nonRetryable: true,
    details: [end],
  });
}

/** A lane that is gone needs to know nothing. */
async function tellCost(
  { taskIndex, repetition }: RunInput,
  costMicroUsd: MicroUsd | undefined,
): Promise<void> {
  const { parent } = workflowInfo();
  if (parent === undefined || costMicroUsd === 0 || !patched('cancelled-runs-cost')) return;
  await getExternalWorkflowHandle(parent.workflowId)
    .signal(cancelledRunCostSignal, { taskIndex, repetition }, costMicroUsd ?? null)
    .catch(() => undefined);
}

const REUSED: RunEnd = { state: 'scored', units: [], costMicroUsd: 0 };

type Show = (changes: Record<string, string>) => void;

async function makeRun(loaded: LoadRunResult, show: Show, spent: Spent): Promise<RunEnd> {
  const activities = runActivities(loaded.timings, loaded.queues ?? 'split');
  show({ Generation: `g${loaded.reference.generation}` });
  const agent =
    loaded.state === 'delivered' ? undefined : await agentPart(loaded, activities, show, spent);
  if (agent?.failure !== undefined)
    return {
      ...failedEnd(agent.failure, agent.units, agent.costMicroUsd),
      state: agent.giveBack ? 'given-back' : 'failed',
    };
  try {
    return await judgingPart(loaded, activities, agent, show, spent);
  } finally {
    await agent?.cleanUp;
  }
}

async function agentPart(
  loaded: LoadRunResult,
  activities: RunActivities,
  show: Show,
  spent: Spent,
): Promise<AgentPart> {
  if (loaded.parses === true) await activities.render.parseAttachments({ run: loaded.reference });
  let staged = false;
  show({ Stage: 'waits for a free sandbox' });
  const onAttempt = ({ attempt, hostId }: AttemptReference) => {
    show({ Stage: 'agent works', Attempt: String(attempt), Host: hostId });
    if (!staged) setStage('agent');
    staged = true;
  };
  const agent = await runAgent(loaded, activities, onAttempt, spent);
  if (agent.delivered !== undefined)
    show({
      'Stop reason': agent.delivered.stopReason,
      Deliverables: String(agent.delivered.deliverableCount),
      'Agent cost': formatUsd(agent.delivered.costMicroUsd),
    });
  return agent;
}

async function judgingPart(
  loaded: LoadRunResult,
  activities: RunActivities,
  agent: AgentPart | undefined,
  show: Show,
  spent: Spent,
): Promise<RunEnd> {
  setStage('judging');
  show({ Stage: 'evidence and checks' });
  const view: JudgingView = {
    judged: (judged, pending) => show({ Stage: 'judging', Judged: `${judged} of ${pending}` }),
    waits: (reason) => show({ 'Judges wait for': reason ?? 'nothing any more' }),
  };
  const judging = await runJudging(loaded, activities, view, spent);
  const units = [...(agent?.units ?? [])];
  const costMicroUsd = addCost(agent?.costMicroUsd ?? 0, judging.costMicroUsd);
  const { aggregate, failure } = judging;
  if (failure !== undefined) units.push({ outcome: 'failed', ...failure });
  if (aggregate === undefined) {
    const fact = failure ?? { type: 'JudgeMalformed' as const, message: 'no score was computed' };
    const state = isProviderTrouble(fact.type) ? 'given-back' : 'incomplete';
    return { ...failedEnd(fact, units, costMicroUsd), state };
  }
  if (failure === undefined && agent === undefined) units.push({ outcome: 'ended' });
  const kept = aggregate.state === 'scored' ? undefined : failure;
  return {
    ...scoredEnd(aggregate, agent?.delivered?.stopReason),
    units,
    costMicroUsd,
    ...(kept !== undefined && { failure: kept }),
  };
}

function scoredEnd(aggregate: AggregateRunResult, stopReason: StopReason | undefined) {
  const { state, unjudged, score, success } = aggregate;
  return {
    state,
    unjudged,
    ...(stopReason !== undefined && { stopReason }),
    ...(score !== undefined && { score }),
    ...(success !== undefined && { success }),
  };
}

function failedEnd(
  failure: FailureFact,
  units: readonly BreakerUnit[],
  costMicroUsd: number | undefined,
): RunEnd {
  const all = units.length > 0 ? units : [{ outcome: 'failed' as const, ...failure }];
  return { state: 'failed', failure: { ...failure }, units: all, costMicroUsd };
}

/** Three upserts a run: agent, judging, done. */
function setStage(stage: RunStage, outcome?: RunEnd['state'], score?: number): void {
  upsertSearchAttributes([
    { key: searchAttributeKeys.stage, value: stage },
    ...(outcome === undefined ? [] : [{ key: searchAttributeKeys.outcome, value: outcome }]),
    ...(score === undefined ? [] : [{ key: searchAttributeKeys.score, value: score }]),
  ]);
}

function describeEnd(end: RunEnd): string {
  const score = end.score === undefined ? '' : `, ${percentText(end.score, 1)} %`;
  const unjudged = end.unjudged ? `, ${plural(end.unjudged, 'item')} unjudged` : '';
  const why = end.failure === undefined ? '' : `: ${end.failure.type}, ${end.failure.message}`;
  return `${end.state}${score}${unjudged}${why} (Temporal run ${workflowInfo().runId.slice(0, 8)})`;
}
