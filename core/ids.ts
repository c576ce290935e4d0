import { type AttemptLimits } from './limits';
import { IMPORTED, type JudgeConfiguration, type PlannedLane, type SweepPlan } from './sweep';
import { type SubmissionSystem, type SubmittedRun } from './submission';
import { type PlannedTask } from './task';
import { CHECKS_VERSION, type RubricItem } from './rubric';

/** Hashes a UTF-8 text to lower-case hex. Passed in, since core has no hashing of its own. */
export type Sha256 = (text: string) => string;

/** Parts of ids: sweeps, cohorts, models, harnesses, tasks, items. Never `.` or `..`: ids are also folder names. */
export const ID_PART = /^(?!\.{1,2}$)[a-z0-9._-]{1,60}$/u;

export function isIdPart(text: string): boolean {
  return ID_PART.test(text);
}

/** JSON with sorted keys and no white space (RFC 8785); `undefined` members are left out. Throws on NaN and infinities. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`canonical JSON cannot hold ${String(value)}`);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${value.map((entry) => canonicalJson(entry ?? null)).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

export function laneId(model: string, harness: string): string {
  return `${model}@${harness}`;
}

/** `model@harness/task/r2` */
export function runId(lane: string, task: string, repetition: number): string {
  return `${lane}/${task}/r${repetition}`;
}

export const workflowIds = {
  sweep: (sweep: string) => `sweep/${sweep}`,
  lane: (sweep: string, lane: string) => `sweep/${sweep}/${lane}`,
  run: (sweep: string, run: string) => `sweep/${sweep}/${run}`,
};

/** The parts of a run key by name, so that two keys can be compared part by part (`plan --explain`). */
export interface RunKeyParts {
  readonly v: 1;
  readonly cohort: string;
  readonly task: string;
  /** What the oracle delivers; nobody else sees it. */
  readonly reference?: readonly (readonly [path: string, sha256: string])[];
  readonly model: Readonly<Record<string, unknown>>;
  readonly harness: Readonly<Record<string, unknown>>;
  /** These three decide what an agent does; what was made elsewhere has none of them. */
  readonly gatewayProtocol?: string;
  readonly tools?: Readonly<Record<string, unknown>>;
  readonly limits?: AttemptLimits;
  readonly repetition: number;
}

/** What a run key takes from a plan. */
type KeyedPlan = Pick<
  SweepPlan,
  'cohort' | 'limits' | 'gatewayProtocolDigest' | 'parser' | 'fetcher'
>;

/** Account, URL, key, concurrency, window, retry settings and the rubric are not in it. */
export function runKeyParts(
  plan: KeyedPlan,
  lane: PlannedLane,
  task: PlannedTask,
  repetition: number,
): RunKeyParts {
  if (lane.harness.name === IMPORTED) return importedKeyParts(plan.cohort, lane, task, repetition);
  const { account: _account, id: _id, ...model } = lane.model;
  const { id: _harnessId, ...harness } = lane.harness;
  return {
    v: 1,
    cohort: plan.cohort,
    task: task.digest,
    ...(lane.harness.name === 'oracle' && {
      reference: task.reference.map(({ path, sha256 }) => [path, sha256] as const),
    }),
    model,
    harness,
    gatewayProtocol: plan.gatewayProtocolDigest,
    tools: {
      web: task.grants.web,
      ...(task.grants.web.length > 0 && { fetcher: plan.fetcher }),
      parsed: plan.parser ?? false,
    },
    limits: plan.limits,
    repetition,
  };
}

/** Neither the submission's name nor what its system.yaml says is in it beside the digest, which covers the latter. */
function importedKeyParts(
  cohort: string,
  { model, harness }: PlannedLane,
  task: PlannedTask,
  repetition: number,
): RunKeyParts {
  return {
    v: 1,
    cohort,
    task: task.digest,
    model: { provider: model.provider, submission: model.submission?.digest },
    harness: { name: harness.name, version: harness.version },
    repetition,
  };
}

export function keyOf(parts: object, sha256: Sha256): string {
  return sha256(canonicalJson(parts));
}

export function runKey(
  plan: KeyedPlan,
  lane: PlannedLane,
  task: PlannedTask,
  repetition: number,
  sha256: Sha256,
): string {
  return keyOf(runKeyParts(plan, lane, task, repetition), sha256);
}

/** Judge identity without its account: part of every verdict key, and the judge part of a score record's name. */
export function judgeDigest(judge: JudgeConfiguration, sha256: Sha256): string {
  const { account: _account, id: _id, ...model } = judge.model;
  return keyOf(
    {
      v: 1,
      model,
      mode: judge.mode,
      votes: judge.votes,
      checks: judge.checks,
      protocol: judge.protocolDigest,
    },
    sha256,
  );
}

/** Everything a judge can see of one item is in its key; the weight is not, so a changed weight only re-aggregates. */
export function verdictKey(
  subject: {
    readonly runKey: string;
    readonly generation: number;
    readonly deliverablesDigest: string;
  },
  item: Pick<RubricItem, 'id' | 'text' | 'check'>,
  judge: JudgeConfiguration,
  vote: number,
  sha256: Sha256,
): string {
  return keyOf(
    {
      v: 1,
      ...subject,
      item: item.text,
      check:
        judge.checks && item.check !== undefined
          ? { version: CHECKS_VERSION, check: item.check }
          : undefined,
      judge: judgeDigest(judge, sha256),
      vote,
    },
    sha256,
  );
}

/** sha256 over the system and every run's deliverables: two submissions with one digest hold the same. */
export function submissionDigest(
  system: SubmissionSystem,
  runs: readonly SubmittedRun[],
  sha256: Sha256,
): string {
  const { product, date, operator } = system;
  const contents = runs.map(({ task, repetition, deliverables }) => [
    task,
    repetition,
    deliverables,
  ]);
  return sha256(canonicalJson({ v: 1, system: { product, date, operator }, runs: contents }));
}

/** Keys of the object store. */
export const storeKeys = {
  openBlob: (sha256: string) => `open/blobs/${sha256}`,
  sealedBlob: (sha256: string) => `sealed/blobs/${sha256}`,
  holder: (cohort: string, n: number) => `open/cohorts/${cohort}/holder-${n}.json`,
  holderReleased: (cohort: string, n: number) => `open/cohorts/${cohort}/holder-${n}-released.json`,
  plan: (sweep: string, revision: number) => `open/sweeps/${sweep}/plan-${revision}.json`,
  lock: (sweep: string, revision: number) => `open/sweeps/${sweep}/lock-${revision}.json`,
  budgetRaise: (sweep: string, revision: number, n: number) =>
    `open/sweeps/${sweep}/budget-${revision}-${n}.json`,
  parsed: (task: string, parser: string) => `open/parsed/${task}/${parser}.json`,
  submission: (id: string) => `open/submissions/${id}/submission.json`,
  run: (key: string) => `open/runs/${key}`,
  generation: (key: string, generation: number) => `open/runs/${key}/g${generation}`,
  request: (key: string, generation: number) => `open/runs/${key}/g${generation}/request.json`,
  result: (key: string, generation: number) => `open/runs/${key}/g${generation}/result.json`,
  attempt: (key: string, generation: number, attempt: number, name: string) =>
    `open/runs/${key}/g${generation}/attempts/${attempt}/${name}`,
  rendered: (recipe: string, format: string, sha256: string) =>
    `sealed/evidence/artifacts/${recipe}/${format}-${sha256}.json`,
  /** Folder of who renders that file, or did (activities/evidence/render-lease.ts). */
  renderClaims: (recipe: string, format: string, sha256: string) =>
    `sealed/evidence/claims/${recipe}/${format}-${sha256}`,
  view: (task: string, deliverables: string, recipe: string) =>
    `sealed/evidence/${task}/${deliverables}/${recipe}/view.json`,
  verdict: (key: string) => `sealed/verdicts/${key}/verdict.json`,
  judgeTurn: (key: string, session: number, turn: number) =>
    `sealed/verdicts/${key}/s${session}-t${turn}.json`,
  /** Where a turn was kept while each session had a folder of its own. */
  formerJudgeTurn: (key: string, session: number, turn: number) =>
    `sealed/verdicts/${key}/s${session}/t${turn}.json`,
  unjudgedRound: (key: string, round: number) => `sealed/verdicts/${key}/unjudged-${round}.json`,
  score: (key: string, generation: number, rubric: string, judge: string) =>
    `sealed/scores/${key}/g${generation}/${rubric}-${judge}.json`,
};
