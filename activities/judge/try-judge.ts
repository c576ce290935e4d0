import { type ModelPrices } from '../../core/money';
import { type RubricItem } from '../../core/rubric';
import { type JudgeConfiguration } from '../../core/sweep';
import { type RunCheck } from '../checks/port';
import { type EvidenceReader } from '../evidence/port';
import { type ModelClient, type ReplayContext } from '../models/port';
import { judgeItem } from './judge-item';
import { createMemoryJournal } from './journal';
import { mechanicalVerdict } from './mechanical-verdict';
import { type Inspector, type JudgeOutcome } from './port';
import { prepareJudging, type PreparedJudging } from './prepare';
import { boundaryFor } from './prompt/framing';

export interface TryJudgeDependencies {
  readonly models: ModelClient;
  readonly inspector: Inspector;
  readonly runCheck: RunCheck;
  /** @default Date.now */
  readonly now?: () => number;
}

export interface TryJudgeInput {
  readonly judge: JudgeConfiguration;
  readonly prices?: ModelPrices;
  /** One item or a whole rubric. */
  readonly items: readonly RubricItem[];
  readonly taskText: string;
  readonly evidence: EvidenceReader;
  /** 64 hex digits, from `loadBoundaryKey` or fresh random bytes. */
  readonly boundaryKey: string;
  /** What replayed judges are told: task, subject (default `reference`), repetition. */
  readonly context: Pick<ReplayContext, 'taskId' | 'repetition' | 'subject'>;
  /** Judge sessions at once after the first one. @default 4 */
  readonly concurrency?: number;
  readonly signal: AbortSignal;
}

export interface TriedItem {
  readonly item: RubricItem;
  readonly result: JudgeOutcome;
}

/**
 * Decides items over evidence at hand exactly as a sweep would, but stores nothing: for whoever words a rubric.
 * `onDecided` is called as items are decided; the result is in the order of `items`.
 * Throws what the model client and the inspector throw.
 */
export async function tryJudge(
  deps: TryJudgeDependencies,
  input: TryJudgeInput,
  onDecided: (tried: TriedItem) => void = () => undefined,
): Promise<readonly TriedItem[]> {
  const results = new Map<RubricItem, TriedItem>();
  const decided = (item: RubricItem, result: JudgeOutcome) => {
    results.set(item, { item, result });
    onDecided({ item, result });
  };
  const now = deps.now ?? Date.now;
  const open: RubricItem[] = [];
  for (const item of input.items) {
    const mechanics = { runCheck: deps.runCheck, checks: input.judge.checks, now };
    const verdict = await mechanicalVerdict(mechanics, item, 'try', input.evidence);
    if (verdict) decided(item, { outcome: 'verdict', verdict, roundCostMicroUsd: 0 });
    else open.push(item);
  }
  if (open.length > 0) {
    const boundary = boundaryFor(input.evidence.view.deliverablesDigest, input.boundaryKey);
    const prepared = await prepareJudging(
      input.evidence,
      input.taskText,
      boundary,
      input.judge.limits,
    );
    const judge = async (item: RubricItem) =>
      decided(item, await judgeOnce({ ...deps, now }, prepared, input, item));
    // The first session warms the provider's cache for the others.
    const [first, ...others] = open;
    if (first) await judge(first);
    const lanes = Array.from({ length: input.concurrency ?? 4 }, async () => {
      for (let item = others.shift(); item; item = others.shift()) await judge(item);
    });
    await Promise.all(lanes);
  }
  return input.items.flatMap((item) => results.get(item) ?? []);
}

function judgeOnce(
  deps: TryJudgeDependencies & { readonly now: () => number },
  prepared: PreparedJudging,
  input: TryJudgeInput,
  item: RubricItem,
): Promise<JudgeOutcome> {
  const { models, inspector, now } = deps;
  return judgeItem({ models, inspector, now, journal: createMemoryJournal() }, prepared, {
    judge: input.judge,
    prices: input.prices,
    verdictKey: 'try',
    item,
    context: { subject: 'reference', ...input.context, purpose: 'judge', itemId: item.id },
    asker: 'try',
    signal: input.signal,
  });
}
