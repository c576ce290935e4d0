import { canonicalJson, storeKeys } from '../../core/ids';
import { type ObjectStore } from '../store/port';
import { type JudgeJournal, type UnjudgedRound } from './port';

/** Longer turns go to a blob, and the record names it. Below a record's limit of 1 MiB. */
const MAX_INLINE_BYTES = 900 * 1024;

/** The journal of one verdict in the object store, under `sealed/verdicts/<verdictKey>/`. */
export function createStoreJournal(store: ObjectStore, verdictKey: string): JudgeJournal {
  const read = async (key: string): Promise<unknown> => {
    const record = await store.getRecord(key);
    if (record === undefined) return undefined;
    const content = parse(record);
    const blob = blobOf(content);
    return blob === undefined ? content : parse(await store.getBlob('sealed', blob));
  };
  return {
    read: (session, turn) => read(storeKeys.judgeTurn(verdictKey, session, turn)),
    record: async (session, turn, make) => {
      const key = storeKeys.judgeTurn(verdictKey, session, turn);
      const content = await make();
      if ((await store.putRecord(key, await inlineOrBlob(store, content))) === 'created')
        return content;
      return read(key);
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

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
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
