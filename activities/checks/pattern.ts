import { Decided, notApplicable } from './outcome';

/** A rubric's regular expression; one that is none ends the check as not applicable. */
export function compilePattern(pattern: string, flags: 'u' | 'gu'): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    throw new Decided(notApplicable(`the pattern ${pattern} is no regular expression`));
  }
}
