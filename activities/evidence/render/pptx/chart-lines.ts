import { readChart } from '../chart';
import { type OfficePackage } from '../package';
import { type Relationship } from '../relationships';

/** A chart in lines: type and title, axes, then each series with its points, and what else is shown. Empty where its part is missing. */
export async function chartLines(
  parts: OfficePackage,
  relation: Relationship | undefined,
): Promise<string[]> {
  if (!relation || relation.external || !parts.has(relation.target)) return [];
  const {
    type,
    title,
    series,
    axes = [],
    points = [],
    details = [],
  } = await readChart(parts, relation.target, { asShown: true });
  return [
    `${type} chart${title === '' ? ' without a title' : `: ${title}`}`,
    ...(axes.length > 0 ? [`axes: ${axes.join('; ')}`] : []),
    // What is drawn; where no points are kept, what it refers to.
    ...(points.length > 0 ? points : series),
    ...(details.length > 0 ? [`shown: ${details.join('; ')}`] : []),
  ];
}
