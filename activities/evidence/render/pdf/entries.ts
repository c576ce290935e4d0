import { type TextOptions, type Rendering } from '../rendering';

/** Entries of one list at most. */
const MAX_ENTRIES = 2_000;

const LABELS = {
  outline: 'bookmark',
  links: 'link',
  annotations: 'annotation',
  forms: 'form field',
  attachments: 'attachment',
  layers: 'layer',
  fonts: 'font',
  actions: 'action',
  pictures: 'picture',
  tables: 'table geometry',
} as const;
export type EntryList = keyof typeof LABELS;
type EntryOptions = Omit<TextOptions, 'label'>;

/**
 * Lists of what a file holds beside its pages; the n-th entry of a list is at `paragraph=links:n-n`. They are
 * gathered first and written behind the text of the pages.
 */
export class Entries {
  private readonly numbers = new Map<EntryList, number>();
  private readonly writes: (() => void)[] = [];
  private readonly lastWrites: (() => void)[] = [];

  constructor(private readonly rendering: Rendering) {}

  add(list: EntryList, text: string, options: EntryOptions = {}): void {
    this.addLate(list, () => [text, options]);
  }

  /** @param make called when the text of the pages is known */
  addLate(list: EntryList, make: () => readonly [text: string, options: EntryOptions]): void {
    const number = (this.numbers.get(list) ?? 0) + 1;
    this.numbers.set(list, number);
    if (number > MAX_ENTRIES) {
      this.rendering.truncate(`more than ${MAX_ENTRIES} ${list} are not listed`);
      return;
    }
    const place = { kind: 'paragraph', part: list, from: number, to: number } as const;
    this.writes.push(() => {
      const [text, options] = make();
      this.rendering.addText(place, text, { label: LABELS[list], ...options });
    });
  }

  /** Something to be written behind all lists. */
  last(write: () => void): void {
    this.lastWrites.push(write);
  }

  write(): void {
    for (const write of [...this.writes, ...this.lastWrites]) write();
  }
}
