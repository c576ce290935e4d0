import { createHash } from 'node:crypto';
import { type RunReference } from '../core/activity-contract';
import { Failure } from '../core/failure';
import { verdictKey } from '../core/ids';
import { type Rubric, type RubricItem } from '../core/rubric';
import { type PlannedLane, type SweepPlan } from '../core/sweep';
import { type EvidenceReader } from './evidence/port';
import { prepareJudging, type PreparedJudging } from './judge/prepare';
import { loadBoundaryKey } from './judge/prompt/boundary-key';
import { boundaryFor } from './judge/prompt/framing';
import { Memo } from './memo';
import { type PlanCache } from './plan-cache';
import { type IdentifiedRun, identifyRun } from './run-state';
import { type ObjectStore } from './store/port';

/** Runs whose evidence is kept at hand: as many as are judged at once, and some. */
const KEPT_RUNS = 48;
const REQUEST_PATH = 'query/task.md';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface JudgedRunDependencies {
  readonly store: ObjectStore;
  readonly plans: PlanCache;
  openEvidence(viewKey: string): Promise<EvidenceReader>;
}

/** One run as its items are decided: plan, rubric, evidence, and the prompts that all sessions share. */
export interface JudgedRun {
  readonly plan: SweepPlan;
  readonly identity: IdentifiedRun;
  readonly generation: number;
  readonly rubric: Rubric;
  readonly evidence: EvidenceReader;
  /** Numbers of the votes on each item, from 1. */
  readonly votes: readonly number[];
  item(itemId: string): RubricItem;
  verdictKey(item: RubricItem, vote: number): string;
  /** Made at the first call. */
  prepared(): Promise<PreparedJudging>;
}

export class JudgedRuns {
  readonly #runs = new Memo<JudgedRun>(KEPT_RUNS);
  readonly #boundaryKey = new Memo<string>(1);

  constructor(private readonly deps: JudgedRunDependencies) {}

  load(run: RunReference, viewKey: string): Promise<JudgedRun> {
    const key = `${run.planKey} ${run.runId} ${run.generation} ${viewKey}`;
    return this.#runs.get(key, () => this.#load(run, viewKey));
  }

  async #load(run: RunReference, viewKey: string): Promise<JudgedRun> {
    const plan = await this.deps.plans.loadPlan(run.planKey);
    const identity = identifyRun(plan, run.laneId, run);
    const [rubric, evidence] = await Promise.all([
      this.deps.plans.loadRubric(identity.task),
      this.deps.openEvidence(viewKey),
    ]);
    const subject = {
      runKey: run.runKey,
      generation: run.generation,
      deliverablesDigest: evidence.view.deliverablesDigest,
    };
    const preparations = new Memo<PreparedJudging>(1);
    return {
      plan,
      identity,
      generation: run.generation,
      rubric,
      evidence,
      votes: Array.from({ length: plan.judge.votes }, (_, at) => at + 1),
      item: (itemId) => findItem(rubric, itemId, run.runId),
      verdictKey: (item, vote) => verdictKey(subject, item, plan.judge, vote, sha256),
      prepared: () => preparations.get('', () => this.#prepare(plan, identity, evidence)),
    };
  }

  async #prepare(
    plan: SweepPlan,
    identity: IdentifiedRun,
    evidence: EvidenceReader,
  ): Promise<PreparedJudging> {
    const key = await this.#boundaryKey.get('', () => loadBoundaryKey(this.deps.store));
    const boundary = boundaryFor(evidence.view.deliverablesDigest, key);
    return prepareJudging(evidence, await this.#requestText(identity), boundary, plan.judge.limits);
  }

  async #requestText({ task }: IdentifiedRun): Promise<string> {
    const file = task.files.find(({ path }) => path === REQUEST_PATH);
    if (file === undefined)
      throw new Failure('InvalidInput', `task ${task.id} has no ${REQUEST_PATH} in its plan`);
    return Buffer.from(await this.deps.store.getBlob('open', file.sha256)).toString('utf8');
  }
}

function findItem(rubric: Rubric, itemId: string, runId: string): RubricItem {
  const item = rubric.items.find(({ id }) => id === itemId);
  if (item === undefined)
    throw new Failure('InvalidInput', `the rubric of run ${runId} has no item ${itemId}`);
  return item;
}

/** Recordings that a replayed judge answers from: the judged lane's own, else the reference's. */
export function replaySubject(lane: PlannedLane): string {
  if (lane.harness.name === 'oracle') return 'reference';
  return lane.model.recordings?.name ?? 'reference';
}
