import { providerMark } from '../../core/provider-mark';

/** The mark of a whole sweep, by the providers of its lanes. */
export function lanesMark(providers: readonly string[]): string {
  const marks = providers.map(providerMark).filter((mark) => mark !== '');
  const [first] = marks;
  if (first === undefined) return '';
  if (marks.length === providers.length && marks.every((mark) => mark === first)) return first;
  const kinds = [...new Set(marks)].map((mark) => mark.slice(2, -1)).join(' or ');
  return ` (${marks.length} of ${providers.length} lanes ${kinds})`;
}
