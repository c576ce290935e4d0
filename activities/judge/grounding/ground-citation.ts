import { type ArtifactEntry, type ResolvedEvidence } from '../../../core/evidence-view';
import { type Locator, printLocator } from '../../../core/locator';
import { type Citation } from '../../../core/verdict';
import { type EvidenceDesk, describeArtifact } from '../evidence-desk';
import { cellMatches, cellsMatchInOrder } from './cell-values';
import { findFolded, foldText, quoteWeight } from '../../../core/fold-text';
import { graderTextSpans, standsClearOfGraderText } from '../../../core/grader-text';
import { asksAboutFile, asksForHidden } from './relevance';
import { type SessionLog } from './session-log';
import { type Submission } from './submission';

/** Letters and digits a quote needs before it may be found in another place than the cited one. */
const MIN_WEIGHT_ELSEWHERE = 8;
/** Letters and digits of the shortest quote that is only a part of the cited text. */
const MIN_WEIGHT = 3;

export type GroundedCitation =
  { readonly citation: Citation } | { readonly citation: undefined; readonly problem: string };

/**
 * Looks one citation up in the evidence. A quote found once elsewhere in the artifact corrects the locator.
 *
 * @param itemText decides whether a file's line in the manifest, or text that no reader sees, may ground it
 */
export async function groundCitation(
  given: Submission['citations'][number],
  desk: EvidenceDesk,
  log: SessionLog,
  itemText = '',
): Promise<GroundedCitation> {
  const refuse = (problem: string): GroundedCitation => ({
    citation: undefined,
    problem: `citation ${JSON.stringify(given.locator)}: ${problem}`,
  });
  const locator = await desk.parse(given.locator);
  if (locator === undefined) return refuse('not a locator; copy one exactly as a tool printed it');
  const entry = desk.find(locator.artifact);
  if (entry === undefined) return refuse('no such artifact; list_artifacts names them all');
  const quote = given.quote?.trim() ?? '';
  if (locator.kind === 'file') return groundFile({ locator, entry, quote }, desk, itemText, refuse);
  const place = await desk.reader.resolve(locator);
  if (place === undefined) return refuse('nothing is there');
  if (await isWantedThoughHidden(place, quote, desk, itemText))
    return addressesGrader(place.hiddenText ?? place.text, quote)
      ? refuse('that text addresses a grader, so it proves nothing')
      : { citation: { locator, quote } };
  if (place.visibility === 'hidden')
    return refuse('that content is not visible to a reader, so it proves nothing');
  if (locator.kind === 'comparison') return groundComparison(locator, place.text, quote, refuse);
  if (quote === '') return groundPage(place, log, refuse);
  return groundQuote(place, quote, desk, refuse);
}

/** Words of the file's line in the manifest, for items about the file itself; else words found once in its text. */
async function groundFile(
  {
    locator,
    entry,
    quote,
  }: { readonly locator: Locator; readonly entry: ArtifactEntry; readonly quote: string },
  desk: EvidenceDesk,
  itemText: string,
  refuse: Refuse,
): Promise<GroundedCitation> {
  if (quote === '')
    return refuse('a #file citation needs a quote: words of the file, or its line in the manifest');
  if (await isHiddenAndAskedFor(locator.artifact, quote, desk, itemText))
    return addressesGrader(quote, quote)
      ? refuse('that text addresses a grader, so it proves nothing')
      : { citation: { locator, quote } };
  if (!foldText(describeArtifact(entry)).includes(foldText(quote)) || quoteWeight(quote) < 3)
    return elsewhere(locator, quote, desk, refuse);
  return asksAboutFile(itemText, entry)
    ? { citation: { locator, quote } }
    : refuse(
        'its line in the manifest says what the file is, and the item does not ask for that: cite its content',
      );
}

/** Whether the quote is hidden text of that place, of a kind that the item asks for by name: notes, properties. */
async function isWantedThoughHidden(
  { locator, text, visibility, hiddenText, cells }: ResolvedEvidence,
  quote: string,
  desk: EvidenceDesk,
  itemText: string,
): Promise<boolean> {
  const concealed = visibility === 'hidden' ? text : hiddenText;
  if (quote === '' || concealed === undefined || quoteWeight(foldText(quote)) < MIN_WEIGHT)
    return false;
  if (cells !== undefined)
    return (
      asksForHidden(itemText, 'hidden-sheet') && cells.some((cell) => cellMatches(cell, quote))
    );
  if (!holdsQuote(concealed, quote) || (visibility === 'visible' && holdsQuote(text, quote)))
    return false;
  return isHiddenAndAskedFor(locator.artifact, quote, desk, itemText);
}

/** Whether hidden text of the artifact, of a kind that the item asks for, holds the quote. */
async function isHiddenAndAskedFor(
  artifact: string,
  quote: string,
  desk: EvidenceDesk,
  itemText: string,
): Promise<boolean> {
  const segments = await desk.reader.segments(artifact);
  return segments.some(
    ({ cause, text }) => asksForHidden(itemText, cause) && holdsQuote(text, quote),
  );
}

type Refuse = (problem: string) => GroundedCitation;

/** The quote must say what became of the part ("unchanged"), as the statement has it: nothing else is a fact of it. */
function groundComparison(
  locator: Locator,
  statement: string,
  quote: string,
  refuse: Refuse,
): GroundedCitation {
  const [change = ''] = foldText(statement).split(':');
  const words = foldText(quote);
  return findFolded(foldText(statement), words, true).length > 0 &&
    findFolded(words, change, true).length > 0
    ? { citation: { locator, quote } }
    : refuse(
        `the comparison says ${JSON.stringify(statement)}: quote that, its first word included`,
      );
}

function groundPage(place: ResolvedEvidence, log: SessionLog, refuse: Refuse): GroundedCitation {
  const { locator } = place;
  if (!isWholePage(locator))
    return refuse("a quote is needed: the words there, or the cell's value");
  const opened = log.pages.some(
    (page) =>
      page.artifact === locator.artifact &&
      (locator.kind === 'slide' || page.page === locator.page) &&
      page.sha256 === place.pageSha256,
  );
  return opened
    ? { citation: { locator } }
    : refuse('a page without a quote counts only after view_page has shown its image');
}

/** A page, or a slide with all that is on it: what one image shows. */
function isWholePage(locator: Locator): locator is Extract<Locator, { kind: 'page' | 'slide' }> {
  if (locator.kind === 'page') return locator.from === undefined;
  if (locator.kind !== 'slide') return false;
  const { shape, part, row, column, from } = locator;
  return [shape, part, row, column, from].every((field) => field === undefined);
}

async function groundQuote(
  place: ResolvedEvidence,
  quote: string,
  desk: EvidenceDesk,
  refuse: Refuse,
): Promise<GroundedCitation> {
  const { locator } = place;
  if (locator.kind === 'cells') {
    const cells = place.cells ?? [];
    const match = cells.find((cell) => cellMatches(cell, quote));
    if (match === undefined && !cellsMatchInOrder(cells, quote))
      return refuse(`no cell there has the value, shown text or formula ${JSON.stringify(quote)}`);
    return addressesGrader(match?.shown ?? place.text, quote)
      ? refuse('that text addresses a grader, so it proves nothing')
      : { citation: { locator, quote } };
  }
  if (!holdsQuote(place.text, quote)) return elsewhere(locator, quote, desk, refuse);
  const visible = (await desk.visibleText(locator.artifact)).find(quote, true);
  // An image's or a page's text may come from elsewhere than the segments; then the place's own word counts.
  if (
    visible.length === 0 &&
    (await desk.hiddenText(locator.artifact)).find(quote, true).length > 0
  )
    return refuse('those words are not visible to a reader, so they prove nothing');
  return addressesGrader(place.text, quote)
    ? refuse('that text addresses a grader, so it proves nothing')
    : { citation: { locator, quote } };
}

/** Looks the quote up in the rest of the artifact: only words long enough to mean one place, and found once. */
async function elsewhere(
  cited: Locator,
  quote: string,
  desk: EvidenceDesk,
  refuse: Refuse,
): Promise<GroundedCitation> {
  const missing = `the quote ${JSON.stringify(quote)} is not there`;
  if (quoteWeight(foldText(quote)) < MIN_WEIGHT_ELSEWHERE) return refuse(missing);
  const found = (await desk.visibleText(cited.artifact)).find(quote, true);
  if (found.length === 0) return refuse(`${missing}, nor anywhere else in the visible text`);
  const [place] = found;
  if (place === undefined || found.length > 1)
    return refuse(`${missing}, but at ${found.length} other places: cite the one you mean`);
  const segments = await desk.reader.segments(cited.artifact);
  const first = segments[place.first];
  const last = segments[place.last];
  if (first === undefined || last === undefined) return refuse(missing);
  const text = segments
    .slice(place.first, place.last + 1)
    .map((segment) => segment.text)
    .join('\n');
  if (addressesGrader(text, quote))
    return refuse('that text addresses a grader, so it proves nothing');
  return { citation: { locator: spanned(first.locator, last.locator), quote } };
}

/** Whether the quote stands in the text: a short one only as the whole of it, or as a number or word of its own. */
function holdsQuote(text: string, quote: string): boolean {
  const folded = foldText(text);
  const needle = foldText(quote);
  if (needle === '' || quoteWeight(needle) === 0) return false;
  if (folded === needle) return true;
  const lines = text.split('\n').map(foldText);
  if (quoteWeight(needle) < MIN_WEIGHT) return lines.includes(needle);
  return findFolded(folded, needle, true).length > 0;
}

function addressesGrader(text: string, quote: string): boolean {
  return graderTextSpans(quote).length > 0 || !standsClearOfGraderText(text, quote);
}

/** The range from one locator to another where their kind has ranges; else the first one. */
function spanned(first: Locator, last: Locator): Locator {
  if (first.kind === 'lines' && last.kind === 'lines') return { ...first, to: last.to };
  if (first.kind === 'paragraph' && last.kind === 'paragraph' && first.part === last.part)
    return { ...first, to: last.to };
  if (first.kind === 'page' && last.kind === 'page' && first.page === last.page)
    return last.to === undefined ? first : { ...first, to: last.to };
  if (first.kind === 'slide' && last.kind === 'slide') return spannedLines(first, last);
  if (first.kind === 'notebook' && last.kind === 'notebook') return spannedLines(first, last);
  return first;
}

type Lined = Extract<Locator, { kind: 'slide' | 'notebook' }>;

/** The range where both are lines of one shape, or of one notebook cell or output; else the first. */
function spannedLines(first: Lined, last: Lined): Locator {
  const place = (locator: Lined): string => printLocator({ ...locator, from: 1, to: 1 });
  const isOneText = first.from !== undefined && place(first) === place(last);
  return isOneText && last.to !== undefined ? { ...first, to: last.to } : first;
}
