import { type ChatToolCall } from '../../core/chat-completion';
import { Failure } from '../../core/failure';
import { type Citation, type DeclaredSearch } from '../../core/verdict';
import { type ModelClient } from '../models/port';
import { Conversation } from './conversation';
import {
  type Exchange,
  type JudgeAnswer,
  type JudgeReply,
  readExchange,
  readReply,
} from './exchange';
import { groundSubmission } from './grounding/ground-submission';
import { readSubmission, type Submission } from './grounding/submission';
import {
  type Inspector,
  type InspectorSession,
  type JudgeItemTask,
  type JudgeJournal,
} from './port';
import { type PreparedJudging } from './prepare';
import { itemMessage, LAST_TURN, NO_TOOL_CALL } from './prompt/protocol-text';
import { EVIDENCE_TOOLS, SUBMIT_VERDICT } from './tools';
import { untilAborted } from './until-aborted';

/** Ends a judge's call when its provider sends nothing for this long, in milliseconds. */
const INACTIVITY_TIMEOUT_MS = 300_000;
/** More calls than this in one reply are answered with an error. */
const MAX_CALLS_PER_TURN = 16;

export interface SessionDependencies {
  readonly models: ModelClient;
  readonly inspector: Inspector;
  readonly journal: JudgeJournal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A verdict whose evidence holds, and the first complete one of the session if that was another. */
export interface AcceptedVerdict {
  readonly submission: Submission;
  readonly citations: readonly Citation[];
  readonly searched: readonly DeclaredSearch[];
}

export interface FirstSubmission {
  readonly met: boolean;
  readonly refusedBecause: readonly string[];
}

export interface SessionEnd {
  readonly accepted: AcceptedVerdict | undefined;
  /** Why there is no verdict. */
  readonly reason: string;
  /** True where another session would meet the same end. */
  readonly hopeless: boolean;
  readonly firstRefused: FirstSubmission | undefined;
  readonly conversation: Conversation;
}

/**
 * One session: turns until a verdict is accepted or a limit is reached. Every turn is journaled before it is used,
 * so that a session which was cut off goes on where it was, and what was answered is not paid again.
 * Throws what `ModelClient`, journal and inspector throw; only a refused request ends the session instead.
 */
export class JudgeSession {
  readonly #conversation: Conversation;
  #firstRefused: FirstSubmission | undefined;
  #lastProblems: readonly string[] = [];
  #python: Promise<InspectorSession> | undefined;
  /** Turns are read as long as there are any. */
  #replaying = true;

  constructor(
    private readonly deps: SessionDependencies,
    private readonly prepared: PreparedJudging,
    private readonly task: JudgeItemTask,
    private readonly number: number,
  ) {
    const first = [...prepared.prefix, { role: 'user', content: itemMessage(task.item.text) }];
    this.#conversation = new Conversation(first, prepared.desk.reader, prepared.framing);
  }

  async run(): Promise<SessionEnd> {
    try {
      return await this.#turns();
    } finally {
      // Started by a tool, so it ends with the session, whatever the end.
      const python = await this.#python?.catch(() => undefined);
      await python?.close();
    }
  }

  async #turns(): Promise<SessionEnd> {
    let reply: JudgeReply | undefined;
    for (;;) {
      const turn = this.#conversation.turns + 1;
      const stored: unknown = this.#replaying
        ? await this.deps.journal.read(this.number, turn)
        : undefined;
      this.#replaying = stored !== undefined;
      let exchange: Exchange;
      if (stored !== undefined) {
        exchange = readExchange(stored, `session ${this.number}, turn ${turn}`);
        if (reply) await this.#noteFirstRefused(reply, exchange.answers);
      } else {
        const { answers, accepted } = reply
          ? await this.#answer(reply)
          : { answers: [], accepted: undefined };
        if (accepted) return this.#end('', { accepted });
        const limit = this.#limitReached(answers);
        if (limit !== undefined) return this.#end(limit, {});
        const asked = await this.#askJournaled(turn, answers);
        if (typeof asked === 'string') return this.#end(asked, { hopeless: turn === 1 });
        exchange = asked;
      }
      await this.#conversation.add(exchange);
      reply = exchange.reply;
    }
  }

  #end(
    reason: string,
    { accepted, hopeless }: { accepted?: AcceptedVerdict; hopeless?: boolean },
  ): SessionEnd {
    return {
      accepted,
      reason,
      hopeless: hopeless ?? false,
      firstRefused: this.#firstRefused,
      conversation: this.#conversation,
    };
  }

  /** The stored exchange, or why the provider does not take the request. */
  async #askJournaled(turn: number, answers: readonly JudgeAnswer[]): Promise<Exchange | string> {
    let made: Exchange | undefined;
    try {
      const stored = await this.deps.journal.record(this.number, turn, async () => {
        made = { v: 1, answers, reply: await this.#ask(turn, answers) };
        return made;
      });
      // Another try of this activity is ahead: what it goes on to pay for is not paid here.
      this.#replaying = stored !== made;
      return readExchange(stored, `session ${this.number}, turn ${turn}`);
    } catch (error) {
      if (error instanceof Failure && error.type === 'InvalidInput')
        return `the provider refused the request: ${error.message}`;
      throw error;
    }
  }

  async #ask(turn: number, answers: readonly JudgeAnswer[]): Promise<JudgeReply> {
    const { judge, prices, context, signal } = this.task;
    const reply = await this.deps.models.complete({
      model: judge.model,
      body: {
        model: judge.model.name,
        messages: await this.#conversation.messagesWith(answers),
        tools: this.prepared.tools,
        tool_choice: 'auto',
      },
      context,
      inactivityTimeoutMs: INACTIVITY_TIMEOUT_MS,
      ...(prices === undefined ? {} : { prices }),
      signal,
    });
    return readReply(reply, turn);
  }

  #limitReached(answers: readonly JudgeAnswer[]): string | undefined {
    const { limits } = this.prepared;
    const { turns, workingTimeMs, repairs } = this.#conversation;
    const misses = repairs + answers.filter((answer) => answer.repair === true).length;
    if (misses > limits.maxRepairs)
      return `no acceptable verdict after ${limits.maxRepairs} repairs; last: ${this.#lastProblems.join('; ')}`;
    if (turns >= limits.maxTurns) return `no verdict within ${limits.maxTurns} turns`;
    if (workingTimeMs >= limits.workingTimeMs)
      return `no verdict within ${limits.workingTimeMs / 1_000} s of working time`;
    return undefined;
  }

  /** Runs the reply's calls in their order, the verdict last: it may rest on what the others find. */
  async #answer(reply: JudgeReply): Promise<{
    readonly answers: readonly JudgeAnswer[];
    readonly accepted: AcceptedVerdict | undefined;
  }> {
    const calls = reply.message.tool_calls ?? [];
    const submits = calls.filter((call) => call.function.name === SUBMIT_VERDICT);
    const answers: JudgeAnswer[] = [];
    for (const [at, call] of calls.filter((entry) => !submits.includes(entry)).entries())
      answers.push(await this.#runTool(call, at, answers));
    if (calls.length === 0) {
      this.#lastProblems = ['a reply without a tool call'];
      answers.push({ text: NO_TOOL_CALL, repair: true, durationMs: 0 });
    }
    const verdict = submits.length > 0 ? await this.#judgeSubmission(submits, answers) : undefined;
    if (verdict && 'accepted' in verdict) return { answers, accepted: verdict.accepted };
    if (verdict) {
      this.#lastProblems = verdict.problems;
      submits.forEach((call, at) =>
        answers.push({
          callId: call.id,
          tool: SUBMIT_VERDICT,
          text: `Not accepted:\n${verdict.problems.map((problem) => `- ${problem}`).join('\n')}`,
          ...(at === 0 ? { repair: true } : {}),
          durationMs: 0,
        }),
      );
    }
    if (this.#conversation.turns === this.prepared.limits.maxTurns - 1)
      answers.push({ text: LAST_TURN, durationMs: 0 });
    return { answers, accepted: undefined };
  }

  async #judgeSubmission(
    submits: readonly ChatToolCall[],
    answers: readonly JudgeAnswer[],
  ): Promise<{ accepted: AcceptedVerdict } | { problems: readonly string[] }> {
    const [only] = submits;
    if (only === undefined || submits.length > 1)
      return { problems: ['submit_verdict was called more than once in one reply'] };
    const read = readSubmission(only.function.arguments);
    if (read.submission === undefined) return { problems: read.problems };
    const grounding = await groundSubmission(read.submission, {
      desk: this.prepared.desk,
      log: this.#conversation.logWith(answers),
      itemText: this.task.item.text,
      taskText: this.prepared.taskText,
    });
    if (grounding.accepted) return { accepted: { ...grounding, submission: read.submission } };
    this.#firstRefused ??= { met: read.submission.pass, refusedBecause: grounding.problems };
    return { problems: grounding.problems };
  }

  /** A replayed refusal: what was submitted first is in the reply, why it was refused in the answers. */
  async #noteFirstRefused(reply: JudgeReply, answers: readonly JudgeAnswer[]): Promise<void> {
    const submits = (reply.message.tool_calls ?? []).filter(
      (call) => call.function.name === SUBMIT_VERDICT,
    );
    if (submits.length > 0)
      await this.#judgeSubmission(
        submits,
        answers.filter((answer) => answer.tool !== SUBMIT_VERDICT),
      );
  }

  async #runTool(
    call: ChatToolCall,
    position: number,
    before: readonly JudgeAnswer[],
  ): Promise<JudgeAnswer> {
    const { name, arguments: argumentsText } = call.function;
    const tool = EVIDENCE_TOOLS.find((entry) => entry.name === name);
    const base = { callId: call.id, tool: name };
    if (position >= MAX_CALLS_PER_TURN)
      return {
        ...base,
        text: `error: at most ${MAX_CALLS_PER_TURN} calls in one turn`,
        durationMs: 0,
      };
    if (!tool) return { ...base, text: `error: there is no tool of that name`, durationMs: 0 };
    const started = this.deps.now();
    const { pages } = this.#conversation.logWith(before);
    const work = tool.run(argumentsText, {
      desk: this.prepared.desk,
      framing: this.prepared.framing,
      inspector: () => (this.#python ??= this.deps.inspector.open(this.prepared.desk.reader)),
      imagesLeft: this.prepared.limits.maxImages - pages.length,
    });
    const output = await untilAborted(work, this.task.signal);
    return { ...base, durationMs: Math.max(0, this.deps.now() - started), ...output };
  }
}
