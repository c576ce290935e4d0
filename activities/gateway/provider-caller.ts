import { existsSync } from 'node:fs';
import { ACCOUNT_CHECK, type Trouble } from '../../core/account-trouble';
import { type ModelReply } from '../models/port';
import { type AccountGate } from './account-gate';
import { callUntilAnswered } from './answered-call';
import { type AttemptDependencies } from './attempt';
import { type AttemptFiles } from './attempt-files';
import { ACCOUNT_CHECK_ID } from './attempt-state';
import { abortedFrame, repliedFrame } from './ended-frames';
import { readPause, writeHolding } from './hold-files';
import {
  type BegunFrame,
  type EndedFrame,
  type JournalFrame,
  type UnansweredFrame,
} from './journal-frames';
import { leaseIsFresh } from './lease';
import { type GatewayAttempt, type Holding } from './port';

type Body = Readonly<Record<string, unknown>>;

export interface CallerOptions {
  readonly attemptDir: string;
  readonly files: AttemptFiles;
  readonly settings: GatewayAttempt;
  readonly dependencies: AttemptDependencies;
  /** Ends everything of the attempt. */
  readonly signal: AbortSignal;
  /** Ends what waits. */
  readonly waitSignal: AbortSignal;
  readonly append: (frames: readonly JournalFrame[]) => void;
  /** Journals the end of an exchange; where that fails, its reply counts as lost. */
  readonly appendEnd: (ended: EndedFrame | UnansweredFrame) => void;
  /** Journals the beginning of an exchange of our own; its number. */
  readonly beginOwn: (deliveryId: string, body: Body) => number;
  readonly troubledSinceMs: () => number | undefined;
}

const HOLD_CHECK_MS = 500;
const DEFAULT_LEASE_MS = 300_000;
const DEFAULT_INACTIVITY_MS = 300_000;
const DEFAULT_TIMINGS = { retryForMs: 60_000, holdForMs: 12 * 3_600_000, probeMs: 5_000 };

/** An attempt's calls to its provider, held while they cannot or may not be made. */
export class ProviderCaller {
  private readonly gate: AccountGate;
  /** Exchanges that wait for the account, by number. */
  private readonly waiting = new Map<number, Trouble>();
  private written: Holding | undefined;

  constructor(private readonly options: CallerOptions) {
    const { dependencies, settings, files } = options;
    this.gate = dependencies.gates.of(settings.model.account, settings.model.name);
    // Left by a process that is gone; the exchanges come again.
    writeHolding(files.holding, undefined);
  }

  /** The reply, however long it takes. Throws `Failure`, or the reason of an aborted signal. */
  async call(begun: BegunFrame, body: Body): Promise<ModelReply> {
    const { settings, dependencies, signal, waitSignal } = this.options;
    const { retryForMs, holdForMs, probeMs } = { ...DEFAULT_TIMINGS, ...settings };
    try {
      return await callUntilAnswered({
        client: dependencies.modelClient,
        call: this.modelCall(body),
        gate: this.gate,
        timings: { retryForMs, holdForMs, probeMs },
        now: dependencies.now,
        signal,
        waitSignal,
        allowed: () => this.allowed(begun.e),
        held: (trouble, shared) => this.held(begun.e, trouble, shared),
        released: () => this.released(begun.e),
        troubledSinceMs: this.options.troubledSinceMs,
        accountAnswers: () => this.accountAnswers(begun.e),
      });
    } finally {
      this.waiting.delete(begun.e);
      this.show();
    }
  }

  private modelCall(body: Body) {
    const { settings } = this.options;
    return {
      model: settings.model,
      body,
      context: settings.context,
      caller: { lane: settings.runId.split('/')[0] ?? settings.runId, party: settings.attemptId },
      inactivityTimeoutMs: settings.inactivityTimeoutMs ?? DEFAULT_INACTIVITY_MS,
      ...(settings.prices !== undefined && { prices: settings.prices }),
    };
  }

  /** Waits while a person has paused the attempt, or no worker cares for it. */
  private async allowed(e: number): Promise<void> {
    const { waitSignal, attemptDir, dependencies } = this.options;
    let isHeld = false;
    for (;;) {
      waitSignal.throwIfAborted();
      const obstacle = this.obstacle();
      if (obstacle === undefined) break;
      if (!existsSync(attemptDir)) throw new Error('the attempt folder is gone');
      if (!isHeld) this.journal({ t: 'held', e, at: this.timestamp(), ...obstacle });
      isHeld = true;
      await new Promise((resolve) => setTimeout(resolve, HOLD_CHECK_MS));
    }
    if (isHeld) this.journal({ t: 'released', e, at: this.timestamp() });
    if (dependencies.faults.due('before-upstream')) dependencies.faults.die();
  }

  private obstacle(): { readonly type: string; readonly message: string } | undefined {
    const { files, settings, dependencies } = this.options;
    const reason = readPause(files.pause);
    if (reason !== undefined) return { type: 'Paused', message: reason };
    if (leaseIsFresh(files.lease, settings.leaseMs ?? DEFAULT_LEASE_MS, dependencies.now()))
      return undefined;
    return { type: 'NoWorker', message: 'no worker renews the attempt’s lease' };
  }

  private held(e: number, trouble: Trouble, shared: boolean): void {
    const { type, message } = trouble;
    this.journal({ t: 'held', e, at: this.timestamp(), type, message: message.slice(0, 2_000) });
    if (shared) this.waiting.set(e, trouble);
    this.show();
  }

  private released(e: number): void {
    this.journal({ t: 'released', e, at: this.timestamp() });
    // One that goes out to find out is still waiting in the eyes of others.
    if (this.gate.trouble === undefined) this.waiting.delete(e);
    this.show();
  }

  /**
   * Recorded and paid as an auxiliary exchange of the attempt, when it was answered. Journaled before it goes out, so
   * that a killed gateway leaves "at least" and no cost that nobody knows of.
   */
  private async accountAnswers(parent: number): Promise<boolean> {
    const { dependencies, signal, beginOwn } = this.options;
    await this.allowed(parent);
    const e = beginOwn(`${ACCOUNT_CHECK_ID}${parent}`, ACCOUNT_CHECK);
    let reply: ModelReply;
    try {
      const call = { ...this.modelCall(ACCOUNT_CHECK), signal, retryForMs: 0 };
      reply = await dependencies.modelClient.complete(call);
    } catch {
      this.endOwn(
        signal.aborted
          ? abortedFrame(e, this.timestamp(), 0)
          : { t: 'unanswered', e, at: this.timestamp() },
      );
      return false;
    }
    this.endOwn(repliedFrame(e, this.timestamp(), reply, reply.waitedMs));
    return true;
  }

  /** Where it cannot be journaled, the call counts as lost; the harness's own exchange is not harmed by that. */
  private endOwn(frame: EndedFrame | UnansweredFrame): void {
    try {
      this.options.appendEnd(frame);
    } catch (error) {
      const { attemptId } = this.options.settings;
      this.options.dependencies.logger.error(
        { attempt: attemptId, error: String(error) },
        'the end of an account check could not be journaled',
      );
    }
  }

  /** Keeps `holding.json` equal to what is held. */
  private show(): void {
    const { files, dependencies, settings } = this.options;
    const [trouble] = this.waiting.values();
    if (trouble?.type === this.written?.type && trouble?.message === this.written?.message) return;
    if (trouble === undefined) {
      dependencies.logger.info({ attempt: settings.attemptId }, 'the model answers again');
      this.written = undefined;
    } else {
      const { type, message } = trouble;
      dependencies.logger.error(
        { attempt: settings.attemptId, type, reason: message },
        'the model cannot be reached; the exchange waits',
      );
      this.written = { type, message, since: this.written?.since ?? this.timestamp() };
    }
    try {
      writeHolding(files.holding, this.written);
    } catch (error) {
      // Only others' view of it is missing then.
      dependencies.logger.error({ error: String(error) }, 'holding.json could not be written');
    }
  }

  private journal(frame: JournalFrame): void {
    this.options.append([frame]);
  }

  private timestamp(): string {
    return new Date(this.options.dependencies.now()).toISOString();
  }
}
