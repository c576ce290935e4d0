import { setTimeout as sleep } from 'node:timers/promises';
import { type AttemptReference } from '../../core/activity-contract';
import { canonicalJson, storeKeys } from '../../core/ids';
import { readJournalSince } from '../gateway/gateway-control';
import { readJson } from '../read-json';
import { type ObjectStore } from '../store/port';
import { type AttemptContext } from './attempt-context';

/** Write-once record `attempts/<k>/journal-<offset>.json`: whole frames of the gateway's journal from that byte on. */
export interface JournalPart {
  readonly v: 1;
  /** Of the attempt's id. */
  readonly stack: string;
  readonly offset: number;
  readonly nextOffset: number;
  /** Blob in `open/` with the bytes. */
  readonly sha256: string;
}

/** What is in the store of an attempt's journal. */
export interface CopiedJournal {
  readonly stack: string;
  /** One behind the other they are a journal. */
  readonly parts: readonly JournalPart[];
}

const DEFAULT_EVERY_MS = 30_000;
/** Offsets in names sort like numbers. */
const OFFSET_DIGITS = 15;

/**
 * Copies a running attempt's journal to the store, part by part, until the signal is aborted: what a host that is lost
 * for good leaves. An executor that adopts the attempt goes on where the last one ended. A copy that fails is tried
 * again at the next interval, since the attempt itself does not need it.
 */
export async function copyJournal(
  context: AttemptContext,
  store: ObjectStore,
  signal: AbortSignal,
  onProblem: (message: string) => void,
): Promise<void> {
  const everyMs = context.plan.timings.journalCopyMs ?? DEFAULT_EVERY_MS;
  const copy = new JournalCopy(context, store);
  for (;;) {
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await copy.whatIsNew();
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
    }
  }
}

/** The parts of an attempt's journal that follow each other without a gap; `undefined` when there is none. */
export async function findCopiedJournal(
  store: ObjectStore,
  { run, attempt }: Pick<AttemptReference, 'run' | 'attempt'>,
): Promise<CopiedJournal | undefined> {
  const parts: JournalPart[] = [];
  const prefix = storeKeys.attempt(run.runKey, run.generation, attempt, 'journal-');
  for await (const key of store.list(prefix)) {
    const part = await readJson<JournalPart>(store, key);
    if (part === undefined || part.offset !== (parts.at(-1)?.nextOffset ?? 0)) break;
    parts.push(part);
  }
  const [first] = parts;
  return first && { stack: first.stack, parts };
}

class JournalCopy {
  private offset: number | undefined;

  constructor(
    private readonly context: AttemptContext,
    private readonly store: ObjectStore,
  ) {}

  async whatIsNew(): Promise<void> {
    this.offset ??=
      (await findCopiedJournal(this.store, this.context.reference))?.parts.at(-1)?.nextOffset ?? 0;
    for (let before = -1; this.offset > before;) {
      before = this.offset;
      this.offset = await this.copyFrom(before);
    }
  }

  /** Returns where the part in the store ends: ours, or that of another executor that was first. */
  private async copyFrom(offset: number): Promise<number> {
    const { reference, labels, paths } = this.context;
    const { bytes, nextOffset } = readJournalSince(paths.attemptDir, offset);
    if (bytes.length === 0) return offset;
    const { sha256 } = await this.store.putBlob('open', bytes);
    const name = `journal-${String(offset).padStart(OFFSET_DIGITS, '0')}.json`;
    const { runKey, generation } = reference.run;
    const key = storeKeys.attempt(runKey, generation, reference.attempt, name);
    const part: JournalPart = { v: 1, stack: labels.stack, offset, nextOffset, sha256 };
    if ((await this.store.putRecord(key, canonicalJson(part))) === 'created') return nextOffset;
    return (await readJson<JournalPart>(this.store, key))?.nextOffset ?? nextOffset;
  }
}
