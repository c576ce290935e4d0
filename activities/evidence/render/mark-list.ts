import { type TextMark } from '../../../core/evidence-view';

/** Marks of one text, and words of one mark: a file of many short runs makes no more. */
export const MAX_MARKS = 60;
const MAX_MARK_LETTERS = 200;

interface OpenMark {
  readonly look: string;
  text: string;
  /** Where the text ended when words were last added. */
  end: number;
}

/** Gathers the marks of a text that is put together piece by piece: pieces of one look that follow each other are one. */
export class MarkList {
  private readonly marks: OpenMark[] = [];
  private readonly lastByLook = new Map<string, OpenMark>();
  private length = 0;

  /** @param looks what marks this piece, in words */
  add(text: string, looks: Iterable<string>): void {
    const end = this.length + text.length;
    for (const look of looks) {
      const last = this.lastByLook.get(look);
      if (last?.end === this.length) {
        if (last.text.length <= MAX_MARK_LETTERS) last.text += text;
        last.end = end;
      } else if (this.marks.length < MAX_MARKS) {
        const mark = { look, text, end };
        this.marks.push(mark);
        this.lastByLook.set(look, mark);
      }
    }
    this.length = end;
  }

  /** Those with words, and underlined blanks, which are places to fill in. */
  list(): TextMark[] {
    return this.marks.flatMap(({ look, text }) => {
      const words = text.trim();
      if (words !== '') return [{ look, text: cut(words) }];
      return look === 'underlined' && text.length > 1 ? [{ look: 'blank line', text: '' }] : [];
    });
  }
}

function cut(text: string): string {
  return text.length > MAX_MARK_LETTERS ? `${text.slice(0, MAX_MARK_LETTERS)}...` : text;
}
