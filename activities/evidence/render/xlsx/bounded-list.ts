/** A list that keeps its first entries and counts the others. */
export class BoundedList<T> {
  readonly entries: T[] = [];
  beyond = 0;

  constructor(private readonly limit: number) {}

  push(entry: T): void {
    if (this.entries.length < this.limit) this.entries.push(entry);
    else this.beyond++;
  }
}

/** Entries listed of merged ranges, rules, links, comments and so on, for each sheet. */
export const MAX_LISTED = 1_000;

/** A text of at most so many characters; what is cut off is said. */
export function cutText(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters
    ? text
    : `${text.slice(0, maxCharacters)} [${text.length - maxCharacters} more characters]`;
}
