import {
  type Inspector,
  type JudgeItemTask,
  type ProgramEnd,
} from '../../../activities/judge/port';
import { createMemoryJournal } from '../../../activities/judge/journal';
import { judgeItem } from '../../../activities/judge/judge-item';
import { prepareJudging, type PreparedJudging } from '../../../activities/judge/prepare';
import { boundaryFor } from '../../../activities/judge/prompt/framing';
import { type SessionDependencies } from '../../../activities/judge/session';
import { type EvidenceReader } from '../../../activities/evidence/port';
import { type ModelCall, type ModelClient, type ModelReply } from '../../../activities/models/port';
import {
  DEFAULT_JUDGE_LIMITS,
  type JudgeConfiguration,
  type JudgeLimits,
} from '../../../core/sweep';

export const BOUNDARY_KEY = 'ab'.repeat(32);
export const USAGE = {
  inputTokens: 100,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 10,
};

/** One turn of a scripted judge: words, tool calls (arguments as JSON or as the literal text), or an error to throw. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly tools?: readonly { readonly name: string; readonly arguments: object | string }[];
  readonly error?: Error;
}
export type Script = (call: ModelCall, turn: number) => ScriptedTurn;

export interface CountingClient extends ModelClient {
  readonly calls: ModelCall[];
}

/** A model client in memory; `turn` counts the assistant messages of the request. */
export function scriptedClient(script: Script): CountingClient {
  const calls: ModelCall[] = [];
  return {
    calls,
    complete: async (call): Promise<ModelReply> => {
      calls.push(call);
      const turn = messagesOf(call).filter(({ role }) => role === 'assistant').length;
      const { text, tools = [], error } = script(call, turn);
      if (error) throw error;
      const toolCalls = tools.map((tool, at) => ({
        id: `c${turn}-${at}`,
        type: 'function',
        function: {
          name: tool.name,
          arguments:
            typeof tool.arguments === 'string' ? tool.arguments : JSON.stringify(tool.arguments),
        },
      }));
      return {
        completion: {
          choices: [
            {
              index: 0,
              message: {
                role: 'assistant',
                content: text ?? null,
                ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
              },
              finish_reason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
            },
          ],
        },
        usage: USAGE,
        costMicroUsd: 7,
        reportedModel: 'scripted',
        startedAt: '2026-01-01T00:00:00.000Z',
        durationMs: 1_000,
        failedTries: 0,
        waitedMs: 0,
      };
    },
  };
}

export interface SentMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
}

export function messagesOf(call: ModelCall | undefined): readonly SentMessage[] {
  return (call?.body['messages'] ?? []) as readonly SentMessage[];
}

export function lastText(call: ModelCall | undefined): string {
  const content = messagesOf(call).at(-1)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content);
}

export const submit = (submission: object | string) => ({
  tools: [{ name: 'submit_verdict', arguments: submission }],
});

export const judgeConfiguration = (limits: Partial<JudgeLimits> = {}): JudgeConfiguration => ({
  model: { id: 'j', provider: 'replay', name: 'judge-model', parameters: {}, account: 'a' },
  mode: 'per-item',
  votes: 1,
  checks: true,
  limits: { ...DEFAULT_JUDGE_LIMITS, ...limits },
  protocolDigest: 'p',
});

/** An inspector that must not be needed, or answers what it is given. */
export function fakeInspector(run?: (code: string) => ProgramEnd): Inspector & { opened: number } {
  const inspector = {
    recipe: 'inspector',
    opened: 0,
    open: async () => {
      inspector.opened++;
      return {
        run: async (code: string) => {
          if (!run) throw new Error('no Python was expected');
          return run(code);
        },
        runDelivered: async () => {
          throw new Error('no delivered program was expected');
        },
        close: async () => undefined,
      };
    },
  };
  return inspector;
}

export interface TrialOptions {
  readonly evidence: EvidenceReader;
  readonly script: Script;
  readonly itemText?: string;
  readonly taskText?: string;
  readonly limits?: Partial<JudgeLimits>;
  readonly deps?: Partial<SessionDependencies>;
  readonly task?: Partial<JudgeItemTask>;
}

export async function prepared(options: TrialOptions): Promise<PreparedJudging> {
  const boundary = boundaryFor(options.evidence.view.deliverablesDigest, BOUNDARY_KEY);
  return prepareJudging(
    options.evidence,
    options.taskText ?? 'Write a report.',
    boundary,
    judgeConfiguration(options.limits).limits,
  );
}

/** Judges one item with a scripted model. */
export async function trial(options: TrialOptions) {
  const client = scriptedClient(options.script);
  const outcome = await judgeItem(
    {
      models: client,
      inspector: fakeInspector(),
      journal: createMemoryJournal(),
      now: () => 1_800_000_000_000,
      ...options.deps,
    },
    await prepared(options),
    {
      judge: judgeConfiguration(options.limits),
      prices: undefined,
      verdictKey: 'key',
      item: { id: 'item', text: options.itemText ?? 'The report names the total.' },
      context: { purpose: 'judge', taskId: 't', repetition: 1, itemId: 'item' },
      asker: 'run-1',
      signal: new AbortController().signal,
      ...options.task,
    },
  );
  return { outcome, calls: client.calls };
}
