import { type WatchedAttempt } from '../../../activities/agent/execution-watch';
import {
  type LaneLink,
  type RunOrders,
  type RunTrouble,
} from '../../../activities/agent/lane-link';
import { LaneWatch } from '../../../activities/agent/lane-watch';
import { type Holding } from '../../../activities/gateway/port';

/** A lane and a gateway that do what they are told. */
class World {
  orders: { hold?: string; resumes: number } = { resumes: 0 };
  holding: Holding | undefined;
  away = false;
  newestEpoch = 1;
  hasSlept = false;
  readonly told: (RunTrouble | undefined)[] = [];
  readonly gatewayCalls: string[] = [];
  readonly problems: unknown[] = [];
  private known: string | undefined;

  readonly lane: { -readonly [Method in keyof LaneLink]: LaneLink[Method] } = {
    orders: async (): Promise<RunOrders> => {
      if (this.away) throw new Error('no server answers');
      return {
        ...this.orders,
        ...(this.known !== undefined && { holding: this.known }),
      };
    },
    report: async (_sweep, _run, trouble) => {
      this.told.push(trouble);
      this.known = trouble?.type;
    },
  };

  /** A lane that has forgotten, as one that started again. */
  forget(): void {
    this.known = undefined;
  }

  watch(): LaneWatch {
    return new LaneWatch({
      lane: this.lane,
      gateway: {
        holding: async () => this.holding,
        pause: async (_folder: string, reason: string | undefined) => {
          this.gatewayCalls.push(`pause ${reason ?? 'no more'}`);
        },
        tryHeld: async () => {
          this.gatewayCalls.push('tryHeld');
        },
      },
      context: {
        plan: { sweep: 's' },
        reference: { run: {} },
        paths: { attemptDir: '/a' },
        state: { epoch: async () => this.newestEpoch },
      },
      epoch: 1,
      assertAwake: () => {
        if (this.hasSlept) throw new Error('this worker stood still');
      },
      report: (problem: unknown) => this.problems.push(problem),
    } as unknown as WatchedAttempt);
  }
}

async function ticks(watch: LaneWatch, from: number, to: number): Promise<void> {
  for (let tick = from; tick < to; tick++) {
    watch.look(tick);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const QUOTA: Holding = { type: 'ProviderQuota', message: 'no credit', since: 'now' };

describe('a running attempt and its lane', () => {
  it('agree on what is held, each change told once', async () => {
    const world = new World();
    const watch = world.watch();
    await ticks(watch, 0, 10);
    expect(world.told).toEqual([]);
    world.holding = QUOTA;
    await ticks(watch, 10, 20);
    world.holding = undefined;
    await ticks(watch, 20, 30);
    expect(world.told).toEqual([{ type: 'ProviderQuota', message: 'no credit' }, undefined]);
  });

  it('agree again when either has started anew', async () => {
    const world = new World();
    world.holding = QUOTA;
    await ticks(world.watch(), 0, 4);
    world.forget();
    await ticks(world.watch(), 0, 4);
    world.holding = undefined;
    await ticks(world.watch(), 0, 4);
    expect(world.told.map((trouble) => trouble?.type)).toEqual([
      'ProviderQuota',
      'ProviderQuota',
      undefined,
    ]);
  });

  it('do not flood the lane when an account comes and goes', async () => {
    const world = new World();
    const watch = world.watch();
    for (let tick = 0; tick < 20_000; tick += 3) {
      world.holding = world.holding === undefined ? QUOTA : undefined;
      await ticks(watch, tick, tick + 1);
    }
    expect(world.told.length).toBeGreaterThan(4);
    expect(world.told.length).toBeLessThan(20);
  });

  it('pass on a pause with hold, its end, and a resume', async () => {
    const world = new World();
    const watch = world.watch();
    await ticks(watch, 0, 4);
    world.orders = { hold: 'lunch', resumes: 0 };
    await ticks(watch, 4, 10);
    world.orders = { resumes: 1 };
    await ticks(watch, 10, 16);
    expect(world.gatewayCalls).toEqual([
      'pause no more',
      'pause lunch',
      'pause no more',
      'tryHeld',
    ]);
  });

  it('go on with what was said last while Temporal is away', async () => {
    const world = new World();
    const watch = world.watch();
    world.orders = { hold: 'lunch', resumes: 0 };
    await ticks(watch, 0, 4);
    world.away = true;
    await ticks(watch, 4, 10);
    expect(world.gatewayCalls).toEqual(['pause lunch']);
    expect(world.problems).toContainEqual({ lane: 'no server answers' });
  });

  it.each(['newestEpoch', 'hasSlept'] as const)(
    'end no pause by an answer from before the worker was frozen (%s)',
    async (sign) => {
      const world = new World();
      const watch = world.watch();
      let answer = (_orders: RunOrders) => {};
      world.lane.orders = () => new Promise((resolve) => (answer = resolve));
      await ticks(watch, 0, 1);
      // Frozen here: a person pauses, and a successor passes that on. Then the old answer comes.
      if (sign === 'newestEpoch') world.newestEpoch = 2;
      else world.hasSlept = true;
      answer({ resumes: 0 });
      await ticks(watch, 1, 3);
      expect(world.gatewayCalls).toEqual([]);
      expect(world.problems).toHaveLength(1);
    },
  );
});
