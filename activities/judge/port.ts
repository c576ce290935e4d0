import { type ReplayContext } from '../models/port';
import { type EvidenceReader } from '../evidence/port';
import { type MicroUsd, type ModelPrices, type TokenUsage } from '../../core/money';
import { type RubricItem } from '../../core/rubric';
import { type JudgeConfiguration } from '../../core/sweep';
import { type Verdict } from '../../core/verdict';

/** Python over the original files, read-only and without network; nothing is left of a closed session. */
export interface Inspector {
  readonly recipe: string;
  /** Opens a session whose files lie at /evidence/{results,inputs}/...; throws `Failure('DockerUnavailable')`. */
  open(evidence: EvidenceReader): Promise<InspectorSession>;
}
export interface InspectorSession {
  /** Runs Python; its processes are gone when this returns. Output is bounded. */
  run(code: string, timeoutMs: number): Promise<ProgramEnd>;
  /** Runs a delivered program (`results/...`, .py or .sh) in a container of its own, over a copy of the files. */
  runDelivered(
    path: string,
    programArguments: readonly string[],
    timeoutMs: number,
  ): Promise<ProgramEnd>;
  close(): Promise<void>;
}

/** What a program printed (bounded; both streams in one) and how it ended. */
export interface ProgramEnd {
  readonly output: string;
  readonly timedOut: boolean;
  /** Negative: the signal that ended it; `undefined` when it could not be told. */
  readonly exitCode: number | undefined;
  /** The program's own time; starting and waiting for a container are not in it. */
  readonly durationMs: number;
}

/** Journal of one verdict's sessions: each turn is put if absent before it is used, and replayed afterwards. */
export interface JudgeJournal {
  /** What an earlier try stored under (session, turn); `undefined` when nothing. */
  read(session: number, turn: number): Promise<unknown>;
  /** Stores what `make` returns, and returns what is stored: that, or what another executor stored first. */
  record(session: number, turn: number, make: () => Promise<unknown>): Promise<unknown>;
  /** Rounds that ended unjudged, oldest first: a later round begins with new sessions. */
  rounds(): Promise<readonly UnjudgedRound[]>;
  /** Stores the end of a round that gave no verdict, once. */
  endRound(number: number, round: UnjudgedRound): Promise<void>;
}

/** One ask for a verdict that gave none. */
export interface UnjudgedRound {
  readonly v: 1;
  /** Names who asked (a workflow run): the same asker gets this end again, another one new sessions. */
  readonly asker: string;
  readonly lastSession: number;
  readonly reason: string;
  readonly usage: TokenUsage;
  readonly costMicroUsd: MicroUsd | undefined;
  readonly endedAt: string;
}

/** One item to decide. Everything before the item is prepared once a run (`prepareJudging`). */
export interface JudgeItemTask {
  readonly judge: JudgeConfiguration;
  readonly prices: ModelPrices | undefined;
  readonly verdictKey: string;
  readonly item: Pick<RubricItem, 'id' | 'text'>;
  readonly context: ReplayContext;
  /** See `UnjudgedRound.asker`. */
  readonly asker: string;
  readonly signal: AbortSignal;
}

export type JudgeOutcome =
  | {
      readonly outcome: 'verdict';
      readonly verdict: Verdict;
      /** Spent in this round; the verdict has the sum over all rounds. */
      readonly roundCostMicroUsd: MicroUsd | undefined;
    }
  | {
      readonly outcome: 'unjudged';
      readonly reason: string;
      /** Of all sessions so far, earlier rounds included. */
      readonly usage: TokenUsage;
      readonly costMicroUsd: MicroUsd | undefined;
      readonly roundCostMicroUsd: MicroUsd | undefined;
    };
