import { Failure } from '../../core/failure';
import { canonicalJson, storeKeys } from '../../core/ids';
import { parseRecord } from '../../core/stored-record';
import { type ObjectStore } from '../store/port';
import { type JudgeJournal, type UnjudgedRound } from './port';

/** Longer turns go to a blob, and the record names it. Below a record's limit of 1 MiB. */
const MAX_INLINE_BYTES = 900 * 1024;

/**
 * The journal of one verdict in the object store, under `sealed/verdicts/<verdictKey>/`.
 *
 * @param unsaved of this process, for turns that are not in the store yet
 */
export function createStoreJournal(
  store: ObjectStore,
  verdictKey: string,
  unsaved: UnsavedTurns = new UnsavedTurns(store),
): JudgeJournal {
  const read = async (key: string): Promise<unknown> => {
    const record = await store.getRecord(key);
    if (record === undefined) return undefined;
    const content = parseRecord(new TextDecoder().decode(record), key, store.description);
    const blob = blobOf(content);
    if (blob === undefined) return content;
    return JSON.parse(new TextDecoder().decode(await store.getBlob('sealed', blob))) as unknown;
  };
  return {
    read: async (session, turn) =>
      (await read(storeKeys.judgeTurn(verdictKey, session, turn))) ??
      read(storeKeys.formerJudgeTurn(verdictKey, session, turn)),
    record: async (session, turn, make) => {
      const key = storeKeys.judgeTurn(verdictKey, session, turn);
      // What was kept may be this very turn, from the try before this one.
      const saved = (await unsaved.save()) ? await read(key) : undefined;
      if (saved !== undefined) return saved;
      return unsaved.once(key, async () => {
        const content = await make();
        return (await unsaved.put(key, content)) === 'created' ? content : read(key);
      });
    },
    rounds: async () => {
      const rounds: UnjudgedRound[] = [];
      for (;;) {
        const round = await read(storeKeys.unjudgedRound(verdictKey, rounds.length + 1));
        if (round === undefined) return rounds;
        rounds.push(round as UnjudgedRound);
      }
    },
    endRound: async (number, round) => {
      await store.putRecord(storeKeys.unjudgedRound(verdictKey, number), canonicalJson(round));
    },
  };
}

/**
 * What is paid for and not in the store yet. Answered turns that the store did not take (a full disk, an outage) are
 * kept in this process until it does; as long as there are some, no judge of the process asks anything more. Turns
 * that are asked for at this moment are waited for by whoever needs the same one: in a worker that was frozen, a try
 * that was given up is beside the one that took its place.
 */
export class UnsavedTurns {
  readonly #turns = new Map<string, unknown>();
  readonly #asked = new Map<string, Promise<unknown>>();

  constructor(private readonly store: ObjectStore) {}

  /** What another try is getting for this key, else what `make` gives. Another's failure is not ours. */
  async once(key: string, make: () => Promise<unknown>): Promise<unknown> {
    for (let other; (other = this.#asked.get(key)) !== undefined;) {
      const content: unknown = await other.catch(() => undefined);
      if (content !== undefined) return content;
    }
    const asked = make().finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }

  /** Whether there was anything to save. Throws `Failure('StoreUnavailable')` while the store takes nothing. */
  async save(): Promise<boolean> {
    const kept = [...this.#turns];
    for (const [key, content] of kept) await this.put(key, content);
    return kept.length > 0;
  }

  /** Puts a turn, or keeps it and throws what the store threw. */
  async put(key: string, content: unknown): Promise<'created' | 'exists'> {
    try {
      const outcome = await this.store.putRecord(key, await inlineOrBlob(this.store, content));
      this.#turns.delete(key);
      return outcome;
    } catch (error) {
      if (error instanceof Failure && error.type !== 'InvalidInput') this.#turns.set(key, content);
      throw error;
    }
  }
}

async function inlineOrBlob(store: ObjectStore, content: unknown): Promise<string> {
  const text = canonicalJson(content);
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.byteLength <= MAX_INLINE_BYTES) return text;
  return canonicalJson({ v: 1, blob: await store.putBlob('sealed', bytes) });
}

function blobOf(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null || !('blob' in content)) return undefined;
  return (content.blob as { readonly sha256: string }).sha256;
}

/** A journal that lives as long as its process, for `judge try`. */
export function createMemoryJournal(): JudgeJournal {
  const turns = new Map<string, unknown>();
  const rounds: UnjudgedRound[] = [];
  return {
    read: async (session, turn) => turns.get(`${session}/${turn}`),
    record: async (session, turn, make) => {
      const key = `${session}/${turn}`;
      const content = await make();
      if (!turns.has(key)) turns.set(key, content);
      return turns.get(key);
    },
    rounds: async () => rounds,
    endRound: async (number, round) => {
      rounds[number - 1] ??= round;
    },
  };
}
