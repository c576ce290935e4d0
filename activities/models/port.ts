import { type MicroUsd, type ModelPrices, type TokenUsage } from '../../core/money';
import { type ModelIdentity } from '../../core/sweep';

/** What replay and simulated providers are told beside the request; sent to no other account. */
export interface ReplayContext {
  readonly purpose: 'agent' | 'judge';
  readonly taskId: string;
  readonly repetition: number;
  /** Recordings of the run that is judged (judge only): the lane's recordings name, or the harness's name. */
  readonly subject?: string;
  readonly itemId?: string;
}

/** A complete Chat Completions request (JSON body without `stream`) for one call. */
export interface ModelCall {
  readonly model: ModelIdentity;
  readonly body: Readonly<Record<string, unknown>>;
  readonly context: ReplayContext;
  /** Ends the call when the provider sends nothing for this long. */
  readonly inactivityTimeoutMs: number;
  /** How long transport faults are retried, from the first fault. @default 900000 (15 minutes) */
  readonly retryForMs?: number;
  /** Prices frozen by the plan; without them the account's are used, and else the catalog's. */
  readonly prices?: ModelPrices;
  readonly signal?: AbortSignal;
  /** Whose turn it takes when the account's places are scarce. @default what the context says */
  readonly caller?: { readonly lane: string; readonly party: string };
  /** Called when a try goes out, after whatever waiting for a place or a retry. */
  readonly onSent?: () => void;
}

/** A completed reply; transport faults never come here. */
export interface ModelReply {
  /** Chat completion as the provider gave it (streams already joined). */
  readonly completion: Readonly<Record<string, unknown>>;
  readonly usage: TokenUsage | undefined;
  readonly costMicroUsd: MicroUsd | undefined;
  readonly reportedModel: string | undefined;
  readonly startedAt: string;
  /** The answered call's own time; queueing and failed tries are not in it. */
  readonly durationMs: number;
  readonly failedTries: number;
  /** What was lost in translation to the account's protocol and back. */
  readonly dropped?: readonly string[];
  readonly waitedMs: number;
  /** Whether the provider streamed it. */
  readonly streamed?: boolean;
}

/** How a call went, as far as it says something about the account's capacity. */
export type PlaceOutcome =
  | { readonly kind: 'succeeded' | 'failed' }
  | { readonly kind: 'overloaded'; readonly retryAfterMs: number | undefined };

export interface PlaceRequest {
  readonly account: string;
  /** The operator's limit of calls at once on this host. */
  readonly maxConcurrency: number;
  readonly lane: string;
  readonly party: string;
  /** True when the same call failed before. */
  readonly again: boolean;
}

/** Permission for one try of a call. Must be released; further releases do nothing. */
export interface Place {
  release(outcome: PlaceOutcome): void;
}

/** Gives out an account's places, fairly between lanes and their parties; fewer while the provider says "too many". */
export interface Places {
  /** Waits for a place. Rejects with the signal's reason when aborted. */
  acquire(request: PlaceRequest, signal?: AbortSignal): Promise<Place>;
}

/**
 * One place that talks to providers: per-account concurrency, retries of transport faults (429, 5xx, resets,
 * stalls) and nothing else. Throws `Failure` with ProviderAuth, ModelUnknown, ProviderQuota, ProviderUnavailable,
 * or `InvalidInput` for a request the provider refuses (400 and kin; `cause` has status and body).
 */
export interface ModelClient {
  complete(call: ModelCall): Promise<ModelReply>;
}
