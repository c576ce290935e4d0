import { type AttemptLimits } from '../../core/limits';
import { type ExitRecord } from '../../core/run';

export interface SandboxLabels {
  readonly stack: string;
  readonly hostId: string;
  readonly runKey: string;
  readonly runId: string;
  readonly generation: number;
  readonly attempt: number;
  /** Temporal workflow id of the run: the reaper asks whether it is closed. */
  readonly workflowId: string;
}

/** What it takes to find a sandbox. */
export interface SandboxAddress {
  /** Names container and folder: `<stack>-<runKey first 16>-g<n>-a<k>`. */
  readonly attemptId: string;
  readonly attemptDir: string;
}

export interface SandboxSpecification extends SandboxAddress {
  readonly labels: SandboxLabels;
  /** Full tag of an image that is on this host. */
  readonly image: string;
  /** What the supervisor in the container runs; neither it nor its environment is in the container's own record. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** File inside the sandbox that becomes the command's standard input; default nothing. */
  readonly standardInput?: string;
  readonly limits: AttemptLimits;
}

export type KillIntent = 'timeout' | 'cancelled' | 'disk';

/** Stack, run and attempt in one name that Docker accepts. */
export function attemptIdOf(
  labels: Pick<SandboxLabels, 'stack' | 'runKey' | 'generation' | 'attempt'>,
): string {
  return `${labels.stack}-${labels.runKey.slice(0, 16)}-g${labels.generation}-a${labels.attempt}`;
}

/** Resolved when the sandbox has ended by itself or by our written intent. */
export interface SandboxEnd {
  readonly exit: ExitRecord;
  readonly intent: KillIntent | undefined;
  readonly imageDigest: string;
}

/**
 * A container per attempt. States reserved, created, started, ended are fsynced in the attempt's folder.
 * Throws `Failure('DockerUnavailable')` (retryable) when the daemon cannot be reached, `Failure('SandboxLost')`
 * when the container ended without an end record and without our intent, or is gone.
 */
export interface Sandbox {
  /** Creates and starts, or adopts what exists under this attempt's name; returns when it runs or has ended. */
  startOrAdopt(specification: SandboxSpecification): Promise<void>;
  /** Waits for the end. Aborting the signal detaches: the container runs on. */
  wait(specification: SandboxSpecification, signal: AbortSignal): Promise<SandboxEnd>;
  /** Writes the intent, then stops the container (asks, then forces). Idempotent. */
  stop(address: SandboxAddress, intent: KillIntent): Promise<void>;
  /** Removes container, mounts and folder; bounded in time. */
  remove(address: SandboxAddress): Promise<void>;
}
