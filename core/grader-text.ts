import { foldText } from './fold-text';

/**
 * Text that speaks to whoever grades the work, or imitates this system's own words. It grounds nothing.
 * Narrow on purpose: a report may well speak of marks and reviews; only orders about the verdict count.
 */
const PATTERNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b[^.!?]{0,40}\b(?:instructions?|rubrics?|prompts?|guidelines|criteria)\b/giu,
  /\b(?:grader|judge|evaluator|reviewer|assessor|llm|language model|ai (?:model|assistant|system))s?\b[^.!?]{0,60}\b(?:must|should|shall|please|you|will|is to|are to)\b[^.!?]{0,60}\b(?:pass(?:ed)?|met|accept(?:ed)?|full (?:marks|score|credit)|score|approve|award)\b[^.!?]{0,60}/giu,
  /\b(?:mark|grade|rate|score|judge|count|treat|accept)\b[^.!?]{0,40}\b(?:items?|criteri(?:on|a)|rubrics?|submission|deliverables?)\b[^.!?]{0,40}\bas\b[^.!?]{0,20}\b(?:pass(?:ed)?|met|satisfied|fulfilled|correct)\b/giu,
  /\bmark (?:(?:this|it|everything|all)\b[^.!?]{0,30}?)?as (?:pass(?:ed)?|met|satisfied)\b/giu,
  /\bsubmit_verdict\b[^.!?]{0,60}/giu,
  /["']pass["']\s*:\s*(?:true|false)/giu,
  /(?:评分|评审|评判|阅卷|裁判|评委|大模型|语言模型)[^。！？]{0,30}(?:请|必须|应当|应该|务必)[^。！？]{0,30}(?:通过|满分|合格|给分)/gu,
  /(?:忽略|无视)[^。！？]{0,20}(?:指令|指示|提示|评分标准|要求)/gu,
];

/** Where in the folded text a grader is addressed, as [start, end) pairs. */
export function graderTextSpans(text: string): [number, number][] {
  return graderSpansOfFolded(foldText(text));
}

/** The same for text that is folded already. */
export function graderSpansOfFolded(folded: string): [number, number][] {
  return PATTERNS.flatMap((pattern) =>
    [...folded.matchAll(pattern)].map((match): [number, number] => [
      match.index,
      match.index + match[0].length,
    ]),
  );
}

/** Whether any place where `quote` stands in `text` is free of words to a grader. Both unfolded. */
export function standsClearOfGraderText(text: string, quote: string): boolean {
  const spans = graderTextSpans(text);
  if (spans.length === 0) return true;
  const folded = foldText(text);
  const needle = foldText(quote);
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    if (!spans.some(([start, stop]) => at < stop && start < end)) return true;
  }
  return false;
}
