import {
  type ArtifactEntry,
  type TextSegment,
  type WorkbookFacts,
} from '../../../core/evidence-view';
import { type JudgeLimits } from '../../../core/sweep';
import { type EvidenceDesk, describeArtifact, shownLocator } from '../evidence-desk';
import { statements } from '../tools/compare-with-input';
import { takeLines } from '../tools/lookup';
import { segmentLine } from '../tools/read-text';
import { describeWorkbook } from '../tools/workbook-info';
import { type Framing, oneLine } from './framing';
import { manifest } from './manifest';
import { outlineOf } from './outline';
import { protocolText } from './protocol-text';

/** Tokens, roughly, of first text that the overview shows over all files. */
export const FIRST_EVIDENCE_TOKENS = 12_000;
/** Of these, the part kept for deliverables when the inputs are long. */
const DELIVERABLES_SHARE = 0.75;
const MAX_WORKBOOK_LINES = 40;
/** Of a workbook's tokens, the part that its facts may take. */
const FACTS_SHARE = 0.5;
/** Of a file's tokens, the part that its headings and titles may take. */
const OUTLINE_SHARE = 0.25;
const MAX_STATEMENTS = 20;

/** A Chat Completions message. */
export type PromptMessage = Readonly<Record<string, unknown>> & { readonly role: string };

/**
 * Messages that come before the item: protocol, task, manifest, first evidence. Byte-identical for all items of
 * a run, so that providers read them from their cache; no time, no id, nothing of the rubric.
 */
export async function prefixMessages(
  desk: EvidenceDesk,
  taskText: string,
  framing: Framing,
  limits: JudgeLimits,
): Promise<readonly PromptMessage[]> {
  const deliverables = await firstEvidence(
    desk,
    desk.deliverables,
    framing,
    Math.round(FIRST_EVIDENCE_TOKENS * DELIVERABLES_SHARE),
  );
  const inputs = await firstEvidence(
    desk,
    desk.entries.filter((entry) => entry.origin === 'input' && !isRequest(entry)),
    framing,
    FIRST_EVIDENCE_TOKENS - deliverables.tokens,
  );
  const overview = [
    `The boundary of this session is ${framing.boundary}.`,
    `The task as it was given:\n${framing.frame('task', taskText)}`,
    `The files:\n${framing.frame('manifest', manifest(desk))}`,
    ...deliverables.blocks,
    ...inputs.blocks,
  ].join('\n\n');
  return [
    { role: 'system', content: protocolText(limits) },
    { role: 'user', content: overview },
  ];
}

/** The request itself is shown whole, as the task. */
function isRequest(entry: ArtifactEntry): boolean {
  return entry.artifact === 'inputs/query/task.md';
}

async function firstEvidence(
  desk: EvidenceDesk,
  entries: readonly ArtifactEntry[],
  framing: Framing,
  maxTokens: number,
): Promise<{ readonly blocks: readonly string[]; readonly tokens: number }> {
  const blocks: string[] = [];
  let tokensLeft = maxTokens;
  for (const [at, entry] of entries.entries()) {
    // What earlier files leave over goes to the later ones.
    const share = Math.floor(tokensLeft / (entries.length - at));
    const { lines, total, hasOutline } = await firstLines(desk, entry, share);
    if (lines.length === 0) continue;
    const name = shownLocator({ artifact: entry.artifact, kind: 'file' });
    const content = [`${name} | ${describeArtifact(entry)}`, ...lines].join('\n');
    tokensLeft = Math.max(0, tokensLeft - estimateTokens(content));
    const note =
      lines.length < total
        ? `First ${lines.length} of ${total} lines${hasOutline ? ', its headings before the rest' : ''}:`
        : 'All of its text:';
    blocks.push(`${note}\n${framing.frame('text', content)}`);
  }
  return { blocks, tokens: maxTokens - tokensLeft };
}

/** Hidden text is left to the tools, which label it. */
async function firstLines(
  desk: EvidenceDesk,
  entry: ArtifactEntry,
  maxTokens: number,
): Promise<{
  readonly lines: readonly string[];
  readonly total: number;
  readonly hasOutline: boolean;
}> {
  const [workbook, segments] = await Promise.all([
    desk.reader.workbook(entry.artifact),
    desk.reader.segments(entry.artifact),
  ]);
  const facts = [
    ...(await comparedWithInput(desk, entry)),
    ...(workbook ? workbookFacts(workbook, entry.artifact, maxTokens) : []),
  ];
  // What a workbook is and has stands in the facts already.
  const known = new Set(facts);
  const visible = segments.filter(
    (segment) =>
      segment.visibility === 'visible' &&
      !(workbook && (segment.isDescription === true || known.has(factLine(segment)))),
  );
  const text = takeLines(visible.map(segmentLine), maxTokens * 4).taken;
  const whole = within([...facts, ...text], maxTokens);
  const total = facts.length + visible.length;
  if (whole.length === total) return { lines: whole, total, hasOutline: false };
  // Of a long file its skeleton comes first, so that what is behind the cut is known to be there.
  const outline = within(outlineOf(visible).map(segmentLine), maxTokens * OUTLINE_SHARE);
  const inOutline = new Set(outline);
  const rest = text.filter((line) => !inOutline.has(line));
  const lines = within([...facts, ...outline, ...rest], maxTokens);
  return { lines, total, hasOutline: outline.length > 0 };
}

/** What a workbook is made of, with room left for its cells. */
function workbookFacts(
  workbook: WorkbookFacts,
  artifact: string,
  maxTokens: number,
): readonly string[] {
  const lines = describeWorkbook(workbook, artifact).slice(0, MAX_WORKBOOK_LINES);
  return within(lines, maxTokens * FACTS_SHARE);
}

/** A segment as it stands among the facts of a workbook, where it is not cut there. */
function factLine({ locator, text }: TextSegment): string {
  return `${shownLocator(locator)} | ${oneLine(text)}`;
}

/** Lines from the first on while they fit. */
function within(lines: readonly string[], maxTokens: number): readonly string[] {
  let tokens = 0;
  const end = lines.findIndex((line) => {
    tokens += estimateTokens(line) + 1;
    return tokens > maxTokens;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

/** What became of the given file that the deliverable was made from, where its name says so. */
async function comparedWithInput(
  { reader }: EvidenceDesk,
  { artifact }: ArtifactEntry,
): Promise<string[]> {
  const input = reader.inputOf(artifact);
  const comparison = input === undefined ? undefined : await reader.compare(artifact, input);
  return comparison ? statements(comparison).slice(0, MAX_STATEMENTS) : [];
}

/** About one token for four Latin characters, and one for each ideograph. */
export function estimateTokens(text: string): number {
  const ideographs = text.match(/[\u3000-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]/gu)?.length ?? 0;
  return Math.ceil((text.length - ideographs) / 4) + ideographs;
}
