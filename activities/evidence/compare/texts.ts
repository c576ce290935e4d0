import {
  type ComparedPart,
  type ComparedPlace,
  type TextSegment,
} from '../../../core/evidence-view';
import { LISTED_DIFFERENCES } from './statement';

/**
 * Visible text of two files, segment by segment, by the parts they have: paragraphs of a part, tables, pages,
 * lines. Order within a part does not count, repetition does.
 */
export function compareTexts(
  artifact: string,
  ours: readonly TextSegment[],
  given: readonly TextSegment[],
): ComparedPart[] {
  const before = byPart(given);
  const after = byPart(ours);
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].map((part) => comparePart(part, after.get(part), before.get(part)));
}

function byPart(segments: readonly TextSegment[]): Map<string, TextSegment[]> {
  const parts = new Map<string, TextSegment[]>();
  for (const segment of segments) {
    // What is there a second time in another order says nothing new.
    if (segment.visibility !== 'visible' || segment.label === 'raw order') continue;
    const part = segment.locator.kind === 'paragraph' ? segment.locator.part : segment.locator.kind;
    const list = parts.get(part) ?? [];
    list.push(segment);
    parts.set(part, list);
  }
  return parts;
}

function comparePart(
  part: string,
  ours: readonly TextSegment[] | undefined,
  given: readonly TextSegment[] | undefined,
): ComparedPart {
  if (!given) return single(part, 'added', `added: ${ours?.length ?? 0} segments`);
  if (!ours) return single(part, 'removed', `removed: ${given.length} segments`);
  const added = notIn(ours, given);
  const removed = notIn(given, ours);
  const differences = [
    ...added.map((segment) => place(segment, 'only in the deliverable')),
    ...removed.map((segment) => place(segment, 'only in the input')),
  ];
  const count = differences.length;
  const statement =
    count === 0
      ? `unchanged: all ${given.length} segments of text`
      : `changed: ${added.length} segments only in the deliverable, ${removed.length} only in the input, ${given.length - removed.length} in both`;
  return {
    part,
    change: count === 0 ? 'unchanged' : 'changed',
    statement,
    differences: differences.slice(0, LISTED_DIFFERENCES),
    differenceCount: count,
  };
}

function single(part: string, change: 'added' | 'removed', statement: string): ComparedPart {
  return { part, change, statement, differences: [], differenceCount: 0 };
}

function place(segment: TextSegment, where: string): ComparedPlace {
  return { locator: segment.locator, kind: 'text', text: `${where}: ${segment.text}` };
}

/** Segments whose text the other list does not have as often. */
function notIn(segments: readonly TextSegment[], others: readonly TextSegment[]): TextSegment[] {
  const counts = new Map<string, number>();
  for (const { text } of others) counts.set(folded(text), (counts.get(folded(text)) ?? 0) + 1);
  return segments.filter(({ text }) => {
    const left = counts.get(folded(text)) ?? 0;
    counts.set(folded(text), left - 1);
    return left <= 0;
  });
}

/** Where an image or a link stands, behind its entry: it moves with every paragraph before it. */
const PLACE_BEHIND = /\s*\((?:paragraph|table)=[^()]*\)$/u;

function folded(text: string): string {
  return text.replace(PLACE_BEHIND, '').normalize('NFKC').replace(/\s+/gu, ' ').trim();
}
