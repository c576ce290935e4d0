import { addCost, addUsage, type MicroUsd, NO_USAGE, type TokenUsage } from '../../core/money';
import { type Verdict } from '../../core/verdict';
import { type JudgeItemTask, type JudgeOutcome, type UnjudgedRound } from './port';
import { type PreparedJudging } from './prepare';
import {
  type FirstSubmission,
  JudgeSession,
  type SessionDependencies,
  type SessionEnd,
} from './session';

/**
 * Decides one item: up to `maxSessions` sessions until a verdict is accepted, then unjudged with the reason.
 * A round that ended unjudged is kept; the same asker gets its end again, another asker new sessions.
 * The verdict is returned, not stored.
 */
export async function judgeItem(
  deps: SessionDependencies,
  prepared: PreparedJudging,
  task: JudgeItemTask,
): Promise<JudgeOutcome> {
  const rounds = await deps.journal.rounds();
  const spent = new Spending(rounds);
  const last = rounds.at(-1);
  if (last?.asker === task.asker) return unjudged(last.reason, spent, last.costMicroUsd);
  const firstSession = (last?.lastSession ?? 0) + 1;
  let session = firstSession;
  let firstRefused: FirstSubmission | undefined;
  for (;;) {
    task.signal.throwIfAborted();
    const end = await new JudgeSession(deps, prepared, task, session).run();
    spent.add(end.conversation);
    firstRefused ??= end.firstRefused;
    if (end.accepted)
      return {
        outcome: 'verdict',
        verdict: toVerdict(deps, task, session, end, firstRefused, spent),
        roundCostMicroUsd: spent.now().costMicroUsd,
      };
    const tried = session - firstSession + 1;
    if (end.hopeless || tried >= prepared.limits.maxSessions) {
      const reason = `${end.reason} (${tried} ${tried === 1 ? 'session' : 'sessions'})`;
      await deps.journal.endRound(rounds.length + 1, {
        v: 1,
        asker: task.asker,
        lastSession: session,
        reason,
        ...spent.now(),
        endedAt: new Date(deps.now()).toISOString(),
      });
      return unjudged(reason, spent, spent.now().costMicroUsd);
    }
    session++;
  }
}

function unjudged(
  reason: string,
  spent: Spending,
  roundCostMicroUsd: MicroUsd | undefined,
): JudgeOutcome {
  return {
    outcome: 'unjudged',
    reason,
    usage: spent.usage,
    costMicroUsd: spent.costMicroUsd,
    roundCostMicroUsd,
  };
}

function toVerdict(
  deps: SessionDependencies,
  task: JudgeItemTask,
  session: number,
  end: SessionEnd,
  firstRefused: FirstSubmission | undefined,
  spent: Spending,
): Verdict {
  const { accepted } = end;
  if (!accepted) throw new Error('a session without an accepted verdict has none to store');
  return {
    v: 1,
    verdictKey: task.verdictKey,
    itemId: task.item.id,
    met: accepted.submission.pass,
    source: 'judge',
    justification: accepted.submission.justification,
    citations: accepted.citations,
    searched: accepted.searched,
    ...(firstRefused === undefined ? {} : { firstSubmission: firstRefused }),
    session,
    turns: end.conversation.turns,
    usage: spent.usage,
    ...(spent.costMicroUsd === undefined ? {} : { costMicroUsd: spent.costMicroUsd }),
    decidedAt: new Date(deps.now()).toISOString(),
  };
}

/** Tokens and money of all sessions that one verdict took, earlier rounds included. */
class Spending {
  usage: TokenUsage = NO_USAGE;
  costMicroUsd: MicroUsd | undefined = 0;
  #usageNow: TokenUsage = NO_USAGE;
  #costNow: MicroUsd | undefined = 0;

  constructor(rounds: readonly UnjudgedRound[]) {
    for (const round of rounds) {
      this.usage = addUsage(this.usage, round.usage);
      this.costMicroUsd = addCost(this.costMicroUsd, round.costMicroUsd);
    }
  }

  add(session: { readonly usage: TokenUsage; readonly costMicroUsd: MicroUsd | undefined }): void {
    this.usage = addUsage(this.usage, session.usage);
    this.costMicroUsd = addCost(this.costMicroUsd, session.costMicroUsd);
    this.#usageNow = addUsage(this.#usageNow, session.usage);
    this.#costNow = addCost(this.#costNow, session.costMicroUsd);
  }

  /** Of the round that is ending. */
  now(): { readonly usage: TokenUsage; readonly costMicroUsd: MicroUsd | undefined } {
    return { usage: this.#usageNow, costMicroUsd: this.#costNow };
  }
}
