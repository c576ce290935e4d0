import { FileStore } from '../../activities/store/file-store';
import { type ObjectStore } from '../../activities/store/port';
import { canonicalJson, storeKeys } from '../../core/ids';
import {
  type CohortHolder,
  newestHolder,
  otherHolder,
  releaseHolder,
  takeCohort,
  unreleasedCohorts,
} from '../../workers/cohort-holder';
import { newFolder, type TestFolder } from '../support/task-folder';

let folder: TestFolder;
let store: FileStore;
beforeEach(() => {
  folder = newFolder();
  store = new FileStore(folder.path);
});
afterEach(() => folder.remove());

const holder = (workflowId: string, firstRunId = 'run-1', stack = 's'): CohortHolder => ({
  ...{ stack, namespace: 'default', workflowId, firstRunId },
});
const open = async (): Promise<boolean> => true;
const closed = async (): Promise<boolean> => false;

describe('takeCohort', () => {
  it('is taken by the first sweep, and again by the same execution without a new record', async () => {
    for (let time = 1; time <= 2; time++)
      expect(await takeCohort(store, 'c', holder('sweep/a'), open)).toMatchObject({
        taken: true,
        holder: { n: 1 },
      });
  });

  it('is refused while another sweep holds it, and taken once that one is closed', async () => {
    await takeCohort(store, 'c', holder('sweep/a'), open);
    expect(await takeCohort(store, 'c', holder('sweep/b'), open)).toMatchObject({
      taken: false,
      heldBy: { workflowId: 'sweep/a' },
    });
    expect(await takeCohort(store, 'c', holder('sweep/b'), closed)).toMatchObject({
      taken: true,
      holder: { n: 2 },
    });
    expect(await newestHolder(store, 'c')).toMatchObject({ n: 2, workflowId: 'sweep/b' });
  });

  it('is taken anew by a later execution of the same sweep', async () => {
    await takeCohort(store, 'c', holder('sweep/a', 'run-1'), open);
    expect(await takeCohort(store, 'c', holder('sweep/a', 'run-2'), closed)).toMatchObject({
      holder: { n: 2, firstRunId: 'run-2' },
    });
  });

  it('tells stacks apart, and takes the word of a release for a server that cannot be asked', async () => {
    await takeCohort(store, 'c', holder('sweep/a', 'run-1', 'one'), open);
    const elsewhere = holder('sweep/a', 'run-2', 'two');
    expect(await takeCohort(store, 'c', elsewhere, open)).toMatchObject({ taken: false });
    await releaseHolder(store, 'c', { n: 1 }, { why: 'ended' });
    expect(await takeCohort(store, 'c', elsewhere, open)).toMatchObject({ holder: { n: 2 } });
    // The release was of the first holder alone.
    expect(await takeCohort(store, 'c', holder('sweep/b'), open)).toMatchObject({ taken: false });
  });

  it('takes a record that names no execution for the one that asks, and for any other sweep’s newest', async () => {
    const { firstRunId: _none, ...old } = holder('sweep/a');
    const record = { v: 1, n: 1, ...old, takenAt: '2026-01-01T00:00:00.000Z' };
    await store.putRecord(storeKeys.holder('c', 1), canonicalJson(record));
    expect(await takeCohort(store, 'c', holder('sweep/b'), open)).toMatchObject({ taken: false });
    expect(await takeCohort(store, 'c', holder('sweep/a'), open)).toMatchObject({
      holder: { n: 2, firstRunId: 'run-1' },
    });
  });

  it('has one holder, however many ask at once', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `sweep/${index}`);
    const taken = await Promise.all(
      names.map((name) => takeCohort(store, 'c', holder(name), open)),
    );
    expect(taken.filter((each) => each.taken)).toHaveLength(1);
    expect((await newestHolder(store, 'c'))?.n).toBe(1);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'never lets two open executions in, in whatever order launches, ends and kills come (seed %i)',
    async (seed) => {
      const world = new RacingWorld(store, seed);
      await Promise.all(['sweep/a', 'sweep/b', 'sweep/c'].map((name) => world.launchAgain(name)));
      expect(world.mostAtOnce).toBe(1);
      // The test would prove nothing if nobody were let in, or nobody refused.
      expect(world.letIn).toBeGreaterThan(3);
      expect(world.refused).toBeGreaterThan(3);
    },
  );
});

describe('otherHolder', () => {
  it('names another open sweep, and neither the own one nor one that has ended', async () => {
    await takeCohort(store, 'c', holder('sweep/a'), open);
    expect(await otherHolder(store, 'c', holder('sweep/b'), open)).toMatchObject({ n: 1 });
    expect(await otherHolder(store, 'c', holder('sweep/a'), open)).toBeUndefined();
    expect(await otherHolder(store, 'c', holder('sweep/b'), closed)).toBeUndefined();
  });
});

describe('unreleasedCohorts', () => {
  it('lists cohorts whose newest holder has no release', async () => {
    for (const cohort of ['kept', 'released', 'taken-again'])
      await takeCohort(store, cohort, holder('sweep/a'), open);
    for (const cohort of ['released', 'taken-again'])
      await releaseHolder(store, cohort, { n: 1 }, { why: 'ended' });
    await takeCohort(store, 'taken-again', holder('sweep/b'), closed);
    expect([...(await unreleasedCohorts(store))].sort()).toEqual(['kept', 'taken-again']);
  });
});

const LAUNCHES = 12;

/** A server's sweeps, launched again and again; every step of everybody is held up for a seeded while. */
class RacingWorld {
  letIn = 0;
  refused = 0;
  mostAtOnce = 0;
  /** Newest execution by sweep, and whether it is open. */
  private readonly newest = new Map<string, { readonly id: string; open: boolean }>();
  private readonly working = new Set<string>();
  private readonly slow: ObjectStore;

  constructor(
    store: ObjectStore,
    private seed: number,
  ) {
    this.slow = new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || name === 'list')
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        return async (...args: unknown[]) => {
          await this.pause();
          const result: unknown = await Reflect.apply(member, target, args);
          await this.pause();
          return result;
        };
      },
    });
  }

  async launchAgain(sweep: string): Promise<void> {
    const late: Promise<unknown>[] = [];
    for (let launch = 1; launch <= LAUNCHES; launch++) {
      const execution = { id: `${sweep} ${launch}`, open: true };
      this.newest.set(sweep, execution);
      const entering = takeCohort(this.slow, 'c', holder(sweep, execution.id), (other) =>
        this.isOpen(other.workflowId, other.firstRunId),
      );
      if (this.random() < 0.3) {
        // Terminated while it loads: its activity asks on, for nobody.
        await this.pause();
        execution.open = false;
        late.push(entering);
        continue;
      }
      if ((await entering).taken) await this.work(execution.id);
      else this.refused++;
      execution.open = false;
      await this.pause();
    }
    await Promise.all(late);
  }

  private async work(execution: string): Promise<void> {
    this.letIn++;
    this.working.add(execution);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.working.size);
    // As long as several askings take.
    for (let step = 1; step <= 40; step++) await this.pause();
    this.mostAtOnce = Math.max(this.mostAtOnce, this.working.size);
    this.working.delete(execution);
  }

  private async isOpen(sweep: string, execution: string | undefined): Promise<boolean> {
    await this.pause();
    const newest = this.newest.get(sweep);
    const answer = newest?.open === true && newest.id === execution;
    await this.pause();
    return answer;
  }

  private async pause(): Promise<void> {
    for (let turns = Math.floor(this.random() * 6); turns > 0; turns--)
      await new Promise((resolve) => setImmediate(resolve));
  }

  /** Lehmer's generator. */
  private random(): number {
    this.seed = (this.seed * 48_271) % 2_147_483_647;
    return this.seed / 2_147_483_647;
  }
}
