import { type TextSegment } from '../../core/evidence-view';
import { type Check } from '../../core/rubric';
import { type Citation } from '../../core/verdict';
import { type EvidenceReader } from '../evidence/port';
import { foldText, occurs } from './fold';
import { mayHoldMoreText, readableSegments, requireDeliverable } from './lookup';
import { met, notApplicable, unmet } from './outcome';
import { type CheckOutcome } from './port';

type CheckOf<Kind extends Check['kind']> = Extract<Check, { readonly kind: Kind }>;

/** A file's readable text, folded, searchable also across segments. */
class SearchableText {
  private readonly whole: string;

  constructor(
    private readonly segments: readonly TextSegment[],
    private readonly ignoreCase: boolean,
  ) {
    this.whole = this.fold(segments.map(({ text }) => text).join('\n'));
  }

  holds(words: string): boolean {
    return this.found(this.whole, words);
  }

  /** Where the words stand; the whole file where they run over several segments. */
  cite(words: string, artifact: string): Citation {
    const segment = this.segments.find(({ text }) => this.found(this.fold(text), words));
    return segment
      ? { locator: segment.locator, quote: words }
      : { locator: { artifact, kind: 'file' }, quote: words };
  }

  /** Words with Chinese characters are found whatever white space stands between them. */
  private found(folded: string, words: string): boolean {
    const needle = this.fold(words);
    if (occurs(folded, needle)) return true;
    return (
      /\p{Script=Han}/u.test(needle) &&
      occurs(folded.replaceAll(' ', ''), needle.replaceAll(' ', ''))
    );
  }

  private fold(text: string): string {
    const folded = foldText(text);
    return this.ignoreCase ? folded.toLowerCase() : folded;
  }
}

/** Words that are absent are unmet, unless the file may hold more text than we read (cut, pictures of pages). */
export async function checkTextContains(
  { file, all = [], any = [], ignoreCase = false }: CheckOf<'text-contains'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const entry = requireDeliverable(evidence, file);
  const text = new SearchableText(await readableSegments(evidence, entry), ignoreCase);
  const absent = all.filter((words) => !text.holds(words));
  const present = any.find((words) => text.holds(words));
  if (absent.length === 0 && (any.length === 0 || present !== undefined)) {
    const found = [...all, ...(present === undefined ? [] : [present])];
    return met(
      `results/${file} says ${found.map(quoted).join(', ')}`,
      ...found.map((words) => text.cite(words, entry.artifact)),
    );
  }
  const words =
    absent.length > 0
      ? `does not say ${absent.map(quoted).join(', ')}`
      : `says none of ${any.map(quoted).join(', ')}`;
  return mayHoldMoreText(entry)
    ? notApplicable(`the text of results/${file} that was read ${words}`)
    : unmet(`results/${file} ${words}`);
}

/** One of the words in readable text is unmet; absence counts only where all text was read. */
export async function checkTextAbsent(
  { file, none, ignoreCase = false }: CheckOf<'text-absent'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const entry = requireDeliverable(evidence, file);
  const text = new SearchableText(await readableSegments(evidence, entry), ignoreCase);
  const present = none.find((words) => text.holds(words));
  if (present !== undefined)
    return unmet(`results/${file} says ${quoted(present)}`, text.cite(present, entry.artifact));
  return mayHoldMoreText(entry)
    ? notApplicable(`not all text of results/${file} was read`)
    : met(`results/${file} says none of ${none.map(quoted).join(', ')}`, {
        locator: { artifact: entry.artifact, kind: 'file' },
      });
}

function quoted(words: string): string {
  return `"${words}"`;
}
