import { type AttemptLimits } from '../../core/limits';
import { type AttemptState, waitedMs } from './attempt-state';
import { type RequestKind } from './journal-frames';
import { type GatewayEnd } from './port';

/** What may happen with a request now. `wait`: an open exchange decides, ask again when one has ended. */
export type Admission =
  | { readonly kind: 'go'; readonly finalisation: boolean }
  | { readonly kind: 'wait' }
  | { readonly kind: 'refuse'; readonly reason: GatewayEnd };

/** Exchanges of one attempt that may be open at once; further requests wait. */
export const MOST_OPEN_EXCHANGES = 8;

/** What a request is: `callable` says whether it offers tools that the model may call. */
export function kindOf(callable: boolean, subagent = false): RequestKind {
  if (!callable) return 'auxiliary';
  return subagent ? 'subagent' : 'main';
}

/**
 * The step rule. A step is one successful reply to a request that offers callable tools, subagents apart: their
 * replies are no steps and would multiply them, so they use up the same cap. After `maxSteps` such replies a request
 * with tools is refused; one request without tools is let through beyond the cap, so that the harness can end with a
 * text. The other limits refuse every request.
 */
export function admit(
  kind: RequestKind,
  state: AttemptState,
  limits: AttemptLimits,
  nowMs: number,
): Admission {
  if (state.closed) return { kind: 'refuse', reason: state.end ?? 'closed' };
  const spent = spentLimit(state, limits, nowMs);
  if (spent !== undefined) return { kind: 'refuse', reason: spent };
  const open = [...state.unfinished.values()];
  if (open.length >= MOST_OPEN_EXCHANGES) return { kind: 'wait' };
  if (state.modelRequests + open.length >= limits.maxModelRequests)
    return open.length > 0 ? { kind: 'wait' } : { kind: 'refuse', reason: 'request_cap' };
  const used = state.steps + state.subagentReplies;
  if (used < limits.maxSteps) {
    const openLoops = open.filter((other) => other.kind !== 'auxiliary').length;
    // Open ones may become steps: one too many must not get through beside them.
    if (kind !== 'auxiliary' && used + openLoops >= limits.maxSteps) return { kind: 'wait' };
    return { kind: 'go', finalisation: false };
  }
  if (kind === 'auxiliary' && !state.finalised)
    return open.some((other) => other.finalisation)
      ? { kind: 'wait' }
      : { kind: 'go', finalisation: true };
  return { kind: 'refuse', reason: 'step_cap' };
}

function spentLimit(
  state: AttemptState,
  limits: AttemptLimits,
  nowMs: number,
): GatewayEnd | undefined {
  if (limits.workingTimeMs !== undefined && workingTimeMs(state, nowMs) >= limits.workingTimeMs)
    return 'timeout';
  if (limits.maxCostMicroUsd !== undefined) {
    // A cap that cannot be checked any more is treated as reached.
    if (state.costMicroUsd === undefined || state.costMicroUsd >= limits.maxCostMicroUsd)
      return 'budget';
  }
  if (limits.maxTotalTokens !== undefined) {
    const tokens = state.usage.inputTokens + state.usage.outputTokens;
    if (state.usageUnknown || tokens >= limits.maxTotalTokens) return 'tokens';
  }
  return undefined;
}

/** Time since the attempt was opened, without queueing, retries, holding and absence of the gateway. */
export function workingTimeMs(state: AttemptState, nowMs: number): number {
  if (state.openedAtMs === undefined) return 0;
  return Math.max(0, nowMs - state.openedAtMs - waitedMs(state, nowMs));
}

/** What the harness is told at a limit; the agent may read it. */
export function refusalText(reason: GatewayEnd, limits: AttemptLimits): string {
  const texts: Record<GatewayEnd, string> = {
    step_cap: `The limit of ${limits.maxSteps} model replies with tools is reached.`,
    request_cap: `The limit of ${limits.maxModelRequests} model requests is reached.`,
    budget: 'The cost limit of this attempt is reached.',
    tokens: `The limit of ${limits.maxTotalTokens ?? 0} tokens is reached.`,
    timeout: `The working time of ${Math.round((limits.workingTimeMs ?? 0) / 1_000)} s is used up.`,
    closed: 'This attempt has ended.',
  };
  return texts[reason];
}
