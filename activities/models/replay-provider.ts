import { type ProviderTurn } from './provider-reply';
import { type ProviderRequest } from './provider-request';
import { loadRecording, type Recording, recordingCandidates } from './recordings';

const PAST_THE_END: ProviderTurn = {
  text: '(the recording has no further turn)',
  tools: [],
};

/** Answers from recordings, picked by task, repetition (and item) and by the number of assistant turns so far. */
export function createReplayProvider(
  recordingsDir: string,
): (request: ProviderRequest) => Promise<ProviderTurn> {
  const cache = new Map<string, { readonly mtimeMs: number; readonly recording: Recording }>();
  return async (request) => {
    const recording = await loadRecording(recordingsDir, recordingCandidates(request), cache);
    const recorded =
      recording.turns[request.turn] ?? (recording.loop ? recording.turns.at(-1) : undefined);
    if (recorded === undefined) return PAST_THE_END;
    if (recorded.tools.length === 0 || request.tools.length > 0) return recorded;
    // A closing request of a harness offers no tools: a model could not call any either.
    const { finish: _finish, ...turn } = recorded;
    return { ...turn, tools: [], text: recorded.text ?? '(the recorded turn calls tools)' };
  };
}
