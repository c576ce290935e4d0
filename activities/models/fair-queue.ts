interface Entry<Item> {
  readonly item: Item;
  withdrawn: boolean;
}

interface Lane<Item> {
  /** Waiting items by party; the first party's turn comes first. */
  readonly parties: Map<string, Entry<Item>[]>;
}

/**
 * Waiting items in turns: lanes take turns, the parties of a lane take turns, and each party is first come first
 * served. So one lane with a hundred waiting calls does not keep another with one call waiting for longer than a turn.
 */
export class FairQueue<Item> {
  private readonly lanes = new Map<string, Lane<Item>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Returns how to take the item out again; does nothing once it was taken. */
  add(
    {
      lane,
      party,
      again = false,
    }: { readonly lane: string; readonly party: string; readonly again?: boolean },
    item: Item,
  ): () => void {
    const entry: Entry<Item> = { item, withdrawn: false };
    const { parties } = this.laneOf(lane);
    const waiting = parties.get(party);
    if (waiting === undefined) parties.set(party, [entry]);
    else if (again) waiting.unshift(entry);
    else waiting.push(entry);
    this.count++;
    return () => {
      if (entry.withdrawn) return;
      entry.withdrawn = true;
      this.count--;
    };
  }

  take(): Item | undefined {
    for (const [name, lane] of this.lanes) {
      const entry = nextOf(lane);
      this.lanes.delete(name);
      // Whoever has had its turn goes to the end.
      if (lane.parties.size > 0) this.lanes.set(name, lane);
      if (entry === undefined) continue;
      entry.withdrawn = true;
      this.count--;
      return entry.item;
    }
    return undefined;
  }

  private laneOf(name: string): Lane<Item> {
    let lane = this.lanes.get(name);
    if (lane === undefined) {
      lane = { parties: new Map() };
      this.lanes.set(name, lane);
    }
    return lane;
  }
}

function nextOf<Item>({ parties }: Lane<Item>): Entry<Item> | undefined {
  for (const [party, waiting] of parties) {
    const at = waiting.findIndex((entry) => !entry.withdrawn);
    parties.delete(party);
    if (at < 0) continue;
    const rest = waiting.slice(at + 1);
    if (rest.length > 0) parties.set(party, rest);
    return waiting[at];
  }
  return undefined;
}
