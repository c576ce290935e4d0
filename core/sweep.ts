import { type AttemptLimits, type Timings } from './limits';
import { type MicroUsd, type ModelPrices } from './money';
import { type SubmissionIdentity } from './submission';
import { type PlannedTask } from './task';

/**
 * How a model is reached. `replay` and `simulated` are our own, `imported` is none: deliverables made elsewhere. The
 * results of these three are marked wherever they are shown.
 */
export const PROVIDER_KINDS = [
  'openai',
  'openai-responses',
  'anthropic',
  'replay',
  'simulated',
  'imported',
] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** Behaviour of the simulated provider. Seeded: the same request always gets the same reply. */
export interface Simulation {
  readonly seed: number;
  /** Steps an agent takes before it is done. */
  readonly steps: number;
  /** Turns a judge takes, the verdict included. */
  readonly judgeTurns: number;
  readonly latencyMs: number;
  /** Probability of a 503 per call, 0 to 1. */
  readonly errorRate: number;
}

/** What answers. Everything here is part of the run key, except `account`. */
export interface ModelIdentity {
  /** The id shown in lanes; unique in a sweep. */
  readonly id: string;
  readonly provider: ProviderKind;
  /** The provider's name for it. */
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly revision?: string;
  /** Name and digest of the recordings, provider `replay` only. */
  readonly recordings?: { readonly name: string; readonly digest: string };
  readonly simulation?: Simulation;
  /** Provider `imported` only. */
  readonly submission?: SubmissionIdentity;
  /** Operator's account (providers.yaml). Not part of any key. */
  readonly account: string;
}

export const HARNESS_NAMES = [
  'nanobot',
  'nanobot-paper',
  'hermes',
  'claude-code',
  'minimal',
  'simulated',
  'oracle',
  'nop',
] as const;
export type HarnessName = (typeof HARNESS_NAMES)[number];

/** Stands where a lane has no harness of ours: its deliverables were made elsewhere. */
export const IMPORTED = 'imported';

/** The agent program. Everything here is part of the run key. */
export interface HarnessIdentity {
  readonly id: string;
  readonly name: HarnessName | typeof IMPORTED;
  readonly version: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** sha256 of the prompt template. */
  readonly promptDigest: string;
  /** Image name and recipe (sha256); absent for harnesses without a container. */
  readonly image?: { readonly name: string; readonly recipe: string };
}

export interface PlannedLane {
  /** `model@harness`. */
  readonly id: string;
  readonly model: ModelIdentity;
  readonly harness: HarnessIdentity;
}

/** False for harnesses that ask no model, whatever their lane is called after. */
export function asksModel(harness: Pick<HarnessIdentity, 'name'>): boolean {
  return harness.name !== 'oracle' && harness.name !== 'nop' && harness.name !== IMPORTED;
}

/** What gave a lane's results: its model's provider, `imported`, or `none` where no model was asked. */
export function resultProvider(lane: Pick<PlannedLane, 'model' | 'harness'>): ResultProvider {
  if (lane.harness.name === IMPORTED) return IMPORTED;
  return asksModel(lane.harness) ? lane.model.provider : 'none';
}
export type ResultProvider = ProviderKind | 'none';

/** Our own providers cost nothing, and nobody here paid for what was imported. */
export function isPaid(model: Pick<ModelIdentity, 'provider'>): boolean {
  return !['replay', 'simulated', IMPORTED].includes(model.provider);
}

export const JUDGE_MODES = ['per-item'] as const;
export type JudgeMode = (typeof JUDGE_MODES)[number];

/** Limits of one judge session; part of the protocol digest. */
export interface JudgeLimits {
  readonly maxTurns: number;
  readonly maxImages: number;
  readonly workingTimeMs: number;
  readonly maxRepairs: number;
  readonly maxSessions: number;
}

export const DEFAULT_JUDGE_LIMITS: JudgeLimits = {
  maxTurns: 25,
  maxImages: 10,
  workingTimeMs: 600_000,
  maxRepairs: 2,
  maxSessions: 3,
};

export interface JudgeConfiguration {
  readonly model: ModelIdentity;
  readonly mode: JudgeMode;
  readonly votes: number;
  readonly checks: boolean;
  readonly limits: JudgeLimits;
  /** sha256 over prompts, tool schemas, limits, renderer and inspector recipes. */
  readonly protocolDigest: string;
}

export interface Budget {
  readonly maxCostMicroUsd: MicroUsd;
}

/** A frozen sweep: everything that decides what its runs are. Written once as `plan-<revision>.json`. */
export interface SweepPlan {
  readonly v: 1;
  readonly sweep: string;
  readonly cohort: string;
  readonly revision: number;
  readonly createdAt: string;
  readonly tasks: readonly PlannedTask[];
  readonly lanes: readonly PlannedLane[];
  readonly repetitions: number;
  readonly limits: AttemptLimits;
  readonly judge: JudgeConfiguration;
  /** Open runs per lane. */
  readonly window: number;
  readonly budget: Budget | undefined;
  readonly timings: Timings;
  readonly gatewayProtocolDigest: string;
  readonly rendererRecipe: string;
  readonly inspectorRecipe: string;
  /** Attachments are parsed into `_parsed/` by this; absent: they are not. */
  readonly parser?: string;
  /** How pages are fetched for tasks that grant it; absent where none does. */
  readonly fetcher?: string;
  /** Prices frozen at first launch, by model id (the judge's too); absent = unknown. */
  readonly prices: Readonly<Record<string, ModelPrices>>;
}

/** One planned run, by position: lanes hold these instead of specifications. `repetition` starts at 1. */
export interface PlannedRun {
  readonly taskIndex: number;
  readonly repetition: number;
}

/** All runs of one lane in start order: repetition by repetition, so that early results cover every task. */
export function plannedRuns(plan: Pick<SweepPlan, 'tasks' | 'repetitions'>): PlannedRun[] {
  const runs: PlannedRun[] = [];
  for (let repetition = 1; repetition <= plan.repetitions; repetition++)
    for (let taskIndex = 0; taskIndex < plan.tasks.length; taskIndex++)
      runs.push({ taskIndex, repetition });
  return runs;
}
