import { type TokenUsage } from '../../core/money';
import { type GatewayEnd } from './port';

/** `main` and `subagent` = may call tools, in the harness's main loop or beside it; everything else is auxiliary. */
export type RequestKind = 'main' | 'subagent' | 'auxiliary';

/**
 * A message list without repeating what an earlier request held: the first `keep` messages of exchange `base`,
 * then `add`. Numbers name `blob` frames. So a transcript of n steps grows with n, not with its square.
 */
export interface RequestRecord {
  readonly base?: number;
  readonly keep: number;
  readonly add: readonly number[];
  readonly tools?: number;
  /** Everything else that was sent to the provider. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A message or a tool list, stored once; images in it are replaced by `startupbench-image:<sha256>`. */
export interface BlobFrame {
  readonly t: 'blob';
  readonly n: number;
  /** sha256 of the JSON text as it came, images included. */
  readonly sha256: string;
  readonly value: unknown;
}
export interface ImageFrame {
  readonly t: 'image';
  /** sha256 of the image's bytes. */
  readonly sha256: string;
  readonly mediaType: string;
  readonly base64: string;
}
export interface OpenedFrame {
  readonly t: 'opened';
  readonly at: string;
}
/** A gateway process took the attempt over after `awayMs` in which none served it. */
export interface ResumedFrame {
  readonly t: 'resumed';
  readonly at: string;
  readonly awayMs: number;
}
/** A request that goes to the provider. Without an `ended` frame of the same number its reply was lost. */
export interface BegunFrame {
  readonly t: 'begun';
  readonly e: number;
  readonly at: string;
  readonly deliveryId: string;
  /** sha256 of the request body as it came. */
  readonly bodySha256: string;
  readonly kind: RequestKind;
  /** The one tool-less request beyond the step cap. */
  readonly finalisation: boolean;
  readonly request: RequestRecord;
  /** What was not passed on. */
  readonly dropped: readonly string[];
}
interface EndedFacts {
  readonly t: 'ended';
  readonly e: number;
  readonly at: string;
  /** The answered call's own time. */
  readonly durationMs: number;
  /** Queueing, holding, failed tries, absence of the gateway. */
  readonly waitedMs: number;
  readonly failedTries: number;
}
export interface RepliedFrame extends EndedFacts {
  readonly outcome: 'reply';
  readonly completion: Readonly<Record<string, unknown>>;
  readonly usage?: TokenUsage;
  readonly costMicroUsd?: number;
  readonly reportedModel?: string;
  /** What was lost in translation between our form and the provider's. */
  readonly dropped?: readonly string[];
  readonly startedAt: string;
}
/** The provider refused the request (the agent's result), or the attempt was closed meanwhile. */
export interface RefusedFrame extends EndedFacts {
  readonly outcome: 'refused' | 'aborted';
  readonly status: number;
  readonly message: string;
  readonly contentRefused: boolean;
}
/** Provider trouble after all retries: infrastructure. */
export interface TroubleFrame extends EndedFacts {
  readonly outcome: 'trouble';
  readonly type: string;
  readonly message: string;
}
export type EndedFrame = RepliedFrame | RefusedFrame | TroubleFrame;
/** A small call of our own failed: nothing came, and nothing was paid. */
export interface UnansweredFrame {
  readonly t: 'unanswered';
  readonly e: number;
  readonly at: string;
}
/** The exchange waits; nothing of it is out. */
export interface HeldFrame {
  readonly t: 'held';
  readonly e: number;
  readonly at: string;
  /** A failure type of the account, or `Paused` (a person), `NoWorker` (no fresh lease). */
  readonly type: string;
  readonly message: string;
}
/** It goes out again. */
export interface ReleasedFrame {
  readonly t: 'released';
  readonly e: number;
  readonly at: string;
}
/** A request was refused at a limit. Written for the first `MOST_REFUSALS` (by older versions: for the first one). */
export interface LimitFrame {
  readonly t: 'limit';
  readonly at: string;
  readonly reason: GatewayEnd;
}
/**
 * Here a whole frame could not be read, and it and all behind it was cut off: the disk or somebody changed the file.
 * What those frames cost is unknown. (A process that dies leaves a short frame, which says nothing.)
 */
export interface DamagedFrame {
  readonly t: 'damaged';
  /** How many were cut off. */
  readonly bytes: number;
}
export interface ClosedFrame {
  readonly t: 'closed';
  readonly at: string;
  readonly reason: GatewayEnd;
}
export type JournalFrame =
  | BlobFrame
  | ImageFrame
  | OpenedFrame
  | ResumedFrame
  | BegunFrame
  | EndedFrame
  | UnansweredFrame
  | HeldFrame
  | ReleasedFrame
  | LimitFrame
  | DamagedFrame
  | ClosedFrame;
