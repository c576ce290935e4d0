/** Where a thing lies: its edges, in any unit. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** More things than this on one slide keep the order of the file. */
const MAX_SORTED = 300;

/**
 * The order in which a reader takes things that lie on a slide: they are parted at the widest gap that runs through
 * between them, upper before lower, left before right, and each part again. What overlaps keeps the order that it
 * came in. Positions in the given list.
 */
export function readingOrder(boxes: readonly Box[]): number[] {
  const all = boxes.map((_, index) => index);
  return boxes.length > MAX_SORTED ? all : parted(all, boxes);
}

function parted(members: readonly number[], boxes: readonly Box[]): number[] {
  if (members.length < 2) return [...members];
  const across = widestGap(members, (index) => [boxes[index]?.top ?? 0, boxes[index]?.bottom ?? 0]);
  const down = widestGap(members, (index) => [boxes[index]?.left ?? 0, boxes[index]?.right ?? 0]);
  const gap = (down?.width ?? -1) > (across?.width ?? -1) ? down : across;
  if (!gap) return [...members];
  return [...parted(gap.before, boxes), ...parted(gap.after, boxes)];
}

interface Gap {
  readonly width: number;
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The widest stretch along one axis that none of the members covers. */
function widestGap(
  members: readonly number[],
  edges: (index: number) => readonly [number, number],
): Gap | undefined {
  const sorted = members.map((index) => ({ index, edges: edges(index) }));
  sorted.sort((one, other) => one.edges[0] - other.edges[0]);
  let end = -Infinity;
  let best: { readonly width: number; readonly limit: number } | undefined;
  for (const {
    edges: [from, to],
  } of sorted) {
    const width = from - end;
    if (end > -Infinity && width >= 0 && width > (best?.width ?? -1)) best = { width, limit: from };
    end = Math.max(end, to);
  }
  if (!best) return undefined;
  const { width, limit } = best;
  return {
    width,
    before: members.filter((index) => edges(index)[0] < limit),
    after: members.filter((index) => edges(index)[0] >= limit),
  };
}
