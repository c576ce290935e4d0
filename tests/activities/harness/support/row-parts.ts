import { type TranscriptStep } from '../../../../activities/gateway/transcript-schema';
import { type FailureType } from '../../../../core/failure';
import { type StopReason } from '../../../../core/run';
import { type Harness, HARNESSES } from './harness-facts';
import { type ConformanceResult, type Script, type ScriptedRun } from './scripted-run';

/** How a run must end. */
export interface End {
  readonly stop: StopReason | { readonly lost: FailureType };
  readonly steps: number;
  /** Model requests that were answered, or given up, whatever their kind. */
  readonly requests: number;
}
export const end = (stop: End['stop'], steps: number, requests: number): End => ({
  stop,
  steps,
  requests,
});
export const alike = (of: End): Readonly<Record<Harness, End>> => ({
  nanobot: of,
  'nanobot-paper': of,
  hermes: of,
  'claude-code': of,
  minimal: of,
});

/** One way to end, the same for all. */
export interface Row {
  readonly title: string;
  readonly run: (harness: Harness) => Omit<ScriptedRun, 'id' | 'harness'>;
  readonly ends: Readonly<Record<Harness, End>>;
  /** Its trouble is the account's, which holds the requests of all others: it needs a gateway of its own. */
  readonly alone?: true;
  /** Also holds. */
  readonly check?: (result: ConformanceResult, harness: Harness) => void;
}

export const call = (harness: Harness, command: string) => ({
  tools: [{ name: HARNESSES[harness].shell, arguments: { command } }],
});
export const DONE = { text: 'delivered' };
// It also needs what only a right PATH finds.
export const ANSWER = 'command -v python3 soffice && cat query/task.md > results/answer.txt';
export const answerThenDone = (harness: Harness): Script => ({
  turns: [call(harness, ANSWER), DONE],
});
export const delivers =
  (files: Readonly<Record<string, string>>) =>
  ({ deliverables }: ConformanceResult) =>
    expect(deliverables).toEqual(files);
export const deliversAnswer = delivers({ 'answer.txt': 'Write hello.' });

/** Steps of the transcript that are a model's replies. */
export function replied({ transcript }: ConformanceResult): TranscriptStep[] {
  return transcript.steps.filter(({ llm_call_count: calls }) => calls === 1);
}
