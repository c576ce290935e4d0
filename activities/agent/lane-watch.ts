import { type Holding } from '../gateway/port';
import { type WatchedAttempt } from './execution-watch';
import { type RunOrders } from './lane-link';
import { letGoIfSuperseded } from './let-go';

/** Looks at the lane are this many ticks apart. */
const ORDERS_EVERY_TICKS = 3;
/** Reports are sent at once up to this many; later ones ever more rarely, so that a lane's history stays bounded. */
const QUICK_REPORTS = 4;
const REPORT_PAUSE_TICKS = 20;
const LONGEST_PAUSE_FACTOR = 2 ** 7;

/**
 * Keeps a running attempt and its lane of one mind: tells the lane when exchanges are held for provider trouble, and
 * passes a person's `pause --hold` and `resume` on to the gateway. Never waits: Temporal may be away for long.
 */
export class LaneWatch {
  private busy = false;
  private resumes: number | undefined;
  private hold: string | undefined | null = null;
  private reports = 0;
  private quietUntilTick = 0;

  constructor(private readonly watched: WatchedAttempt) {}

  look(tick: number): void {
    if (this.watched.lane === undefined || this.busy || tick % ORDERS_EVERY_TICKS !== 0) return;
    this.busy = true;
    this.compare(tick)
      .catch((error: unknown) => {
        this.watched.report({ lane: error instanceof Error ? error.message : String(error) });
      })
      .finally(() => {
        this.busy = false;
      });
  }

  private async compare(tick: number): Promise<void> {
    const { context, gateway, lane } = this.watched;
    if (lane === undefined) return;
    const { run } = context.reference;
    const orders = await lane.orders(context.plan.sweep, run);
    // An answer from before this process stood still would undo what a successor was told meanwhile.
    await letGoIfSuperseded(this.watched);
    await this.obey(orders);
    const holding = await gateway.holding(context.paths.attemptDir);
    if (holding?.type === orders.holding || tick < this.quietUntilTick) return;
    await lane.report(context.plan.sweep, run, holding && troubleOf(holding));
    this.reports++;
    const beyond = this.reports - QUICK_REPORTS;
    if (beyond < 0) return;
    const factor = Math.min(2 ** beyond, LONGEST_PAUSE_FACTOR);
    this.quietUntilTick = tick + REPORT_PAUSE_TICKS * factor;
  }

  private async obey({ hold, resumes }: RunOrders): Promise<void> {
    const { context, gateway } = this.watched;
    if (this.hold !== hold) {
      await gateway.pause(context.paths.attemptDir, hold);
      this.hold = hold;
    }
    if (this.resumes !== undefined && resumes > this.resumes) await gateway.tryHeld();
    this.resumes = resumes;
  }
}

function troubleOf({ type, message }: Holding): { type: string; message: string } {
  return { type, message: message.slice(0, 500) };
}
