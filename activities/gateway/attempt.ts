import { type Logger } from '../../core/logger';
import { chatError } from '../../core/chat-completion';
import { type ModelClient } from '../models/port';
import { type AccountGates } from './account-gate';
import { attemptFiles, type AttemptFiles } from './attempt-files';
import { applyFrame, type AttemptState, emptyState, MOST_REFUSALS } from './attempt-state';
import { abortedFrame, failedFrame, repliedFrame } from './ended-frames';
import { type Outcome, outcomeOf, stopOutcome, troubleOutcome } from './exchange-outcome';
import { type FaultPoint } from './fault-point';
import { type FramePlace, JournalFile } from './journal-file';
import {
  type BegunFrame,
  type EndedFrame,
  type JournalFrame,
  type UnansweredFrame,
} from './journal-frames';
import { MessageStore } from './message-store';
import { type GatewayAttempt, type GatewayEnd } from './port';
import { ProviderCaller } from './provider-caller';
import { ReasoningMemory } from './reasoning-memory';
import { type FilteredRequest } from './request-filter';
import { admit, kindOf, refusalText } from './step-rule';

export interface AttemptDependencies {
  readonly modelClient: ModelClient;
  readonly now: () => number;
  readonly logger: Logger;
  readonly faults: FaultPoint;
  /** Shared by all attempts of the process. */
  readonly gates: AccountGates;
}

/** The process gives way to another one, to which the sandbox will send the exchange again. */
class HandingOver extends Error {}

/** A request with the id under which the sandbox asks for its reply. */
export interface Delivery {
  readonly id: string;
  readonly bodySha256: string;
  readonly request: FilteredRequest;
  /** It is one of a subagent. @default false */
  readonly subagent?: boolean;
  /** How long the sandbox has waited for the gateway already, by its own word. */
  readonly waitedMs: number;
}

interface DeliveredReply {
  readonly bodySha256: string;
  readonly place: FramePlace;
}

/** Serves one attempt's model requests: admits, calls, journals, answers. */
export class Attempt {
  readonly files: AttemptFiles;
  private state: AttemptState = emptyState();
  private store = new MessageStore();
  private journal: JournalFile;
  private reasoning = new ReasoningMemory();
  private readonly delivered = new Map<string, DeliveredReply>();
  private readonly begun = new Map<number, BegunFrame>();
  private readonly inFlight = new Map<string, { bodySha256: string; outcome: Promise<Outcome> }>();
  private readonly abort = new AbortController();
  /** Ends what waits, also when the attempt goes on elsewhere. */
  private readonly stopWaiting = new AbortController();
  private readonly caller: ProviderCaller;
  private waiters: (() => void)[] = [];

  constructor(
    readonly attemptDir: string,
    readonly settings: GatewayAttempt,
    private readonly dependencies: AttemptDependencies,
    /** Time in which no gateway served this attempt; undefined when it is opened for the first time. */
    awayMs: number | undefined,
  ) {
    this.files = attemptFiles(attemptDir);
    this.journal = this.openJournal();
    if (this.state.openedAtMs === undefined) this.append([{ t: 'opened', at: this.timestamp() }]);
    else if (!this.state.closed)
      this.append([{ t: 'resumed', at: this.timestamp(), awayMs: Math.max(0, awayMs ?? 0) }]);
    this.caller = new ProviderCaller({
      attemptDir,
      files: this.files,
      settings,
      dependencies,
      signal: this.abort.signal,
      waitSignal: this.stopWaiting.signal,
      append: (frames) => this.append(frames),
      appendEnd: (ended) => this.appendEnd(ended),
      troubledSinceMs: () => this.state.troubledSinceMs,
      beginOwn: (deliveryId, body) => {
        const facts = { deliveryId, bodySha256: '', kind: 'auxiliary', dropped: [] } as const;
        const { frames, begun } = this.begunFrames({ ...facts, body });
        this.append([...frames, begun]);
        return begun.e;
      },
    });
  }

  get closed(): boolean {
    return this.state.closed;
  }

  get openExchanges(): number {
    return this.inFlight.size;
  }

  /** Whether this delivery's answer is in the journal. */
  hasAnswered(deliveryId: string): boolean {
    return this.delivered.has(deliveryId);
  }

  /** Answers a delivery: from the journal when it was answered before, joined when it is in flight, else anew. */
  deliver(delivery: Delivery): Promise<Outcome> {
    const { id, bodySha256 } = delivery;
    const answered = this.delivered.get(id);
    const open = this.inFlight.get(id);
    const known = answered ?? open;
    if (known !== undefined && known.bodySha256 !== bodySha256)
      return Promise.resolve({
        status: 400,
        error: chatError(
          'this delivery id was used with another body',
          'invalid_request_error',
          'delivery_id_reused',
        ),
      });
    if (answered !== undefined)
      return Promise.resolve(outcomeOf(this.journal.read(answered.place) as EndedFrame));
    if (open !== undefined) return open.outcome;
    const outcome = this.exchange(delivery).finally(() => {
      this.inFlight.delete(id);
      this.wake();
    });
    this.inFlight.set(id, { bodySha256, outcome });
    return outcome;
  }

  /** Ends service. Open exchanges may end within `graceMs`; then they are aborted. Idempotent, the first reason stays. */
  async close(reason: GatewayEnd, graceMs: number): Promise<void> {
    if (!this.state.closed) this.append([{ t: 'closed', at: this.timestamp(), reason }]);
    this.wake();
    const open = [...this.inFlight.values()].map(({ outcome }) => outcome);
    if (open.length === 0) return;
    const timer = setTimeout(() => {
      this.abort.abort(new Error('closed'));
      this.stopWaiting.abort(new Error('closed'));
    }, graceMs);
    await Promise.allSettled(open);
    clearTimeout(timer);
  }

  /** Lets go of exchanges that wait, unanswered; calls that are out may still be answered. */
  handOver(): void {
    this.stopWaiting.abort(new HandingOver('this gateway is handing over'));
  }

  /** Lets go of the journal; the attempt must have no open exchange. */
  release(): void {
    this.journal.close();
  }

  private openJournal(): JournalFile {
    this.state = emptyState();
    this.store = new MessageStore();
    this.reasoning = new ReasoningMemory();
    this.delivered.clear();
    this.begun.clear();
    return JournalFile.open(this.files.journal, (frame, place) => this.note(frame, place));
  }

  private note(frame: JournalFrame, place: FramePlace): void {
    applyFrame(this.state, frame);
    this.store.apply(frame);
    if (frame.t === 'begun') this.begun.set(frame.e, frame);
    if (frame.t === 'unanswered') this.begun.delete(frame.e);
    if (frame.t !== 'ended' || frame.outcome === 'aborted') return;
    if (frame.outcome === 'reply') this.reasoning.note(frame);
    const begun = this.begun.get(frame.e);
    if (begun !== undefined)
      this.delivered.set(begun.deliveryId, { bodySha256: begun.bodySha256, place });
    this.begun.delete(frame.e);
  }

  /** Journals frames and takes them into account. When that fails, memory is made equal to the file again. */
  private append(frames: readonly JournalFrame[]): void {
    try {
      const places = this.journal.append(frames);
      if (frames.some(({ t }) => t === 'ended') && this.dependencies.faults.due('torn-journal')) {
        this.journal.tear(places);
        this.dependencies.faults.die();
      }
      frames.forEach((frame, index) => this.note(frame, places[index] as FramePlace));
    } catch (error) {
      this.journal.close();
      this.journal = this.openJournal();
      throw error;
    }
  }

  private async exchange(delivery: Delivery): Promise<Outcome> {
    const arrivedMs = this.dependencies.now();
    const kind = kindOf(delivery.request.main, delivery.subagent);
    let finalisation: boolean;
    for (;;) {
      if (this.state.trouble !== undefined) return troubleOutcome(this.state.trouble.type);
      const admission = admit(kind, this.state, this.settings.limits, this.dependencies.now());
      if (admission.kind === 'refuse') {
        // Whoever asks after the end, within the time it has to go, is not counted.
        if (!this.state.closed && this.state.refusals < MOST_REFUSALS)
          this.append([{ t: 'limit', at: this.timestamp(), reason: admission.reason }]);
        return stopOutcome(refusalText(admission.reason, this.settings.limits));
      }
      if (admission.kind === 'go') {
        finalisation = admission.finalisation;
        break;
      }
      await new Promise<void>((resolve) => this.waiters.push(resolve));
    }
    const body = this.reasoning.restore(delivery.request.body);
    const { id, bodySha256, request } = delivery;
    const { dropped } = request;
    const facts = { deliveryId: id, bodySha256, kind, finalisation, body, dropped } as const;
    const { frames, begun } = this.begunFrames(facts);
    this.append([...frames, begun]);
    return this.callProvider(begun, delivery, body, arrivedMs);
  }

  private begunFrames(
    given: Pick<BegunFrame, 'deliveryId' | 'bodySha256' | 'kind' | 'dropped'> &
      Partial<Pick<BegunFrame, 'finalisation'>> & { readonly body: FilteredRequest['body'] },
  ): { readonly frames: readonly JournalFrame[]; readonly begun: BegunFrame } {
    const { body, ...facts } = given;
    const { request, frames } = this.store.record(body);
    const e = this.state.exchanges;
    const at = this.timestamp();
    return { frames, begun: { t: 'begun', e, at, finalisation: false, ...facts, request } };
  }

  private async callProvider(
    begun: BegunFrame,
    delivery: Delivery,
    body: FilteredRequest['body'],
    arrivedMs: number,
  ): Promise<Outcome> {
    const { now, faults } = this.dependencies;
    const away = Math.min(Math.max(0, delivery.waitedMs), this.state.awayCreditMs);
    this.state.awayCreditMs -= away;
    let ended: EndedFrame;
    try {
      const reply = await this.caller.call(begun, body);
      if (faults.due('after-upstream')) faults.die();
      const waitedMs = Math.max(0, now() - arrivedMs - reply.durationMs) + away;
      ended = repliedFrame(begun.e, this.timestamp(), reply, waitedMs);
    } catch (error) {
      if (error instanceof HandingOver) throw error;
      ended = this.failed(begun, error, now() - arrivedMs + away);
    }
    this.appendEnd(ended);
    if (faults.due('after-journal')) faults.die();
    return outcomeOf(ended);
  }

  private appendEnd(ended: EndedFrame | UnansweredFrame): void {
    try {
      this.append([ended]);
    } catch (error) {
      // The reply is lost to us; asked again, it is a new call.
      this.state.unfinished.delete(ended.e);
      this.state.lost++;
      throw error;
    }
  }

  private failed(begun: BegunFrame, error: unknown, waitedMs: number): EndedFrame {
    const at = this.timestamp();
    if (this.abort.signal.aborted) return abortedFrame(begun.e, at, waitedMs);
    const ended = failedFrame(begun.e, at, error, waitedMs);
    if (ended.outcome === 'trouble')
      this.dependencies.logger.error(
        { attempt: this.settings.attemptId, type: ended.type, reason: ended.message },
        'the model cannot be reached',
      );
    return ended;
  }

  private wake(): void {
    const waiting = this.waiters;
    this.waiters = [];
    for (const resolve of waiting) resolve();
  }

  private timestamp(): string {
    return new Date(this.dependencies.now()).toISOString();
  }
}
