import { type StopReason } from '../../core/run';
import { type HarnessIdentity } from '../../core/sweep';
import { detailOf, readHarnessResult, type HarnessResult } from './harness-result';
import { interpretEnd, type HarnessWord } from './interpret-end';
import { type HarnessAdapter, type HarnessInput, type HarnessPlan } from './port';

/** What a harness's runner may say, and what we call it. */
export type StopReasons = Readonly<Record<string, StopReason>>;

/** Our own words, for runners that are ours to the last line or translate for themselves. */
export const OUR_STOP_REASONS: StopReasons = {
  completed: 'completed',
  step_cap: 'step_cap',
  error: 'error',
  refused: 'refused',
  empty: 'empty',
  cancelled: 'cancelled',
};

/** What nanobot's agent loop says, in the releases that we drive. */
export const NANOBOT_STOP_REASONS: StopReasons = {
  completed: 'completed',
  max_iterations: 'step_cap',
  empty_final_response: 'empty',
  error: 'error',
  tool_error: 'error',
  crashed: 'error',
};

/** A harness whose runner, in the sandbox, leaves a result file that says how it ended. */
export function runnerHarness(
  identity: HarnessIdentity,
  plan: (input: HarnessInput) => HarnessPlan,
  stopReasons: StopReasons,
): HarnessAdapter {
  return {
    identity,
    needsSandbox: true,
    usesModel: true,
    plan,
    interpret: async (exit, intent, files, gatewayLog) => {
      const result = await readHarnessResult(files);
      const transcript = result?.transcript;
      return {
        ...interpretEnd({ exit, intent, gatewayLog, word: result && wordOf(result, stopReasons) }),
        ...(transcript !== null && transcript !== undefined && { nativeTranscript: transcript }),
      };
    },
  };
}

/** The agent can write the result file too: a word that nobody agreed on is no word. */
function wordOf(result: HarnessResult, stopReasons: StopReasons): HarnessWord | undefined {
  const said = result.stopReason ?? '';
  const stopReason = Object.hasOwn(stopReasons, said) ? stopReasons[said] : undefined;
  return stopReason && { stopReason, ...(stopReason !== 'completed' && detailOf(result)) };
}
