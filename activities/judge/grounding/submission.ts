import { z } from 'zod';

export const submissionSchema = z.strictObject({
  justification: z
    .string()
    .describe('What the evidence shows and why the item is therefore met or not. Written first.'),
  pass: z.boolean().describe('true: the item is met as a whole. false: it is not.'),
  citations: z
    .array(
      z.strictObject({
        locator: z
          .string()
          .describe('A locator as the tools print it, e.g. results/a.xlsx#cells=Stock!B7'),
        quote: z
          .string()
          .nullable()
          .describe(
            "The exact words there, or the cell's value, shown text or formula. null only for a page whose image you opened.",
          ),
      }),
    )
    .describe('Evidence. Each one is looked up; one that does not hold refuses the verdict.'),
  searched: z
    .array(
      z.strictObject({
        artifact: z.string().describe('Path searched, or results/* for all deliverables.'),
        query: z.string().describe('The query exactly as given to search_text.'),
      }),
    )
    .describe(
      'For something that is not there: searches you made with search_text that found nothing.',
    ),
});

/** A verdict as a judge submits it, complete and well-formed, nothing of it checked yet. */
export interface Submission {
  readonly justification: string;
  readonly pass: boolean;
  readonly citations: readonly { readonly locator: string; readonly quote: string | null }[];
  readonly searched: readonly { readonly artifact: string; readonly query: string }[];
}

export type ReadSubmission =
  | { readonly submission: Submission }
  | { readonly submission: undefined; readonly problems: readonly string[] };

const OPPOSITE_WORDS: Readonly<Record<'true' | 'false', RegExp>> = {
  true: /\b(?:verdict|pass)\s*(?:is|[:=])\s*["'*]*(?:fail(?:ed)?|false|unmet|not met|no)\b/iu,
  false: /\b(?:verdict|pass)\s*(?:is|[:=])\s*["'*]*(?:pass(?:ed)?|true|met|yes)\b/iu,
};

/**
 * Reads the arguments of `submit_verdict`. Nothing is guessed: `pass` must be a boolean, given once and not
 * contradicted by the justification. Lists that are left out are empty, which can only make a verdict harder
 * to accept; a citation without a quote has `null`.
 */
export function readSubmission(text: string): ReadSubmission {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { submission: undefined, problems: ['the arguments are not valid JSON'] };
  }
  const parsed = submissionSchema.safeParse(withEmptyLists(json));
  if (!parsed.success)
    return {
      submission: undefined,
      problems: parsed.error.issues.map(
        (issue) => `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`,
      ),
    };
  const problems = contradictions(parsed.data, text);
  return problems.length > 0 ? { submission: undefined, problems } : { submission: parsed.data };
}

function contradictions(submission: Submission, text: string): string[] {
  const problems: string[] = [];
  if (submission.justification.trim() === '') problems.push('justification: must not be empty');
  if ((text.match(/(?<!\\)"pass"\s*:/gu)?.length ?? 0) > 1)
    problems.push('pass: given more than once');
  if (OPPOSITE_WORDS[submission.pass ? 'true' : 'false'].test(submission.justification))
    problems.push('pass: the justification says the opposite');
  return problems;
}

function withEmptyLists(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const record = json as Record<string, unknown>;
  const citations = record['citations'] ?? [];
  return {
    ...record,
    citations: Array.isArray(citations) ? citations.map(withQuote) : citations,
    searched: record['searched'] ?? [],
  };
}

function withQuote(citation: unknown): unknown {
  if (typeof citation !== 'object' || citation === null) return citation;
  return { quote: null, ...citation };
}
