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
  /** Provider trouble that ended an exchange for good (retries used up), if the last exchange failed so. */
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
  /** Writes the ATIF v1.7 transcript (images beside it) from the journal; returns its path. */
  writeTranscript(attemptDir: string): Promise<string>;
}

/** Layout of an attempt's folder, `<data>/sandboxes/<attemptId>/`. */
export const ATTEMPT_LAYOUT = {
  /** Mounted at /workspace. */
  workspace: 'workspace',
  /** Mounted at /home/agent: HOME, harness state, the token. */
  home: 'home',
  /** Mounted at /run/startupbench: `gateway.sock`, `end.json`, `start.json`. */
  run: 'run',
  /** Never mounted: state, epoch, gateway.json, journal.bin, lease. */
  control: 'control',
} as const;
