import { type Colors } from './colors';
import { type Font, fontWords, openFontPart } from './look';

const MAX_RUNS = 20;
const MAX_LETTERS = 60;

/** Parts of one text that look otherwise than the rest: `"one-off" bold, font FF0000`. */
export class RichRuns {
  private runs: { words: string; text: string }[] = [];
  private font: Font | undefined;

  constructor(private readonly colors: Pick<Colors, 'of'>) {}

  begin(): void {
    this.runs = [];
    this.font = undefined;
  }

  /** True for an element that belongs to a run. */
  open(name: string, attributes: () => Record<string, string>): boolean {
    if (name === 'r') {
      if (this.runs.length < MAX_RUNS) this.runs.push({ words: '', text: '' });
    } else if (name === 'rPr') this.font = { points: 11, name: '', color: undefined, words: [] };
    else if (this.font) openFontPart(this.font, name, attributes(), this.colors);
    else return false;
    return true;
  }

  text(text: string): void {
    const run = this.runs.at(-1);
    if (run && run.text.length < MAX_LETTERS) run.text += text;
  }

  close(name: string): void {
    const run = this.runs.at(-1);
    if (name !== 'rPr' || !this.font || !run) return;
    run.words = fontWords(this.font, undefined).join(', ');
    this.font = undefined;
  }

  /** Empty where all of the text looks alike. */
  end(): string {
    const [first, ...others] = this.runs;
    if (!first || others.every(({ words }) => words === first.words)) return '';
    return this.runs
      .filter(({ words, text }) => words !== '' && text.trim() !== '')
      .map(({ words, text }) => `${JSON.stringify(text.trim().slice(0, MAX_LETTERS))} ${words}`)
      .join('; ');
  }
}

/** A look without the words of the text that it names: cells with the like are one group. */
export function withoutWords(look: string): string {
  if (!look.includes('"')) return look;
  const parts = look.replace(/"(?:[^"\\]|\\.)*" /gu, 'partly ').split('; ');
  return [...new Set(parts)].join('; ');
}
