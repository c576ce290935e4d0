const BEGIN = '<!--';
const END = '-->';

export interface CutLine {
  readonly shown: string;
  /** The comments of the line with their marks; absent where there are none. */
  readonly unseen?: string;
}

/**
 * Takes comments out of the lines of a Markdown text, in order. One that begins a line goes on to its end, wherever
 * that is; one within a line only where it ends in the same paragraph, else its mark is shown as it stands. In a code
 * span nothing is a comment.
 */
export class CommentCutter {
  readonly #endsAhead: readonly boolean[];
  #isOpen = false;

  constructor(private readonly lines: readonly string[]) {
    const endsAhead = new Array<boolean>(lines.length).fill(false);
    for (let index = lines.length - 2; index >= 0; index--) {
      const next = lines[index + 1] ?? '';
      endsAhead[index] =
        next.trim() !== '' && (next.includes(END) || endsAhead[index + 1] === true);
    }
    this.#endsAhead = endsAhead;
  }

  cut(index: number): CutLine {
    const line = this.lines[index] ?? '';
    if (!this.#isOpen && !line.includes(BEGIN)) return { shown: line };
    const finder = new CommentFinder(line);
    const [shown, unseen]: [string[], string[]] = [[], []];
    let at = 0;
    while (at < line.length) {
      if (this.#isOpen) {
        const end = line.indexOf(END, at);
        this.#isOpen = end < 0;
        const to = end < 0 ? line.length : end + END.length;
        unseen.push(line.slice(at, to));
        at = to;
        continue;
      }
      const begin = finder.from(at);
      const isClosed = begin !== undefined && line.includes(END, begin + BEGIN.length);
      const isBlock = begin !== undefined && line.slice(0, begin).trim() === '';
      const isComment = isClosed || isBlock || this.#endsAhead[index] === true;
      if (begin === undefined || !isComment) {
        shown.push(line.slice(at));
        break;
      }
      shown.push(line.slice(at, begin));
      // From behind its mark on, so that the mark is no end.
      unseen.push(BEGIN);
      at = begin + BEGIN.length;
      this.#isOpen = true;
    }
    return unseen.length === 0
      ? { shown: line }
      : {
          shown: shown.join(''),
          unseen: unseen.join('').replaceAll(`${END}${BEGIN}`, `${END} ${BEGIN}`),
        };
  }
}

/** Finds comments from left to right; code spans are looked for once. */
class CommentFinder {
  readonly #spans: readonly (readonly [number, number])[];
  #next = 0;

  constructor(private readonly line: string) {
    this.#spans = codeSpans(line);
  }

  /** The next comment's place that is in no code span. */
  from(at: number): number | undefined {
    for (let begin = this.line.indexOf(BEGIN, at); begin >= 0;) {
      while ((this.#spans[this.#next]?.[1] ?? Infinity) <= begin) this.#next++;
      const [start, end] = this.#spans[this.#next] ?? [Infinity, Infinity];
      if (begin < start) return begin;
      begin = this.line.indexOf(BEGIN, end);
    }
    return undefined;
  }
}

/** From a run of backticks to behind the next run of its length. */
function codeSpans(line: string): (readonly [number, number])[] {
  const runs = [...line.matchAll(/`+/gu)].map(
    ({ 0: { length }, index }) => [index, length] as const,
  );
  const next = new Map<number, number>();
  const ends = runs.map(() => -1);
  for (const [index, [at, length]] of [...runs.entries()].reverse()) {
    ends[index] = next.get(length) ?? -1;
    next.set(length, at + length);
  }
  const spans: (readonly [number, number])[] = [];
  runs.forEach(([at], index) => {
    const end = ends[index] ?? -1;
    if (end > 0 && at >= (spans.at(-1)?.[1] ?? 0)) spans.push([at, end]);
  });
  return spans;
}
