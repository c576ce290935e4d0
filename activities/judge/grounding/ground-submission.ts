import { type Citation, type DeclaredSearch } from '../../../core/verdict';
import { type EvidenceDesk } from '../evidence-desk';
import { groundCitation } from './ground-citation';
import { concernedDeliverables, groundSearches, isAbsenceItem } from './ground-searches';
import { isRelated } from './relevance';
import { type SessionLog } from './session-log';
import { type Submission } from './submission';

/** Raised with every change of what is accepted; part of the judge protocol's digest. */
export const GROUNDING_VERSION = 4;

const MAX_CITATIONS = 20;
const MAX_SEARCHES = 40;

export type Grounding =
  | {
      readonly accepted: true;
      readonly citations: readonly Citation[];
      readonly searched: readonly DeclaredSearch[];
    }
  | { readonly accepted: false; readonly problems: readonly string[] };

export interface GroundingContext {
  readonly desk: EvidenceDesk;
  readonly log: SessionLog;
  readonly itemText: string;
  readonly taskText: string;
}

/**
 * Checks a verdict against the evidence, mechanically: every citation and search it names must hold. A pass needs
 * a verified citation of a deliverable, or for an item about absence searches that found nothing; a fail needs a
 * verified citation, or such searches over the artifacts concerned. Says "evidence checked", not "right".
 */
export async function groundSubmission(
  submission: Submission,
  context: GroundingContext,
): Promise<Grounding> {
  if (submission.citations.length > MAX_CITATIONS || submission.searched.length > MAX_SEARCHES)
    return refused([`at most ${MAX_CITATIONS} citations and ${MAX_SEARCHES} searches`]);
  const citations: Citation[] = [];
  const problems: string[] = [];
  for (const given of submission.citations) {
    const result = await groundCitation(given, context.desk, context.log, context.itemText);
    if (result.citation === undefined) problems.push(result.problem);
    else citations.push(result.citation);
  }
  const wordings = [context.itemText, context.taskText, submission.justification];
  const searches = groundSearches(submission.searched, context.desk, context.log, {
    request: `${context.itemText}\n${context.taskText}`,
    related: await relatedQueries(submission, wordings, context.desk),
  });
  problems.push(...searches.problems);
  if (problems.length === 0)
    problems.push(...whatIsLacking(submission, citations, searches.covered, context));
  return problems.length > 0
    ? refused(problems)
    : { accepted: true, citations, searched: searches.searched };
}

/**
 * Queries that have to do with what is asked: by words of item, request or justification, or found in a given file,
 * such as a number that must not be carried over.
 */
async function relatedQueries(
  { searched }: Submission,
  wordings: readonly string[],
  desk: EvidenceDesk,
): Promise<ReadonlySet<string>> {
  const inputs = desk.entries.filter(({ origin }) => origin === 'input');
  const related = new Set<string>();
  for (const { query } of searched) {
    let isFound = isRelated(query, wordings);
    for (const { artifact } of inputs)
      isFound ||= (await desk.searchable(artifact)).find(query, false).length > 0;
    if (isFound) related.add(query);
  }
  return related;
}

function refused(problems: readonly string[]): Grounding {
  return { accepted: false, problems };
}

function whatIsLacking(
  submission: Submission,
  citations: readonly Citation[],
  covered: ReadonlySet<string>,
  { desk, itemText }: GroundingContext,
): string[] {
  const citesDeliverable = citations.some(({ locator }) => locator.artifact.startsWith('results/'));
  if (submission.pass && citesDeliverable) return [];
  if (!submission.pass && citations.length > 0) return [];
  if (submission.pass && !isAbsenceItem(itemText))
    return ['a pass needs at least one citation of a deliverable (results/...) that holds'];
  const concerned = concernedDeliverables(itemText, desk);
  const absentFiles = [...covered].filter((name) => desk.find(name) === undefined);
  // A file that is not there needs no search in the others.
  if (!submission.pass && absentFiles.length > 0) return [];
  const open = concerned.filter((name) => !covered.has(name));
  if (open.length === 0) return [];
  const need = submission.pass ? 'a pass' : 'a fail';
  return [
    `${need} without a citation needs searches that found nothing in each file concerned; still open: ${open
      .map((name) => JSON.stringify(name))
      .join(', ')}`,
  ];
}
