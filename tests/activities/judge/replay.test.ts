import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStoreJournal, UnsavedTurns } from '../../../activities/judge/journal';
import { type JudgeJournal } from '../../../activities/judge/port';
import { openStore } from '../../../activities/store/open-store';
import { type ObjectStore } from '../../../activities/store/port';
import { Failure } from '../../../core/failure';
import { storeKeys } from '../../../core/ids';
import { fakeEvidence } from './fake-evidence';
import { fakeInspector, type ScriptedTurn, submit, trial } from './scripted-judge';

const REPORT = 'results/report.md';
const evidence = fakeEvidence([
  { artifact: REPORT, lines: ['Report', 'The total is 12.'], pages: [Buffer.from('page')] },
]);
const verdict = (quote: string) =>
  submit({
    justification: 'Seen.',
    pass: quote === 'The total is 12.',
    citations: [{ locator: `${REPORT}#lines=2-2`, quote }],
    searched: [],
  });
const python = { name: 'run_python', arguments: { code: 'print(1)' } };
/** Garbage, a look, Python, a refused verdict, then one that holds: seven turns over two sessions. */
const TURNS: readonly (readonly ScriptedTurn[])[] = [
  [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
  [
    { tools: [{ name: 'view_page', arguments: { artifact: REPORT, page: 1 } }] },
    { tools: [python] },
    verdict('The total is 13.'),
    verdict('The total is 12.'),
  ],
];
const TOTAL_TURNS = TURNS.flat().length;

class Crash extends Error {}

let folder: string;
let store: ObjectStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'judge-replay-'));
  store = await openStore(`file:${folder}`, {});
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The provider's side: a first session of three turns, then the second; what was answered is not asked again. */
let session = 0;
beforeEach(() => (session = 0));
function scriptedTurn(turn: number): ScriptedTurn {
  const scripted = TURNS[session]?.[turn] ?? { text: 'past the script' };
  if (session === 0 && turn === 2) session = 1;
  return scripted;
}

/** A run of the script that dies right before its n-th paid call (`ask`) or once its turn is stored (`answer`). */
async function run(options: { crashAt?: number; moment?: 'ask' | 'answer' } = {}) {
  let paid = 0;
  let ran = 0;
  const journal = createStoreJournal(store, 'k'.repeat(64));
  const crashing: JudgeJournal = {
    ...journal,
    record: async (number, turn, make) => {
      const stored = await journal.record(number, turn, make);
      if (options.moment === 'answer' && paid === options.crashAt) throw new Crash();
      return stored;
    },
  };
  const inspector = fakeInspector(() => {
    ran++;
    return { output: `run ${ran}`, timedOut: false, exitCode: 0, durationMs: 1 };
  });
  const result = trial({
    evidence,
    deps: { journal: crashing, inspector },
    script: (_call, turn) => {
      if (options.moment === 'ask' && paid + 1 === options.crashAt) throw new Crash();
      paid++;
      return scriptedTurn(turn);
    },
  });
  const outcome = await result.then(
    (ended) => ended.outcome,
    (error: unknown) => {
      if (!(error instanceof Crash)) throw error;
      return undefined;
    },
  );
  return { outcome, paid, ran };
}

describe('a judge activity that died', () => {
  it('has an undisturbed run to compare with', async () => {
    const { outcome, paid, ran } = await run();
    expect({ paid, ran }).toEqual({ paid: TOTAL_TURNS, ran: 1 });
    expect(outcome).toMatchObject({
      verdict: {
        met: true,
        session: 2,
        turns: 4,
        usage: { inputTokens: 100 * TOTAL_TURNS },
        costMicroUsd: 7 * TOTAL_TURNS,
        firstSubmission: { met: false },
      },
    });
  });

  const moments = Array.from({ length: TOTAL_TURNS }, (_, at) => at + 1).flatMap((turn) =>
    (['ask', 'answer'] as const).map((moment) => [moment, turn] as const),
  );
  it.each(moments)(
    'goes on after a crash at the %s of call %i and pays only the rest',
    async (moment, crashAt) => {
      const first = await run({ crashAt, moment });
      expect(first.outcome).toBeUndefined();
      const kept = moment === 'answer' ? crashAt : crashAt - 1;
      const second = await run();
      expect(second.paid).toBe(TOTAL_TURNS - kept);
      expect(second.outcome).toMatchObject({
        verdict: {
          met: true,
          session: 2,
          turns: 4,
          costMicroUsd: 7 * TOTAL_TURNS,
          firstSubmission: { met: false, refusedBecause: [expect.stringContaining('13')] },
        },
      });
      // A tool's result that a judge has answered is replayed, never made again.
      const answered = kept > 5;
      expect(second.ran).toBe(answered ? 0 : 1);
    },
  );

  it('asks nothing again, and nothing more, while the store takes no turn', async () => {
    let isFull = false;
    const full: ObjectStore = Object.assign(Object.create(store) as ObjectStore, {
      putRecord: async (key: string, content: string) => {
        if (isFull) throw new Failure('StoreUnavailable', 'the disk is full');
        return store.putRecord(key, content);
      },
    });
    const unsaved = new UnsavedTurns(full);
    const asked: string[] = [];
    const ask = (item: string, turn: number) =>
      createStoreJournal(full, item, unsaved).record(1, turn, async () => {
        asked.push(`${item} ${turn}`);
        return { v: 1, item, turn };
      });
    await ask('a', 1);
    isFull = true;
    // Two that were in flight when the disk filled are paid; their retries and all others ask nothing.
    const inFlight = await Promise.allSettled([ask('a', 2), ask('b', 1)]);
    for (let retry = 0; retry < 3; retry++) {
      await expect(ask('a', 2)).rejects.toThrow('the disk is full');
      await expect(ask('c', 1)).rejects.toThrow('the disk is full');
    }
    expect(inFlight.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isFull = false;
    expect(await ask('a', 2)).toEqual({ v: 1, item: 'a', turn: 2 });
    expect(await createStoreJournal(store, 'b').read(1, 1)).toEqual({ v: 1, item: 'b', turn: 1 });
    await ask('c', 1);
    expect(asked).toEqual(['a 1', 'a 2', 'b 1', 'c 1']);
  });

  it('names a damaged turn, with what to do', async () => {
    await store.putRecord(storeKeys.judgeTurn('key', 1, 1), '{"v":1,"repl');
    await expect(createStoreJournal(store, 'key').read(1, 1)).rejects.toThrow(
      /record sealed\/verdicts\/key\/s1-t1\.json in file:.* is no record of ours: .* or delete it: its judge is then asked again from that turn on/u,
    );
  });

  it('finds turns where an earlier version kept them', async () => {
    await store.putRecord(storeKeys.formerJudgeTurn('key', 2, 3), '{"v":1,"who":"earlier"}');
    const journal = createStoreJournal(store, 'key');
    expect(await journal.read(2, 3)).toEqual({ v: 1, who: 'earlier' });
    expect(await journal.read(2, 4)).toBeUndefined();
  });

  it('adopts the turn that another executor stored first', async () => {
    const journal = createStoreJournal(store, 'key');
    expect(await journal.record(1, 1, async () => ({ v: 1, who: 'first' }))).toMatchObject({
      who: 'first',
    });
    expect(await journal.record(1, 1, async () => ({ v: 1, who: 'second' }))).toMatchObject({
      who: 'first',
    });
    expect(await journal.read(1, 2)).toBeUndefined();
  });

  it('keeps turns beyond the size of a record as sealed blobs', async () => {
    const journal = createStoreJournal(store, 'key');
    const text = 'x'.repeat(1_500_000);
    await journal.record(1, 1, async () => ({ v: 1, text }));
    expect(await journal.read(1, 1)).toEqual({ v: 1, text });
    const record = await store.getRecord(storeKeys.judgeTurn('key', 1, 1));
    expect(record?.byteLength).toBeLessThan(300);
  });
});

describe('two tries of one judge at once', () => {
  const looks = () => ({ tools: [{ name: 'list_artifacts', arguments: {} }] });
  /** Two looks and the verdict; both tries know what was paid. */
  function tries() {
    let paid = 0;
    const script = (_call: unknown, turn: number) => {
      paid++;
      return turn < 2 ? looks() : verdict('The total is 12.');
    };
    return { script, paid: () => paid };
  }

  it('pay for each turn once in one process', async () => {
    const { script, paid } = tries();
    const unsaved = new UnsavedTurns(store);
    const [left, right] = await Promise.all(
      [1, 2].map(() =>
        trial({ evidence, script, deps: { journal: createStoreJournal(store, 'key', unsaved) } }),
      ),
    );
    expect(left?.outcome).toMatchObject({ outcome: 'verdict', verdict: { turns: 3 } });
    expect(right?.outcome).toEqual(left?.outcome);
    expect(paid()).toBe(3);
  });

  it('get over the failure of the one that was first', async () => {
    const unsaved = new UnsavedTurns(store);
    const journal = () => createStoreJournal(store, 'key', unsaved);
    const first = journal().record(1, 1, () => Promise.reject(new Error('given up')));
    const second = journal().record(1, 1, async () => ({ v: 1, who: 'second' }));
    await expect(first).rejects.toThrow('given up');
    expect(await second).toEqual({ v: 1, who: 'second' });
  });

  it('pay for no turn of which the other one, elsewhere, has the reply already', async () => {
    const { script, paid } = tries();
    const journal = createStoreJournal(store, 'key');
    // Frozen with its first call out, while another worker judges the item to its end.
    const frozen: JudgeJournal = {
      ...journal,
      record: async (number, turn, make) =>
        journal.record(number, turn, async () => {
          const content = await make();
          if (turn === 1)
            await trial({ evidence, script, deps: { journal: createStoreJournal(store, 'key') } });
          return content;
        }),
    };
    const { outcome, calls } = await trial({ evidence, script, deps: { journal: frozen } });
    expect(outcome).toMatchObject({ outcome: 'verdict', verdict: { turns: 3 } });
    expect(calls).toHaveLength(1);
    expect(paid()).toBe(4);
  });
});

describe('an item that ended unjudged', () => {
  const garbage = () => ({ text: 'no tool' });

  it('gives the same asker its end again, unpaid, and another asker new sessions', async () => {
    const journal = createStoreJournal(store, 'key');
    const first = await trial({ evidence, script: garbage, deps: { journal } });
    expect(first.outcome).toMatchObject({ outcome: 'unjudged', costMicroUsd: 63 });
    const again = await trial({ evidence, script: garbage, deps: { journal } });
    expect(again.calls).toHaveLength(0);
    expect(again.outcome).toEqual(first.outcome);
    const resumed = await trial({
      evidence,
      script: () => verdict('The total is 12.'),
      deps: { journal },
      task: { asker: 'run-2' },
    });
    expect(resumed.calls).toHaveLength(1);
    expect(resumed.outcome).toMatchObject({
      outcome: 'verdict',
      roundCostMicroUsd: 7,
      verdict: { session: 4, costMicroUsd: 70, usage: { inputTokens: 1_000 } },
    });
  });
});
