import { type Word } from './poppler';

/** Boxes by the point at which an edge of theirs lies, at most 50 each. */
export function bucketsOf<Box extends Word>(
  boxes: readonly Box[],
  edgeOf: (box: Box) => number,
): ReadonlyMap<number, readonly Box[]> {
  const buckets = new Map<number, Box[]>();
  for (const box of boxes) {
    const at = Math.floor(edgeOf(box));
    const known = buckets.get(at);
    if (!known) buckets.set(at, [box]);
    else if (known.length < 50) known.push(box);
  }
  return buckets;
}

/** Letters of a piece of a word that is written aslant, at most: poppler boxes them nearly one by one. */
const MAX_PIECE_LETTERS = 4;
/** Points that two pieces may lie apart. */
const TOUCHING_POINTS = 0.05;
/** Less steep is a line that is nearly upright, which poppler keeps whole. */
const MIN_STEEPNESS = 0.05;
const MAX_STEEPNESS = 1.1;
/** Share by which the steps of one word may differ. */
const SAME_STEEPNESS = 0.03;
/** Pieces from which on a word stands for itself; shorter ones need another one on the page, as steep as they. */
const MIN_PIECES = 3;
/** From one edge of a piece to the edge of the next, and how far that one is off along the other axis. */
interface Direction {
  readonly from: (box: Word) => number;
  readonly to: (box: Word) => number;
  readonly steepness: (box: Word, next: Word) => number;
}

const width = ({ left, right }: Word): number => Math.max(0.01, right - left);
const height = ({ top, bottom }: Word): number => Math.max(0.01, bottom - top);

/** Flat lines that rise and fall, steep ones that rise and fall. */
const DIRECTIONS: readonly Direction[] = [
  {
    from: ({ right }) => right,
    to: ({ left }) => left,
    steepness: (box, next) => (box.bottom - next.bottom) / width(box),
  },
  {
    from: ({ right }) => right,
    to: ({ left }) => left,
    steepness: (box, next) => (next.top - box.top) / width(box),
  },
  {
    from: ({ top }) => top,
    to: ({ bottom }) => bottom,
    steepness: (box, next) => (next.left - box.left) / height(box),
  },
  {
    from: ({ bottom }) => bottom,
    to: ({ top }) => top,
    steepness: (box, next) => (next.left - box.left) / height(box),
  },
];

interface Chain<Box> {
  readonly boxes: readonly Box[];
  readonly steepness: number;
}

/**
 * Words that are written aslant, each as the boxes that it is made of, from left to right: every box begins where the
 * one before ends, and all of them rise or fall by the same share of their length.
 */
export function findSlanted<Box extends Word>(boxes: readonly Box[]): (readonly Box[])[] {
  const pieces = boxes.filter(({ text }) => text.length <= MAX_PIECE_LETTERS);
  const taken = new Set<Box>();
  const words: (readonly Box[])[] = [];
  for (const direction of DIRECTIONS) {
    const chains = chainsOf(pieces, direction);
    const certain = chains.filter(({ boxes: { length } }) => length >= MIN_PIECES);
    const known = certain.slice(0, 20).map(({ steepness }) => steepness);
    for (const { boxes: chain, steepness } of chains) {
      const isKnown = known.some((each) => isSame(each, steepness));
      if ((chain.length < MIN_PIECES && !isKnown) || chain.some((box) => taken.has(box))) continue;
      for (const box of chain) taken.add(box);
      words.push(chain);
    }
  }
  return words.sort(([left], [right]) => (left?.left ?? 0) - (right?.left ?? 0));
}

function chainsOf<Box extends Word>(pieces: readonly Box[], direction: Direction): Chain<Box>[] {
  const buckets = bucketsOf(pieces, direction.to);
  const after = new Map<Box, { readonly next: Box; readonly steepness: number }>();
  const isLater = new Set<Box>();
  for (const box of pieces) {
    const edge = direction.from(box);
    const near = [Math.floor(edge - TOUCHING_POINTS), Math.floor(edge + TOUCHING_POINTS)];
    const next = [...new Set(near)]
      .flatMap((at) => buckets.get(at) ?? [])
      .find((other) => {
        if (other === box || isLater.has(other)) return false;
        if (Math.abs(direction.to(other) - edge) > TOUCHING_POINTS) return false;
        const steepness = direction.steepness(box, other);
        return steepness > MIN_STEEPNESS && steepness < MAX_STEEPNESS;
      });
    if (!next) continue;
    after.set(box, { next, steepness: direction.steepness(box, next) });
    isLater.add(next);
  }
  return [...after.keys()]
    .filter((box) => !isLater.has(box))
    .flatMap((start) => evenParts(start, after));
}

/** A run of steps, parted where they become steeper or flatter. */
function evenParts<Box extends Word>(
  start: Box,
  after: ReadonlyMap<Box, { readonly next: Box; readonly steepness: number }>,
): Chain<Box>[] {
  const chains: Chain<Box>[] = [];
  let current: { boxes: Box[]; steepness: number } | undefined;
  for (let step = after.get(start), box = start; step; box = step.next, step = after.get(box)) {
    if (current && isSame(current.steepness, step.steepness)) current.boxes.push(step.next);
    else {
      current = { boxes: [box, step.next], steepness: step.steepness };
      chains.push(current);
    }
  }
  return chains;
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= SAME_STEEPNESS * Math.max(one, other);
}
