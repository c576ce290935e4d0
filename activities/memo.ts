/** The last `size` values by key, made once each; a failed make is forgotten. */
export class Memo<Value> {
  private readonly entries = new Map<string, Promise<Value>>();

  constructor(private readonly size: number) {}

  get(key: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.entries.get(key);
    if (known !== undefined) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known;
    }
    const made = make();
    this.entries.set(key, made);
    made.catch(() => this.entries.delete(key));
    const oldest = this.entries.keys().next();
    if (this.entries.size > this.size && !oldest.done) this.entries.delete(oldest.value);
    return made;
  }
}
