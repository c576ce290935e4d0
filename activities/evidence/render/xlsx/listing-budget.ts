import { RENDER_LIMITS } from '../limits';

/** Characters of one value or formula that are kept while there is room, and after that. */
const LONGEST = 32_767;
const LONGEST_WHEN_FULL = 200;
/** Characters that all listed cells of a workbook may hold. */
const ALL_CHARACTERS = 20_000_000;
/** Characters that moving shared formulas may write, listed or not; long ones, which no person writes, count more. */
const MOVED_CHARACTERS = 128_000_000;
const LONG_FORMULA = 500;

/** What the cells of one workbook may still take. Whatever is cut is counted. */
export class ListingBudget {
  cells: number = RENDER_LIMITS.cells;
  cut = 0;
  unmoved = 0;
  private characters = ALL_CHARACTERS;
  private moved = MOVED_CHARACTERS;

  takeCell(): boolean {
    if (this.cells <= 0) return false;
    this.cells--;
    return true;
  }

  text(text: string): string {
    const limit = this.characters > 0 ? LONGEST : LONGEST_WHEN_FULL;
    const kept = text.length <= limit ? text : `${text.slice(0, limit)}…`;
    if (kept !== text) this.cut++;
    this.characters -= kept.length;
    return kept;
  }

  /** Whether a shared formula of that length may be moved once more. */
  takeMove(length: number): boolean {
    this.moved -= length > LONG_FORMULA ? length * 10 : length + 20;
    if (this.moved >= 0) return true;
    this.unmoved++;
    return false;
  }
}
