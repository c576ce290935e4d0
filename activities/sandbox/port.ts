import { type AttemptLimits } from '../../core/limits';
import { type ExitRecord } from '../../core/run';

export interface SandboxLabels {
  readonly stack: string;
  readonly hostId: string;
  readonly runKey: string;
  readonly runId: string;
  readonly generation: number;
  readonly attempt: number;
}

export interface SandboxSpecification {
  /** Names container and folder: `<stack>-<runKey first 16>-g<n>-a<k>`. */
  readonly attemptId: string;
  readonly attemptDir: string;
  readonly labels: SandboxLabels;
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: AttemptLimits;
}

export type KillIntent = 'timeout' | 'cancelled' | 'disk';

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
  stop(specification: SandboxSpecification, intent: KillIntent): Promise<void>;
  /** Removes container, mounts and folder; bounded in time. */
  remove(specification: SandboxSpecification): Promise<void>;
}
