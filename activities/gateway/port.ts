import { type AttemptLimits } from '../../core/limits';
import { type ModelPrices } from '../../core/money';
import { type ModelTraffic } from '../../core/run';
import { type ModelIdentity } from '../../core/sweep';
import { type ReplayContext } from '../models/port';

/** Written to `<attemptDir>/control/gateway.json` before the attempt starts: all the gateway needs to serve it. */
export interface GatewayAttempt {
  readonly v: 1;
  readonly attemptId: string;
  readonly runId: string;
  /** sha256 of the bearer token that the sandbox holds; the token itself is in `home` only. */
  readonly tokenSha256: string;
  readonly model: ModelIdentity;
  readonly prices: ModelPrices | undefined;
  readonly limits: AttemptLimits;
  readonly context: ReplayContext;
  readonly harness: { readonly name: string; readonly version: string };
  /** Age from which the lease counts as gone: upstream calls are held. @default 300000 (5 minutes) */
  readonly leaseMs?: number;
  /** Ends an upstream call in which nothing comes for this long; tried again. @default 300000 (5 minutes) */
  readonly inactivityTimeoutMs?: number;
  /** How long transport faults of one call are tried again before its exchange is held. @default 60000 */
  readonly retryForMs?: number;
  /** How long an attempt is held for trouble of its account, from its first fault since a reply. @default 43200000 (12 hours) */
  readonly holdForMs?: number;
  /** First pause between tries of held exchanges; doubled up to twelve times this. @default 5000 */
  readonly probeMs?: number;
}

/** Why the gateway stopped serving or refused; first one wins. */
export type GatewayEnd = 'step_cap' | 'request_cap' | 'budget' | 'tokens' | 'timeout' | 'closed';

/** Facts about an attempt's traffic, from its journal. */
export interface GatewayLog {
  readonly traffic: ModelTraffic;
  readonly end: GatewayEnd | undefined;
  /** Finish reason and error of the last exchange. */
  readonly lastFinishReason: string | undefined;
  readonly lastError: { readonly status: number; readonly message: string } | undefined;
  /** Provider trouble that ended an exchange for good: held as long as may be, or the request itself is at fault. */
  readonly trouble: { readonly type: string; readonly message: string } | undefined;
  readonly refused: boolean;
  readonly emptyReply: boolean;
  readonly answeredMs: number;
  readonly waitedMs: number;
}

/** Control of the gateway process from a worker on the same host. Every call is idempotent. */
export interface GatewayControl {
  /** Makes sure the process runs (starts it detached when it does not). */
  ensureRunning(): Promise<void>;
  /** Starts to serve `<attemptDir>/run/gateway.sock`; after a restart the gateway does so by itself. */
  open(attemptDir: string): Promise<void>;
  /** Raises the attempt's lease: without it the gateway makes no upstream call for this attempt. */
  renewLease(attemptDir: string): Promise<void>;
  /** Ends service: later requests get 402; the token is dead. Waits for the exchange in flight at most `graceMs`. */
  close(attemptDir: string, reason: GatewayEnd, graceMs: number): Promise<void>;
  readLog(attemptDir: string): Promise<GatewayLog>;
  /** What keeps exchanges waiting on the provider's side; `undefined` while calls are made. Reads a small file. */
  holding(attemptDir: string): Promise<Holding | undefined>;
  /** Whether anything is held now, for whatever cause; then no working time passes. Reads small files. */
  isHeld(attemptDir: string): Promise<boolean>;
  /** Holds every exchange that is not out yet, for a person's reason; `undefined` lets them go. */
  pause(attemptDir: string, reason: string | undefined): Promise<void>;
  /** Lets held exchanges of every account try at once; does nothing while no gateway runs. */
  tryHeld(): Promise<void>;
  /**
   * Writes the ATIF v1.7 transcript (images beside it, in `images/`) from the journal; returns its path. `end` goes
   * to the transcript's root extra.
   */
  writeTranscript(attemptDir: string, end?: TranscriptEnd): Promise<string>;
}

/** Provider trouble that exchanges wait for. */
export interface Holding {
  /** A failure type: ProviderAuth, ModelUnknown, ProviderQuota, ProviderUnavailable, ConfigMissing. */
  readonly type: string;
  readonly message: string;
  /** UTC, ISO 8601. */
  readonly since: string;
}

/** How the attempt ended, in our words; ATIF has no field for it. */
export interface TranscriptEnd {
  readonly stopReason: string;
  readonly stopDetail?: string;
  /** Set where the journal's end is missing. */
  readonly incomplete?: true;
}

/**
 * Layout of an attempt's folder, `<data>/sandboxes/<attemptId>/`. `disk/` is a file system of bounded size where the
 * host can mount one, else a plain folder.
 */
export const ATTEMPT_LAYOUT = {
  /** Mounted at /workspace. */
  workspace: 'disk/workspace',
  /** Mounted at /home/agent: HOME, harness state, the token. */
  home: 'disk/home',
  /** Mounted read-only at /run/startupbench: `gateway.sock`. */
  run: 'run',
  /** Never mounted: state, epoch, gateway.json, journal.bin, lease. */
  control: 'control',
} as const;
