import { Failure } from '../core/failure';
import { storeKeys } from '../core/ids';
import { type MicroUsd } from '../core/money';
import { plural } from '../core/plural';
import { type ReportRun } from '../core/report/report-run';
import { totalCost } from '../core/run-cost';
import { type AttemptRecord, type RunStage, STOP_REASONS } from '../core/run';
import { plannedRuns, type SweepPlan } from '../core/sweep';
import { type UnjudgedRound } from '../activities/judge/port';
import { mapConcurrently, readJson } from '../activities/read-json';
import { identifyRun, type IdentifiedRun } from '../activities/run-state';
import { stageOf } from './open-runs';
import { ResultReader, type ResultSource } from './read-results';
import { openVerdictKeys } from './verdict-keys';

export interface RunFilter {
  /** Run states (`running` among them), `success`, `no-success`, or stop reasons; a run that fits one of them is listed. */
  readonly outcomes?: readonly string[];
  readonly lanes?: readonly string[];
  readonly tasks?: readonly string[];
}

/** A run in one line. */
export interface ListedRun {
  readonly runId: string;
  readonly runKey: string;
  readonly lane: string;
  readonly provider: string | undefined;
  readonly task: string;
  readonly repetition: number;
  /** As the store has it; `running` where the open sweep works on a run that has no score yet. */
  readonly state: ReportRun['state'] | 'running';
  readonly score: number | undefined;
  readonly success: boolean | undefined;
  readonly stopReason: string | undefined;
  readonly costMicroUsd: MicroUsd | undefined;
  /** A lost attempt's spending is not known whole. */
  readonly costIsAtLeast: boolean;
  /** What cost it its points, or why it has no score. */
  readonly why: string;
}

const OUTCOMES: readonly string[] = [
  ...['scored', 'running', 'incomplete', 'failed', 'missing', 'success', 'no-success'],
  ...STOP_REASONS,
];
const READS_AT_ONCE = 32;
const NAMED_ITEMS = 4;

/** Planned runs in plan order, filtered by lane and task before and by outcome after they are read. */
export async function listRuns(source: ResultSource, filter: RunFilter): Promise<ListedRun[]> {
  const { plan } = source;
  refuseUnknown(plan, filter);
  const reader = new ResultReader(source);
  const chosen = plan.lanes
    .filter((lane) => fits(filter.lanes, lane.id))
    .flatMap((lane) => plannedRuns(plan).map((position) => identifyRun(plan, lane.id, position)))
    .filter((run) => fits(filter.tasks, run.task.id));
  const listed = await mapConcurrently(chosen, READS_AT_ONCE, async (run) => {
    const result = await reader.read(run);
    const state = stateOf(source, run, result);
    return fitsOutcome(filter.outcomes, result, state)
      ? toLine(source, reader, run, result, state)
      : undefined;
  });
  return listed.filter((run) => run !== undefined);
}

/** A filter that can fit nothing is a slip, and an empty list would hide it. */
function refuseUnknown(plan: SweepPlan, filter: RunFilter): void {
  const problems = [
    ...unknownPatterns('lane', filter.lanes, plan.lanes),
    ...unknownPatterns('task', filter.tasks, plan.tasks),
    ...(filter.outcomes ?? [])
      .filter((outcome) => !OUTCOMES.includes(outcome))
      .map((outcome) => `no outcome ${outcome}; there are ${OUTCOMES.join(', ')}`),
  ];
  if (problems.length > 0) throw new Failure('InvalidInput', problems.join('\n'));
}

function unknownPatterns(
  kind: string,
  patterns: readonly string[] | undefined,
  known: readonly { readonly id: string }[],
): string[] {
  const ids = known.map(({ id }) => id);
  return (patterns ?? [])
    .filter((pattern) => !ids.some((id) => matches(pattern, id)))
    .map((pattern) => `no ${kind} ${pattern} in this sweep; there are ${ids.join(', ')}`);
}

/** An id fits a pattern that it ends with; `*` stands for any part. */
function fits(patterns: readonly string[] | undefined, id: string): boolean {
  return patterns?.some((pattern) => matches(pattern, id)) ?? true;
}

function matches(pattern: string, id: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&'));
  return new RegExp(`${parts.join('.*')}$`, 'u').test(id);
}

/** A score counts whatever is done again; all else that an open sweep works on is neither missing nor given up. */
function stateOf(source: ResultSource, run: IdentifiedRun, result: ReportRun): ListedRun['state'] {
  if (result.state === 'scored') return 'scored';
  return stageOf(source.open, run.runId) === undefined ? result.state : 'running';
}

function fitsOutcome(
  outcomes: readonly string[] | undefined,
  run: ReportRun,
  state: ListedRun['state'],
): boolean {
  if (outcomes === undefined) return true;
  const own: (string | undefined)[] = [state, run.stopReason];
  if (run.success !== undefined) own.push(run.success ? 'success' : 'no-success');
  return outcomes.some((outcome) => own.includes(outcome));
}

async function toLine(
  source: ResultSource,
  reader: ResultReader,
  run: IdentifiedRun,
  result: ReportRun,
  state: ListedRun['state'],
): Promise<ListedRun> {
  return {
    runId: run.runId,
    runKey: run.runKey,
    lane: run.lane.id,
    provider: result.provider,
    task: run.task.id,
    repetition: run.repetition,
    state,
    score: result.score,
    success: result.success,
    stopReason: result.stopReason,
    costMicroUsd: result.cost === undefined ? undefined : totalCost(result.cost),
    costIsAtLeast: result.cost?.atLeast === true,
    why:
      state === 'running'
        ? describeStage(stageOf(source.open, run.runId), result.items)
        : await why(source, reader, run, result),
  };
}

async function why(
  source: ResultSource,
  reader: ResultReader,
  run: IdentifiedRun,
  result: ReportRun,
): Promise<string> {
  switch (result.state) {
    case 'scored':
      return unmetItems(result);
    case 'incomplete':
      return unjudgedItems(source, reader, run, result);
    case 'failed':
    case 'missing':
      return lastAttempt(source, reader, run);
  }
}

/** What an open run is at. */
export function describeStage(
  stage: RunStage | undefined,
  items: readonly { readonly met: boolean | undefined }[],
): string {
  if (stage === 'agent') return 'the agent works';
  if (stage === 'waiting') return 'waits for a free sandbox';
  const judged = items.filter(({ met }) => met !== undefined).length;
  return `${judged} of ${plural(items.length, 'item')} judged so far`;
}

function unmetItems(result: ReportRun): string {
  const unmet = result.items.filter((item) => item.met === false);
  if (unmet.length === 0) return 'every item is met';
  // The items are unmet for that one reason.
  if (result.deliveredFormats.length === 0) return 'nothing was delivered in results/';
  const heaviest = unmet.sort((left, right) => right.weight - left.weight);
  return `${unmet.length} of ${plural(result.items.length, 'item')} unmet: ${naming(heaviest.map((item) => item.id))}`;
}

async function unjudgedItems(
  source: ResultSource,
  reader: ResultReader,
  run: IdentifiedRun,
  result: ReportRun,
): Promise<string> {
  const open = result.items.filter((item) => item.met === undefined).map((item) => item.id);
  if (open.length === 0) return 'every item has a verdict; the score is not yet written';
  const generation = await reader.states.newestGeneration(run);
  const keys = await openVerdictKeys(source, run, generation, open.slice(0, 1));
  const [key] = keys;
  const round =
    key === undefined
      ? undefined
      : await readJson<UnjudgedRound>(source.store, storeKeys.unjudgedRound(key, 1));
  const reason = round === undefined ? 'not asked yet, or not answered' : round.reason;
  return `${open.length} of ${plural(result.items.length, 'item')} unjudged: ${naming(open)} (${reason})`;
}

async function lastAttempt(
  source: ResultSource,
  reader: ResultReader,
  run: IdentifiedRun,
): Promise<string> {
  const generation = await reader.states.newestGeneration(run);
  const attempts = await reader.states.attempts(run, generation);
  if (attempts.size === 0) return 'not begun';
  const [number, record] = [...attempts].at(-1) ?? [0, undefined];
  const cutOff = record === undefined && source.open?.sweep === 'closed';
  return `attempt ${number} ${describeAttempt(record)}${cutOff ? ' (the sweep is not open)' : ''}`;
}

/** How an attempt ended, in a few words. */
export function describeAttempt(record: AttemptRecord | undefined): string {
  if (record === undefined) return 'has begun and has no end yet';
  if (record.outcome === 'ended')
    return `ended: ${record.stopReason ?? 'unknown'}${record.stopDetail === undefined ? '' : ` (${record.stopDetail})`}`;
  // The failure kept with it names the class of its end, which nobody caused.
  if (record.outcome === 'cancelled') return 'cancelled';
  const reason = record.failure;
  return `${record.outcome}${reason === undefined ? '' : `: ${reason.type}: ${reason.message}`}`;
}

function naming(ids: readonly string[]): string {
  const shown = ids.slice(0, NAMED_ITEMS).join(', ');
  return ids.length > NAMED_ITEMS ? `${shown} and ${ids.length - NAMED_ITEMS} more` : shown;
}
