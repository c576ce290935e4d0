import { type MicroUsd, type TokenUsage } from '../../core/money';
import { type RubricItem } from '../../core/rubric';
import { type JudgeConfiguration } from '../../core/sweep';
import { type Verdict } from '../../core/verdict';
import { type EvidenceReader } from '../evidence/port';
import { type ReplayContext } from '../models/port';

/** Read-only Python over the original files, no network; state is reset between sessions. */
export interface Inspector {
  readonly recipe: string;
  /** Opens a session whose files lie at /evidence/{results,inputs}/...; throws `Failure('DockerUnavailable')`. */
  open(evidence: EvidenceReader): Promise<InspectorSession>;
}
export interface InspectorSession {
  run(
    code: string,
    timeoutMs: number,
  ): Promise<{ readonly output: string; readonly timedOut: boolean }>;
  close(): Promise<void>;
}

/** Journal of one verdict's sessions: each turn is put if absent before it is used, and replayed afterwards. */
export interface JudgeJournal {
  /** Returns what is stored under (session, turn): the given content, or what an earlier try stored. */
  record(session: number, turn: number, make: () => Promise<unknown>): Promise<unknown>;
}

export interface JudgeSessionInput {
  readonly judge: JudgeConfiguration;
  readonly verdictKey: string;
  readonly item: RubricItem;
  readonly taskText: string;
  readonly evidence: EvidenceReader;
  /** HMAC boundary, constant over a run, unknown to agents. */
  readonly boundary: string;
  readonly context: ReplayContext;
  readonly signal: AbortSignal;
}

export type JudgeSessionResult =
  | { readonly outcome: 'verdict'; readonly verdict: Verdict }
  | {
      readonly outcome: 'unjudged';
      readonly reason: string;
      readonly usage: TokenUsage;
      readonly costMicroUsd: MicroUsd | undefined;
    };
