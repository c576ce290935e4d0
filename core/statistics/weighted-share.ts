/** Weights met and judged, by group (a level, a dimension). */
export interface WeightedShare {
  /** 100 * weight met / weight judged. */
  readonly weighted: number;
  /** 100 * items met / items judged. */
  readonly items: number;
  readonly itemCount: number;
}

interface Sums {
  weight: number;
  weightMet: number;
  count: number;
  countMet: number;
}

/** Adds up judged items by group; memory is that of the groups. */
export class WeightedShares {
  private readonly groups = new Map<string, Sums>();

  add(group: string, weight: number, met: boolean): void {
    let sums = this.groups.get(group);
    if (sums === undefined) {
      sums = { weight: 0, weightMet: 0, count: 0, countMet: 0 };
      this.groups.set(group, sums);
    }
    sums.weight += weight;
    sums.count += 1;
    if (!met) return;
    sums.weightMet += weight;
    sums.countMet += 1;
  }

  /** In the given order, then any other group by name. */
  result(order: readonly string[]): Record<string, WeightedShare> {
    const names = [...this.groups.keys()].sort(
      (left, right) => rank(order, left) - rank(order, right) || (left < right ? -1 : 1),
    );
    return Object.fromEntries(names.map((name) => [name, share(this.groups.get(name))]));
  }
}

function rank(order: readonly string[], name: string): number {
  const index = order.indexOf(name);
  return index < 0 ? order.length : index;
}

function share(sums: Sums | undefined): WeightedShare {
  if (sums === undefined) throw new RangeError('a share needs at least one item');
  return {
    weighted: (100 * sums.weightMet) / sums.weight,
    items: (100 * sums.countMet) / sums.count,
    itemCount: sums.count,
  };
}
