/** Which comments are on the words that are read now; a comment may run over paragraphs. */
export class CommentRanges {
  private readonly current = new Set<string>();

  /** @param numbers the number under which a comment is listed, by its id */
  constructor(private readonly numbers: ReadonlyMap<string, number>) {}

  begin(id: string): void {
    if (this.numbers.has(id)) this.current.add(id);
  }

  end(id: string): void {
    this.current.delete(id);
  }

  /** `comment 2` */
  open(): string[] {
    return [...this.current].map((id) => `comment ${this.numbers.get(id) ?? '?'}`);
  }
}
