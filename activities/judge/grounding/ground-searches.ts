import { type ArtifactEntry } from '../../../core/evidence-view';
import { type DeclaredSearch } from '../../../core/verdict';
import { type EvidenceDesk } from '../evidence-desk';
import { foldText, quoteWeight } from '../../../core/fold-text';
import { type SessionLog } from './session-log';
import { type Submission } from './submission';

export interface GroundedSearches {
  readonly searched: readonly DeclaredSearch[];
  readonly problems: readonly string[];
  /** Deliverables shown to lack all that was searched for there, absent files included. */
  readonly covered: ReadonlySet<string>;
}

const UNRELATED =
  'neither item, request, given files nor your justification speak of that: search for what the item asks for, and say in the justification which other words you looked for';

const ALL_DELIVERABLES = new Set(['results/*', 'results/', 'results', '*', '']);

/**
 * Holds declared searches against the session's tool log. A search proves absence only where it found
 * nothing, and only of what item, request, given files or the justification speak of.
 * Naming a deliverable that does not exist is a proof of its own when item or request ask for that file.
 */
export function groundSearches(
  declared: Submission['searched'],
  desk: EvidenceDesk,
  log: SessionLog,
  texts: {
    /** Item and request. */
    readonly request: string;
    /** Queries that have to do with what is asked. */
    readonly related: ReadonlySet<string>;
  },
): GroundedSearches {
  const searched: DeclaredSearch[] = [];
  const problems: string[] = [];
  const covered = new Set<string>();
  for (const search of declared) {
    const name = search.artifact.trim();
    const entry = desk.find(name);
    if (entry === undefined && !ALL_DELIVERABLES.has(name)) {
      const problem = absentFileProblem(name, desk, texts.request);
      if (problem === undefined) covered.add(name);
      else problems.push(`search in ${JSON.stringify(name)}: ${problem}`);
    } else {
      const artifacts = entry ? [entry] : desk.deliverables;
      const problem =
        checkSearch(search.query, artifacts, log, covered) ??
        (texts.related.has(search.query) ? undefined : UNRELATED);
      if (problem !== undefined)
        problems.push(
          `search for ${JSON.stringify(search.query)} in ${JSON.stringify(name)}: ${problem}`,
        );
    }
    searched.push({ artifact: entry?.artifact ?? name, query: search.query });
  }
  return problems.length > 0
    ? { searched: [], problems, covered: new Set() }
    : { searched, problems, covered };
}

function checkSearch(
  query: string,
  artifacts: readonly ArtifactEntry[],
  log: SessionLog,
  covered: Set<string>,
): string | undefined {
  const wanted = foldText(query).toLowerCase();
  const made = log.searches.filter((search) => foldText(search.query).toLowerCase() === wanted);
  if (made.length === 0) return 'you did not make it in this session';
  const missing = artifacts.filter(
    (entry) => !made.some((search) => search.searched.includes(entry.artifact)),
  );
  if (missing.length > 0 && missing.length === artifacts.length)
    return 'you did not make it there, or the file has no text to search';
  const hits = artifacts.filter((entry) =>
    made.some((search) => search.found.includes(entry.artifact)),
  );
  if (hits.length > 0)
    return `it found something in ${hits
      .map(({ artifact }) => JSON.stringify(artifact))
      .join(
        ', ',
      )}: only searches that found nothing show absence; cite what is there, or leave it out`;
  for (const entry of artifacts) if (!missing.includes(entry)) covered.add(entry.artifact);
  return undefined;
}

function absentFileProblem(
  name: string,
  desk: EvidenceDesk,
  requestText: string,
): string | undefined {
  if (!name.startsWith('results/')) return 'no such artifact; list_artifacts names them all';
  const near = desk.deliverables.find(
    (entry) => foldText(entry.artifact).toLowerCase() === foldText(name).toLowerCase(),
  );
  if (near) return `there is ${JSON.stringify(near.artifact)}`;
  return asksForFile(foldText(requestText).toLowerCase(), foldText(name).toLowerCase())
    ? undefined
    : 'no such artifact, and neither the item nor the request asks for a file of that name';
}

/** Letters and digits of the shortest file name that cannot be a mere abbreviation. */
const MIN_NAME_WEIGHT = 3;

/**
 * Whether the text names the file: as a word of its own, and one without an extension with its folder, since "a" and
 * "report" stand in any text.
 */
function asksForFile(text: string, path: string): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const name = base.includes('.') ? base : path;
  if (quoteWeight(base) < MIN_NAME_WEIGHT) return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole =
      !/[a-z0-9_.-]$/u.test(text.slice(0, at)) &&
      !/^(?:[a-z0-9_-]|\.[a-z0-9])/u.test(text.slice(at + name.length));
    if (isWhole) return true;
  }
  return false;
}

const FORMAT_WORDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(?:workbook|spreadsheet|worksheet|sheet|xlsx|excel|cell|column)s?\b|工作簿|工作表|表格/iu,
    ['xlsx', 'csv'],
  ],
  [/\b(?:pptx|powerpoint|presentation|slide(?: ?deck)?|deck)s?\b|演示文稿|幻灯片/iu, ['pptx']],
  [/\bpdfs?\b/iu, ['pdf']],
  [/\b(?:html|web ?page)s?\b|网页/iu, ['html']],
  [/\b(?:ipynb|jupyter|notebook)s?\b/iu, ['notebook']],
  [/\b(?:docx|word document|memo)s?\b|备忘录/iu, ['docx']],
  [/\bcsvs?\b/iu, ['csv']],
  [/\b(?:markdown|readme)\b/iu, ['markdown']],
];

/** Deliverables an item is about: those it names, else those whose format it names, else all. */
export function concernedDeliverables(itemText: string, desk: EvidenceDesk): string[] {
  const text = foldText(itemText).toLowerCase();
  const names = desk.deliverables.map((entry) => entry.artifact);
  const named = names.filter((name) => {
    const base = foldText(name.slice(name.lastIndexOf('/') + 1)).toLowerCase();
    return text.includes(base);
  });
  if (named.length > 0) return named;
  const formats = FORMAT_WORDS.filter(([words]) => words.test(itemText)).flatMap(
    ([, meant]) => meant,
  );
  const byFormat = desk.deliverables
    .filter((entry) => formats.includes(entry.rendered.format))
    .map((entry) => entry.artifact);
  return byFormat.length > 0 ? byFormat : names;
}

const ABSENCE_WORDS =
  /\b(?:no|not|none|never|neither|nor|without|absent|absence|free (?:of|from)|avoids?|excludes?|omits?|lacks?|cannot|isn't|aren't|doesn't|don't)\b|(?:不|无|没有|未|勿|避免|缺)/iu;

/** Whether an item can be met by something not being there. */
export function isAbsenceItem(itemText: string): boolean {
  return ABSENCE_WORDS.test(itemText);
}
