import {
  type ActivitySlotInfo,
  type CustomSlotSupplier,
  type SlotPermit,
} from '@temporalio/worker';

/** Places that may be free or not; `HostSlots` of the sandbox folder. */
export interface FreePlaces {
  readonly free: number;
  /** Calls back whenever `free` may have changed; returns the way out. */
  onChange(listener: () => void): () => void;
}

class AbortError extends Error {
  override name = 'AbortError';
}

/**
 * Lets a worker ask for tasks only while a place is free, so that a full host leaves them to others. A permit that is
 * out counts as a taken place, whether it only polls or works already.
 */
export function slotsWhileFree(places: FreePlaces): CustomSlotSupplier<ActivitySlotInfo> {
  let out = 0;
  const mayGive = () => places.free > out;
  const give = (): SlotPermit => {
    out++;
    return {};
  };
  return {
    type: 'custom',
    reserveSlot: (_context, signal) =>
      new Promise((resolve, reject) => {
        if (mayGive()) {
          resolve(give());
          return;
        }
        // Permits come back without a word from `places`, hence the timer.
        const timer = setInterval(look, 250);
        const forget = places.onChange(look);
        signal.addEventListener('abort', stop, { once: true });
        function settle(): void {
          clearInterval(timer);
          forget();
          signal.removeEventListener('abort', stop);
        }
        function look(): void {
          if (!mayGive()) return;
          settle();
          resolve(give());
        }
        function stop(): void {
          settle();
          reject(new AbortError('the worker needs no slot any more'));
        }
      }),
    tryReserveSlot: () => (mayGive() ? give() : null),
    markSlotUsed: () => undefined,
    releaseSlot: () => {
      out--;
    },
  };
}
