import { type AttemptLimits } from '../../core/limits';
import { type ExitRecord, type StopReason } from '../../core/run';
import { type HarnessIdentity } from '../../core/sweep';
import { type GatewayLog } from '../gateway/port';

/** Paths inside the sandbox. */
export const SANDBOX_PATHS = {
  workspace: '/workspace',
  home: '/home/agent',
  run: '/run/startupbench',
  /** The forwarder's address; harnesses use it as their provider. */
  gatewayUrl: 'http://127.0.0.1:8080/v1',
} as const;

export interface HarnessInput {
  readonly harness: HarnessIdentity;
  readonly limits: AttemptLimits;
  readonly prompt: string;
  /** What the harness calls the model; the gateway replaces it. */
  readonly modelAlias: string;
  readonly token: string;
}

/** What the sandbox has to run. The prompt is never in `command`. */
export interface HarnessPlan {
  /** Image name (`nanobot`, `agent`), resolved to a tag by the sandbox. */
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Written into HOME before the start, path below it to content. */
  readonly homeFiles: Readonly<Record<string, string>>;
  /** Fed to the command's standard input. */
  readonly standardInput?: string;
}

export interface HarnessFiles {
  readonly standardOutput: string;
  readonly standardError: string;
  /** Reads a file below HOME, `undefined` when absent; bounded to 16 MiB, links are not followed. */
  readHomeFile(path: string): Promise<Uint8Array | undefined>;
}

export interface HarnessVerdict {
  readonly stopReason: StopReason;
  readonly detail?: string;
  /** Path below HOME of the harness's own log, kept beside the transcript. */
  readonly nativeTranscript?: string;
}

/** What ended the attempt from our side, if anything; takes precedence over every other sign. */
export type OurIntent = 'timeout' | 'cancelled' | 'disk' | undefined;

/**
 * One agent program. Precedence for the stop reason: what we did, then the gateway's word (cap, budget,
 * last exchange), then the harness's word, then the exit code.
 */
export interface HarnessAdapter {
  readonly identity: HarnessIdentity;
  /** False: no container; `deliver` makes the deliverables (simulated, oracle, nop). */
  readonly needsSandbox: boolean;
  /** False: it asks no model, and no gateway serves it (oracle, nop). */
  readonly usesModel: boolean;
  plan?(input: HarnessInput): HarnessPlan;
  interpret(
    exit: ExitRecord | undefined,
    intent: OurIntent,
    files: HarnessFiles | undefined,
    gatewayLog: GatewayLog | undefined,
  ): Promise<HarnessVerdict>;
  /** Harnesses without a container: makes `results/` below the attempt's workspace. */
  deliver?(input: DeliverInput): Promise<void>;
}

export interface DeliverInput {
  readonly workspace: string;
  /** Reference deliverables, for `oracle` only: path below `results/` to content. */
  readonly reference: ReadonlyMap<string, Uint8Array>;
  /** Unix socket and token of the attempt's gateway, for `simulated`. */
  readonly gatewaySocket: string;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly limits: AttemptLimits;
}
