import { type OfficePackage } from '../package';
import { type Relationship } from '../relationships';
import { type XmlElement, child, elements, parseXml } from '../xml';
import { paragraphsOf } from './paragraphs';

export interface DiagramNode {
  readonly text: string;
  /** 0 for the outermost. */
  readonly level: number;
}

const MAX_LEVEL = 32;

/** The words of a SmartArt diagram from its data part, as its outline has them. */
export async function diagramNodes(
  parts: OfficePackage,
  relation: Relationship | undefined,
): Promise<DiagramNode[]> {
  if (!relation || relation.external || !parts.has(relation.target)) return [];
  const root = parseXml(relation.target, await parts.read(relation.target));
  const points = elements(child(root, 'ptLst') ?? root, 'pt').filter(({ attributes }) =>
    ['node', 'asst', 'doc'].includes(attributes['type'] ?? 'node'),
  );
  const byId = new Map(points.map((point) => [point.attributes['modelId'] ?? '', point]));
  const children = childrenOf(root);
  const nodes: DiagramNode[] = [];
  const seen = new Set<string>();
  const walk = (id: string, level: number): void => {
    const point = byId.get(id);
    if (!point || seen.has(id) || level > MAX_LEVEL) return;
    seen.add(id);
    const isRoot = point.attributes['type'] === 'doc';
    const text = isRoot ? '' : nodeText(point);
    if (text !== '') nodes.push({ text, level: Math.max(0, level) });
    for (const next of children.get(id) ?? []) walk(next, level + 1);
  };
  for (const point of points)
    if (point.attributes['type'] === 'doc') walk(point.attributes['modelId'] ?? '', -1);
  // Points that no connection reaches still have words.
  for (const id of byId.keys()) walk(id, 0);
  return nodes;
}

function childrenOf(root: XmlElement): Map<string, string[]> {
  const connections = elements(child(root, 'cxnLst') ?? { ...root, children: [] }, 'cxn')
    .filter(({ attributes }) => (attributes['type'] ?? 'parOf') === 'parOf')
    .map(({ attributes }) => ({
      from: attributes['srcId'] ?? '',
      to: attributes['destId'] ?? '',
      order: Number(attributes['srcOrd'] ?? 0),
    }))
    .sort((left, right) => left.order - right.order);
  const children = new Map<string, string[]>();
  for (const { from, to } of connections) children.set(from, [...(children.get(from) ?? []), to]);
  return children;
}

function nodeText(point: XmlElement): string {
  return paragraphsOf(child(point, 't'))
    .map(({ text }) => text)
    .join('\n')
    .trim();
}
