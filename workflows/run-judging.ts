import { condition } from '@temporalio/workflow';
import {
  type AggregateRunResult,
  type LoadRunResult,
  type PendingItem,
} from '../core/activity-contract';
import { isProviderTrouble } from '../core/attempts';
import { type FailureType } from '../core/failure';
import { addCost, type MicroUsd } from '../core/money';
import { type RunActivities } from './activity-options';
import { failureFact, wasCancelled, type FailureFact } from './failures';

/** What the judging part of a run came to. */
export interface JudgingPart {
  readonly aggregate?: AggregateRunResult;
  /** Infrastructure trouble: items it hit stay without a verdict. */
  readonly failure?: FailureFact;
  readonly costMicroUsd: MicroUsd | undefined;
}

interface ItemEnd {
  readonly failure?: FailureFact;
  readonly costMicroUsd: MicroUsd | undefined;
}

/** Evidence, checks, one judge activity per undecided item, score. */
export async function runJudging(
  loaded: LoadRunResult,
  activities: RunActivities,
  onJudged: (judged: number, pending: number) => void,
): Promise<JudgingPart> {
  const run = loaded.reference;
  const ends: ItemEnd[] = [];
  const cost = () =>
    ends.reduce<MicroUsd | undefined>((sum, end) => addCost(sum, end.costMicroUsd), 0);
  let unknownIs: FailureType = 'RenderUnavailable';
  try {
    const { viewKey } = await activities.render.renderEvidence({ run });
    unknownIs = 'JudgeMalformed';
    const { pending } = await activities.verdicts.checkItems({ run, viewKey });
    onJudged(0, pending.length);
    const judge = (item: PendingItem) => {
      const vote = item.vote === 1 ? '' : `, vote ${item.vote}`;
      const summary = `${item.itemId} (${item.level})${vote}`;
      return settle(
        activities.judge.judgeItem.executeWithOptions({ summary }, [{ run, item, viewKey }]),
      ).then((end) => {
        ends.push(end);
        onJudged(ends.length, pending.length);
      });
    };
    await fanOut(pending, judge, loaded.timings.warmUpMs, () => failureOf(ends) !== undefined);
    const failure = failureOf(ends);
    if (failure !== undefined && isProviderTrouble(failure.type))
      return { failure, costMicroUsd: cost() };
    const aggregate = await activities.verdicts.aggregateRun({ run, viewKey });
    return { aggregate, costMicroUsd: cost(), ...(failure !== undefined && { failure }) };
  } catch (error) {
    if (wasCancelled(error)) throw error;
    return { failure: failureFact(error, unknownIs), costMicroUsd: cost() };
  }
}

/**
 * The first item warms the provider's prompt cache: the others are scheduled, all at once, when it has ended or after
 * `warmUpMs`. When the first one already met trouble, the others would meet the same.
 */
async function fanOut(
  pending: readonly PendingItem[],
  judge: (item: PendingItem) => Promise<void>,
  warmUpMs: number,
  troubled: () => boolean,
): Promise<void> {
  const [first, ...others] = pending;
  if (first === undefined) return;
  let warm = false;
  const warming = judge(first).finally(() => {
    warm = true;
  });
  if (others.length > 0) await Promise.race([warming, condition(() => warm, warmUpMs)]);
  if (troubled()) return warming;
  const ends = await Promise.allSettled([warming, ...others.map(judge)]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function settle(
  judging: Promise<{ readonly costMicroUsd: MicroUsd | undefined }>,
): Promise<ItemEnd> {
  try {
    return { costMicroUsd: (await judging).costMicroUsd };
  } catch (error) {
    if (wasCancelled(error)) throw error;
    return { failure: failureFact(error, 'JudgeMalformed'), costMicroUsd: 0 };
  }
}

/** Provider trouble first: it concerns the lane, a single item's failure only that item. */
function failureOf(ends: readonly ItemEnd[]): FailureFact | undefined {
  const failures = ends.flatMap((end) => end.failure ?? []);
  return failures.find((failure) => isProviderTrouble(failure.type)) ?? failures[0];
}
