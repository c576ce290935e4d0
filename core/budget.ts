import { type MicroUsd } from './money';

/** Runs that must have ended before a lane trusts its own mean. */
export const ENDS_TO_TRUST_MEAN = 5;
/** A run reserves this multiple of the observed mean, since runs differ. */
export const RESERVATION_FACTOR = 1.5;

/** Money side of a lane. `undefined` amounts are unknown, and unknown money starts nothing under a budget. */
export interface LaneMoney {
  /** In the store before this launch, plus what ended runs cost since. */
  readonly spentMicroUsd: MicroUsd | undefined;
  /** Runs that ended in this launch, and their cost: the observed mean. */
  readonly ends: number;
  readonly endsCostMicroUsd: MicroUsd | undefined;
  /** Worst case of one run: the attempt's cap and the judge estimate. */
  readonly reserveMicroUsd: MicroUsd | undefined;
  /** What this lane may spend in all; `undefined` = the sweep has no budget. */
  readonly allotmentMicroUsd: MicroUsd | undefined;
}

/** What one open run holds back: 1.5 x the observed mean, before five ends the worst case. */
export function reservationMicroUsd(money: LaneMoney): MicroUsd | undefined {
  if (money.ends >= ENDS_TO_TRUST_MEAN && money.endsCostMicroUsd !== undefined)
    return Math.ceil((RESERVATION_FACTOR * money.endsCostMicroUsd) / money.ends);
  return money.reserveMicroUsd;
}

/** How many more runs the lane may open beside its `open` ones. */
export function affordableStarts(money: LaneMoney, open: number): number {
  if (money.allotmentMicroUsd === undefined) return Number.POSITIVE_INFINITY;
  const reservation = reservationMicroUsd(money);
  if (money.spentMicroUsd === undefined || reservation === undefined) return 0;
  const left = money.allotmentMicroUsd - money.spentMicroUsd - open * reservation;
  if (reservation === 0) return left >= 0 ? Number.POSITIVE_INFINITY : 0;
  return Math.max(0, Math.floor(left / reservation));
}

/** A lane as the sweep sees it when it shares out the budget. */
export interface LaneShare {
  readonly laneId: string;
  readonly spentMicroUsd: MicroUsd;
  readonly reservationMicroUsd: MicroUsd;
  readonly allotmentMicroUsd: MicroUsd;
  readonly open: number;
  readonly waiting: number;
  /** It has runs waiting and cannot afford the next one. */
  readonly blocked: boolean;
  /** It was told of this share and has not answered yet: whatever it said before, it may be starting runs on it. */
  readonly unanswered?: boolean;
}

/** The first shares: what is already spent, plus an equal part of what is left for each lane with work. */
export function firstAllotments(
  budget: MicroUsd,
  lanes: readonly Pick<LaneShare, 'laneId' | 'spentMicroUsd' | 'waiting'>[],
): Map<string, MicroUsd> {
  const spent = lanes.reduce((sum, lane) => sum + lane.spentMicroUsd, 0);
  const working = lanes.filter((lane) => lane.waiting > 0).length;
  const part = working === 0 ? 0 : Math.floor(Math.max(0, budget - spent) / working);
  return new Map(
    lanes.map((lane) => [lane.laneId, lane.spentMicroUsd + (lane.waiting > 0 ? part : 0)]),
  );
}

/**
 * New shares where they change. Money goes back from lanes that can certainly not spend it (no open run, and nothing
 * waiting or nothing affordable with the share that they have), then to blocked lanes in order, one reservation at a
 * time. The sum of all shares never exceeds the budget, so the sweep overshoots by at most the caps of the open runs.
 */
export function moveAllotments(
  budget: MicroUsd,
  lanes: readonly LaneShare[],
): Map<string, MicroUsd> {
  const idle = (lane: LaneShare) =>
    lane.unanswered !== true && lane.open === 0 && (lane.waiting === 0 || lane.blocked);
  const shares = new Map(
    lanes.map((lane) => [lane.laneId, idle(lane) ? lane.spentMicroUsd : lane.allotmentMicroUsd]),
  );
  let free = budget - [...shares.values()].reduce((sum, share) => sum + share, 0);
  const wanting = lanes.filter(
    (lane) => lane.blocked && lane.unanswered !== true && lane.waiting > 0,
  );
  const given = new Map<string, number>();
  for (let gave = true; gave;) {
    gave = false;
    for (const lane of wanting) {
      const count = given.get(lane.laneId) ?? 0;
      const share = shares.get(lane.laneId) ?? lane.spentMicroUsd;
      const needed =
        lane.spentMicroUsd + (lane.open + count + 1) * lane.reservationMicroUsd - share;
      if (count >= lane.waiting || needed > free || lane.reservationMicroUsd <= 0) continue;
      free -= Math.max(0, needed);
      shares.set(lane.laneId, share + Math.max(0, needed));
      given.set(lane.laneId, count + 1);
      gave = true;
    }
  }
  return new Map([...shares].filter(([laneId, share]) => changed(lanes, laneId, share)));
}

function changed(lanes: readonly LaneShare[], laneId: string, share: MicroUsd): boolean {
  return lanes.some((lane) => lane.laneId === laneId && lane.allotmentMicroUsd !== share);
}
