import { type Clock, SYSTEM_CLOCK } from './clock';
import { AdaptiveLimiter } from './limiter';
import { type Place, type PlaceRequest, type Places } from './port';

/** The places of every account, given out by this process. */
export class OwnPlaces implements Places {
  private readonly limiters = new Map<string, AdaptiveLimiter>();

  constructor(private readonly clock: Clock = SYSTEM_CLOCK) {}

  async acquire(request: PlaceRequest, signal?: AbortSignal): Promise<Place> {
    const limiter = this.limiter(request);
    const grant = await limiter.acquire(request, signal);
    return { release: once((outcome) => limiter.release(grant, outcome)) };
  }

  /** Counts a call that began on a place which another process gave. */
  adopt(request: PlaceRequest): Place {
    const limiter = this.limiter(request);
    const grant = limiter.adopt();
    return { release: once((outcome) => limiter.release(grant, outcome)) };
  }

  /** For people who look: calls open, waiting and allowed at once now, by account. */
  status(): Record<string, { open: number; waiting: number; limit: number }> {
    return Object.fromEntries(
      [...this.limiters].map(([account, { open, waiting, currentLimit }]) => [
        account,
        { open, waiting, limit: currentLimit },
      ]),
    );
  }

  private limiter({ account, maxConcurrency }: PlaceRequest): AdaptiveLimiter {
    let limiter = this.limiters.get(account);
    if (limiter === undefined) {
      limiter = new AdaptiveLimiter({ maxConcurrency, clock: this.clock });
      this.limiters.set(account, limiter);
    }
    limiter.setMaximum(maxConcurrency);
    return limiter;
  }
}

function once(release: Place['release']): Place['release'] {
  let released = false;
  return (outcome) => {
    if (released) return;
    released = true;
    release(outcome);
  };
}
