import { type ProviderFault } from '../../../../activities/models/provider-faults';
import { type Transcript } from '../../../../activities/gateway/transcript-schema';
import { type AttemptRecord } from '../../../../core/run';
import { type WorldOptions } from '../../agent/support/agent-world';

/** What the scripted provider plays for one run; the text of a recording file. */
export interface Script {
  readonly turns: readonly {
    readonly text?: string;
    readonly tools?: readonly { readonly name: string; readonly arguments: unknown }[];
    readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
    readonly finish?: 'length' | 'content_filter';
  }[];
  readonly loop?: boolean;
}

export interface ScriptedRun extends Omit<WorldOptions, 'taskId' | 'model'> {
  /** Names the run's task and recording; unique on a bench. */
  readonly id: string;
  readonly script: Script;
  readonly faults?: readonly Partial<ProviderFault>[];
  /** Instead of what the adapter plans, variable by variable. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Appended to what the harness gets as its prompt. */
  readonly morePrompt?: string;
  /**
   * Once a file lies in `results/`: a person cancels, the host's clock says that the working time is over, or a file
   * `go` is put into the workspace.
   */
  readonly whenDelivered?: 'cancel' | 'time is over' | 'let go';
  /** That file. @default 'answer.txt' */
  readonly awaited?: string;
  /** The host's clock stands still, so that only the gateway's own says when the working time is over. */
  readonly hostClockStands?: boolean;
  /** Worker and gateway are killed twice on the way; for a bench of the run's own. */
  readonly killed?: boolean;
}

/** What is left of a run in the store, and what the provider saw of it. */
export interface ConformanceResult {
  readonly record: AttemptRecord;
  readonly transcript: Transcript;
  /** The same, as it lies in the store. */
  readonly transcriptText: string;
  /** Replies that the provider gave, by its own count. */
  readonly providerReplies: number;
  /** Path below `results/` to content; of an attempt that ended. */
  readonly deliverables: Readonly<Record<string, string>>;
  /** What the harness printed. */
  readonly printed: string;
  /** The harness's own log. */
  readonly native: string | undefined;
}

/** The host's clock, which a test may put forward: how long a harness takes to start is nobody's promise. */
export class SkewedClock {
  skewMs = 0;
  private readonly startedMs = Date.now();

  constructor(private readonly stands = false) {}

  readonly now = (): Date => new Date((this.stands ? this.startedMs : Date.now()) + this.skewMs);
}
