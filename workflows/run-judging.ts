import { condition, patched } from '@temporalio/workflow';
import {
  type AggregateRunResult,
  type JudgeHold,
  type JudgeItemInput,
  type LoadRunResult,
  type PendingItem,
} from '../core/activity-contract';
import { isProviderTrouble } from '../core/attempts';
import { NON_RETRYABLE_FAILURES, type FailureType } from '../core/failure';
import { addCost, type MicroUsd } from '../core/money';
import { type RunActivities } from './activity-options';
import { failureFact, wasCancelled, type FailureFact } from './failures';
import { isHeld, JudgeWait } from './judge-holding';
import { type Spent } from './run-agent';

/** What the judging part of a run came to. */
export interface JudgingPart {
  readonly aggregate?: AggregateRunResult;
  /** Infrastructure trouble: items it hit stay without a verdict. */
  readonly failure?: FailureFact;
  readonly costMicroUsd: MicroUsd | undefined;
}

interface ItemEnd {
  readonly failure?: FailureFact;
  /** The session waits for trouble of others: the item is tried again. */
  readonly isHeld?: boolean;
  readonly costMicroUsd: MicroUsd | undefined;
}

/** What is shown of a run while it is judged. */
export interface JudgingView {
  judged(judged: number, pending: number): void;
  /** Why all judges wait; `undefined` when they do no more. */
  waits(reason: string | undefined): void;
}

/** Waits that end with one item tried alone; later ones try all at once, so that histories stay bounded. */
const WAITS_WITH_ONE = 3;
const MOST_WAITS = 10;

/** Evidence, checks, one judge activity per undecided item, score. */
export async function runJudging(
  loaded: LoadRunResult,
  activities: RunActivities,
  view: JudgingView,
  spent: Spent,
): Promise<JudgingPart> {
  const run = loaded.reference;
  let items: Items | undefined;
  let unknownIs: FailureType = 'RenderUnavailable';
  try {
    const { viewKey } = await activities.render.renderEvidence({ run });
    unknownIs = 'JudgeMalformed';
    const { pending } = await activities.verdicts.checkItems({ run, viewKey });
    items = new Items(activities, { run, viewKey }, pending, view);
    await items.fanOut(loaded.timings.warmUpMs);
    await items.waitForJudges(new JudgeWait(run, (reason) => view.waits(reason)));
    const { failure } = items;
    if (failure !== undefined && isProviderTrouble(failure.type))
      return { failure, costMicroUsd: items.costMicroUsd };
    const aggregate = await activities.verdicts.aggregateRun({ run, viewKey });
    return {
      aggregate,
      costMicroUsd: items.costMicroUsd,
      ...(failure !== undefined && { failure }),
    };
  } catch (error) {
    if (wasCancelled(error)) {
      // Sessions that were open are not counted: what they paid is read when the lane is loaded again.
      spent.judgeMicroUsd = items?.costMicroUsd ?? 0;
      throw error;
    }
    return { failure: failureFact(error, unknownIs), costMicroUsd: items?.costMicroUsd ?? 0 };
  }
}

/** The items of a run that need a judge, and how far they are. */
class Items {
  private readonly ends = new Map<PendingItem, ItemEnd>();
  private spentMicroUsd: MicroUsd | undefined = 0;

  constructor(
    private readonly activities: Pick<RunActivities, 'judge' | 'heldJudge'>,
    private readonly common: Pick<JudgeItemInput, 'run' | 'viewKey'>,
    private readonly pending: readonly PendingItem[],
    private readonly view: JudgingView,
  ) {
    view.judged(0, pending.length);
  }

  get costMicroUsd(): MicroUsd | undefined {
    return this.spentMicroUsd;
  }

  /** Provider trouble first: it concerns the lane, a single item's failure only that item. */
  get failure(): FailureFact | undefined {
    const failures = [...this.ends.values()].flatMap((end) => end.failure ?? []);
    return failures.find((failure) => isProviderTrouble(failure.type)) ?? failures[0];
  }

  /**
   * The first item warms the provider's prompt cache: the others are scheduled, all at once, when it has ended or after
   * `warmUpMs`. When the first one already met trouble of its provider, the others would meet the same.
   */
  async fanOut(warmUpMs: number): Promise<void> {
    const [first, ...others] = this.pending;
    if (first === undefined) return;
    let warm = false;
    const warming = this.judge(first).finally(() => {
      warm = true;
    });
    if (others.length > 0) await Promise.race([warming, condition(() => warm, warmUpMs)]);
    if (this.concernsAll(first)) return warming;
    await allEnded([warming, ...others.map((item) => this.judge(item))]);
  }

  /** Trouble of one item alone keeps no other from being asked. */
  private concernsAll(item: PendingItem): boolean {
    const end = this.ends.get(item);
    if (end?.failure === undefined) return false;
    const isOfProvider = end.isHeld === true || isProviderTrouble(end.failure.type);
    return isOfProvider || !patched('items-fail-alone');
  }

  /** Until no item waits any more: one is tried alone, the others follow when it has ended. */
  async waitForJudges(wait: JudgeWait): Promise<void> {
    for (let waits = 1; waits <= MOST_WAITS; waits++) {
      const first = this.open.find((item) => this.heldBy(item) !== undefined);
      const trouble = first && this.heldBy(first);
      if (first === undefined || trouble === undefined || !patched('judges-hold')) return;
      if (waits <= WAITS_WITH_ONE) await wait.withOne(trouble, (held) => this.tryHeld(first, held));
      else
        await wait.withAll(trouble, (held) =>
          allEnded(this.open.map((item) => this.tryHeld(item, held))),
        );
      // What was waited for in vain is the lane's to decide.
      if (this.hasWaitedInVain) return;
      if (waits <= WAITS_WITH_ONE) await allEnded(this.open.map((item) => this.judge(item)));
    }
  }

  /** Not decided yet: never tried, or held. */
  private get open(): PendingItem[] {
    return this.pending.filter((item) => this.ends.get(item)?.isHeld ?? !this.ends.has(item));
  }

  private heldBy(item: PendingItem): FailureFact | undefined {
    const end = this.ends.get(item);
    return end?.isHeld === true ? end.failure : undefined;
  }

  private get hasWaitedInVain(): boolean {
    return [...this.ends.values()].some(
      ({ isHeld, failure }) => isHeld !== true && failure && isProviderTrouble(failure.type),
    );
  }

  /** Resolves to trouble of another type than the run waits for. */
  private async tryHeld(item: PendingItem, held: JudgeHold): Promise<FailureFact | undefined> {
    const end = await this.settle(item, held);
    const { failure } = end;
    const isFinal = failure === undefined || isProviderTrouble(failure.type);
    if (isFinal || end.isHeld === true || NON_RETRYABLE_FAILURES.includes(failure.type)) {
      this.note(item, end);
      return end.isHeld === true ? failure : undefined;
    }
    // Failures of other kinds have their own number of tries.
    await this.judge(item);
    return undefined;
  }

  private async judge(item: PendingItem): Promise<void> {
    this.note(item, await this.settle(item));
  }

  private note(item: PendingItem, end: ItemEnd): void {
    this.ends.set(item, end);
    this.spentMicroUsd = addCost(this.spentMicroUsd, end.costMicroUsd);
    this.view.judged(this.pending.length - this.open.length, this.pending.length);
  }

  private async settle(item: PendingItem, held?: JudgeHold): Promise<ItemEnd> {
    const vote = item.vote === 1 ? '' : `, vote ${item.vote}`;
    const summary = `${item.itemId} (${item.level})${vote}`;
    const { judge, heldJudge } = this.activities;
    const { judgeItem } = held === undefined ? judge : heldJudge;
    const input = { ...this.common, item, ...(held !== undefined && { held }) };
    try {
      const { costMicroUsd } = await judgeItem.executeWithOptions({ summary }, [input]);
      return { costMicroUsd };
    } catch (error) {
      if (wasCancelled(error)) throw error;
      const failure = failureFact(error, 'JudgeMalformed');
      return { failure, costMicroUsd: 0, ...(isHeld(error) && { isHeld: true }) };
    }
  }
}

/** Like `Promise.all`, but waits for all of them before it fails. */
async function allEnded(work: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(work);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
