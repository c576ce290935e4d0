import { existsSync } from 'node:fs';
import { type Logger } from '../../core/logger';
import { chatError } from '../../core/chat-completion';
import { type ModelClient } from '../models/port';
import { attemptFiles, type AttemptFiles } from './attempt-files';
import { applyFrame, type AttemptState, emptyState } from './attempt-state';
import { abortedFrame, failedFrame, repliedFrame } from './ended-frames';
import { type Outcome, outcomeOf, stopOutcome, troubleOutcome } from './exchange-outcome';
import { type FaultPoint } from './fault-point';
import { type FramePlace, JournalFile } from './journal-file';
import { type BegunFrame, type EndedFrame, type JournalFrame } from './journal-frames';
import { leaseIsFresh } from './lease';
import { MessageStore } from './message-store';
import { type GatewayAttempt, type GatewayEnd } from './port';
import { ReasoningMemory } from './reasoning-memory';
import { type FilteredRequest } from './request-filter';
import { admit, refusalText } from './step-rule';

export interface AttemptDependencies {
  readonly modelClient: ModelClient;
  readonly now: () => number;
  readonly logger: Logger;
  readonly faults: FaultPoint;
}

/** A request with the id under which the sandbox asks for its reply. */
export interface Delivery {
  readonly id: string;
  readonly bodySha256: string;
  readonly request: FilteredRequest;
  /** How long the sandbox has waited for the gateway already, by its own word. */
  readonly waitedMs: number;
}

interface DeliveredReply {
  readonly bodySha256: string;
  readonly place: FramePlace;
}

const HOLD_CHECK_MS = 500;
const DEFAULT_LEASE_MS = 300_000;
const DEFAULT_INACTIVITY_MS = 300_000;

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
  }

  get closed(): boolean {
    return this.state.closed;
  }

  get openExchanges(): number {
    return this.inFlight.size;
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
    const timer = setTimeout(() => this.abort.abort(new Error('closed')), graceMs);
    await Promise.allSettled(open);
    clearTimeout(timer);
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
    const kind = delivery.request.main ? 'main' : 'auxiliary';
    let finalisation: boolean;
    for (;;) {
      if (this.state.trouble !== undefined) return troubleOutcome(this.state.trouble.type);
      const admission = admit(kind, this.state, this.settings.limits, this.dependencies.now());
      if (admission.kind === 'refuse') {
        if (this.state.end === undefined)
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
    const begun = this.begin(delivery, body, kind, finalisation);
    return this.callProvider(begun, delivery, body, arrivedMs);
  }

  private begin(
    delivery: Delivery,
    body: FilteredRequest['body'],
    kind: BegunFrame['kind'],
    finalisation: boolean,
  ): BegunFrame {
    const { request, frames } = this.store.record(body);
    const begun: BegunFrame = {
      t: 'begun',
      e: this.state.exchanges,
      at: this.timestamp(),
      deliveryId: delivery.id,
      bodySha256: delivery.bodySha256,
      kind,
      finalisation,
      request,
      dropped: delivery.request.dropped,
    };
    this.append([...frames, begun]);
    return begun;
  }

  private async callProvider(
    begun: BegunFrame,
    delivery: Delivery,
    body: FilteredRequest['body'],
    arrivedMs: number,
  ): Promise<Outcome> {
    const { modelClient, now, faults } = this.dependencies;
    const away = Math.min(Math.max(0, delivery.waitedMs), this.state.awayCreditMs);
    this.state.awayCreditMs -= away;
    let ended: EndedFrame;
    try {
      await this.holdForLease();
      const sentMs = now();
      if (faults.due('before-upstream')) faults.die();
      const reply = await modelClient.complete({
        model: this.settings.model,
        body,
        context: this.settings.context,
        inactivityTimeoutMs: this.settings.inactivityTimeoutMs ?? DEFAULT_INACTIVITY_MS,
        signal: this.abort.signal,
        ...(this.settings.retryForMs === undefined ? {} : { retryForMs: this.settings.retryForMs }),
        ...(this.settings.prices === undefined ? {} : { prices: this.settings.prices }),
      });
      if (faults.due('after-upstream')) faults.die();
      const waitedMs = sentMs - arrivedMs + reply.waitedMs + away;
      ended = repliedFrame(begun.e, this.timestamp(), reply, waitedMs);
    } catch (error) {
      ended = this.failed(begun, error, now() - arrivedMs + away);
    }
    try {
      this.append([ended]);
    } catch (error) {
      // The reply is lost to us; asked again, it is a new call.
      this.state.unfinished.delete(begun.e);
      this.state.lost++;
      throw error;
    }
    if (faults.due('after-journal')) faults.die();
    return outcomeOf(ended);
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

  /** Upstream calls need a worker that still cares: without a fresh lease the exchange is held. */
  private async holdForLease(): Promise<void> {
    const leaseMs = this.settings.leaseMs ?? DEFAULT_LEASE_MS;
    while (!leaseIsFresh(this.files.lease, leaseMs, this.dependencies.now())) {
      this.abort.signal.throwIfAborted();
      if (!existsSync(this.attemptDir)) throw new Error('the attempt folder is gone');
      await new Promise((resolve) => setTimeout(resolve, HOLD_CHECK_MS));
    }
    this.abort.signal.throwIfAborted();
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
