import { type ConformanceResult, type Script, type ScriptedRun } from './scripted-run';
import { type Harness, HARNESSES } from './harness-facts';

/** Three replies; behind the second the harness waits in a command until it is let go. */
export function interruptible(harness: Harness): Omit<ScriptedRun, 'id'> {
  const call = (command: string) => ({
    tools: [{ name: HARNESSES[harness].shell, arguments: { command } }],
  });
  const script: Script = {
    turns: [
      call('echo one > results/one.txt'),
      call(
        'echo two > results/two.txt; until [ -e go ]; do sleep 0.1; done; rm go; echo three > results/three.txt',
      ),
      { text: 'delivered' },
    ],
  };
  return { harness, script, whenDelivered: 'let go', awaited: 'two.txt' };
}

/** What must not tell whether anything was killed on the way. */
export function whatIsLeft(result: ConformanceResult) {
  const { record, transcript, deliverables, native, providerReplies } = result;
  const { steps, modelRequests, auxiliaryRequests, toolCalls } = record.traffic!;
  return {
    outcome: [record.outcome, record.attempt, record.stopReason, record.exit?.exitCode],
    traffic: { steps, modelRequests, auxiliaryRequests, toolCalls },
    providerReplies,
    deliverables,
    // Ours says that a try was lost; nobody else may know.
    transcript: transcript.steps
      .filter(({ extra }) => extra?.['error'] === undefined)
      .map(({ source, message, tool_calls: calls, observation }) =>
        timeless({ source, message, calls, observation }),
      ),
    native: native
      ?.split('\n')
      .filter((line) => line !== '' && !BY_THE_CLOCK.test(line))
      .map((line) => timeless(JSON.parse(line))),
  };
}

/** Claude Code's notes for a later resume: written when a timer says so. */
const BY_THE_CLOCK = /"type":"(?:last-prompt|atis-latch)"/u;
const OF_ONE_RUN = /time|stamp|latency|duration|uuid|^id$|_at$|requestId|prompt_?id|ttft|elapsed/iu;
/** Hashes, ids, and what clocks say; Hermes' prompt says that pip is missing when it is slow to answer. */
const OF_ONE_MOMENT =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?|[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{12,}\b|\b\d+(?:\.\d+)? ?m?s\b|pip(?:=|→)[\w.]+/gu;

function timeless(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(OF_ONE_MOMENT, '*');
  if (Array.isArray(value)) return value.map(timeless);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([name]) => !OF_ONE_RUN.test(name) && !name.endsWith('Ms'),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, timeless(member)]));
}
