import {
  type ComparedPart,
  type Comparison,
  type PartChange,
  PART_CHANGES,
} from '../../../core/evidence-view';

/** Differences listed for a part; all of them are counted. */
export const LISTED_DIFFERENCES = 60;

/** The comparison of whole files from that of their parts, in numbers only. */
export function wholeOf(
  names: Pick<Comparison, 'artifact' | 'input'>,
  word: 'sheets' | 'parts',
  parts: readonly ComparedPart[],
): Comparison {
  const count = (change: PartChange): number =>
    parts.filter((part) => part.change === change).length;
  const given = parts.length - count('added');
  const same = count('unchanged');
  const added = count('added');
  if (same === given && given > 0 && added === 0)
    return {
      ...names,
      change: 'unchanged',
      statement: `unchanged: all ${given} ${word} of the input`,
      parts,
    };
  if (same === given && given > 0)
    return {
      ...names,
      change: 'added',
      statement: `added: ${added} ${word}; all ${given} ${word} of the input are kept without a difference`,
      parts,
    };
  const others = PART_CHANGES.filter((change) => change !== 'unchanged' && count(change) > 0).map(
    (change) => `${count(change)} ${change}`,
  );
  const isOnlyUnknown = same + count('unknown') + added === parts.length && added === 0;
  const change = isOnlyUnknown ? 'unknown' : 'changed';
  return {
    ...names,
    change,
    statement: `${change}: of ${given} ${word} of the input ${same} are kept without a difference, ${others.join(', ')}`,
    parts,
  };
}
