import { ACCOUNT_CHECK } from '../../core/account-trouble';
import { addCost, addUsage, type MicroUsd, type TokenUsage } from '../../core/money';
import { type ModelCall, type ModelClient, type ModelReply } from '../models/port';
import { type GateTimings, HeldCall, type JudgeGate } from './judge-gate';

export interface HoldingOptions {
  readonly models: ModelClient;
  readonly gate: JudgeGate;
  readonly timings: GateTimings;
  /** Names the session's item among all that share the gate. */
  readonly session: string;
  /** A person's reason to hold open sessions; `undefined` = calls may be made. */
  readonly pausedBecause: (signal?: AbortSignal) => Promise<string | undefined>;
  /** What account checks of this session cost, kept between its tries. */
  readonly checks: CheckCosts;
}

/**
 * The judge's way to its model: `HeldCall` instead of the trouble of an account that a person or time ends, at once
 * where that trouble is known. All other failures are as `ModelClient` gives them, and `Failure('ProviderFault')`.
 */
export function holdingClient(options: HoldingOptions): ModelClient {
  const { models, gate, timings, session, checks } = options;

  /** Paid by the item that it was made for: its cost is part of the next reply's. */
  async function accountAnswers(call: ModelCall): Promise<boolean> {
    try {
      const body = { ...ACCOUNT_CHECK, model: call.body['model'] };
      checks.add(session, await models.complete({ ...call, body, retryForMs: 0 }));
      return true;
    } catch {
      call.signal?.throwIfAborted();
      return false;
    }
  }

  return {
    complete: async (call) => {
      const reason = await options.pausedBecause(call.signal);
      call.signal?.throwIfAborted();
      if (reason !== undefined) throw new HeldCall('Paused', reason);
      const entry = gate.enter(session, timings);
      let reply: ModelReply;
      try {
        const retryForMs = entry.isProbe ? 0 : timings.retryForMs;
        reply = await models.complete({ ...call, retryForMs });
      } catch (error) {
        call.signal?.throwIfAborted();
        throw await gate.failed(entry, error, timings, () => accountAnswers(call));
      }
      gate.works(session);
      return checks.addedTo(session, reply);
    },
  };
}

interface Paid {
  readonly usage: TokenUsage | undefined;
  readonly costMicroUsd: MicroUsd | undefined;
}

/** What account checks cost before their sessions got a reply. */
export class CheckCosts {
  private readonly paid = new Map<string, readonly Paid[]>();

  add(session: string, { usage, costMicroUsd }: Paid): void {
    this.paid.set(session, [...(this.paid.get(session) ?? []), { usage, costMicroUsd }]);
  }

  /** The reply with what its session paid before; unknown stays unknown. */
  addedTo(session: string, reply: ModelReply): ModelReply {
    const paid = this.paid.get(session);
    if (paid === undefined) return reply;
    this.paid.delete(session);
    return paid.reduce<ModelReply>(
      (sum, { usage, costMicroUsd }) => ({
        ...sum,
        usage: sum.usage && usage && addUsage(sum.usage, usage),
        costMicroUsd: addCost(sum.costMicroUsd, costMicroUsd),
      }),
      reply,
    );
  }
}
