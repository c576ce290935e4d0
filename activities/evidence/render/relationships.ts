import { posix } from 'node:path';
import { type OfficePackage } from './package';
import { elements, parseXml } from './xml';

export interface Relationship {
  readonly id: string;
  /** Last part of the type's address: `worksheet`, `comments`, `image`, ... */
  readonly type: string;
  /** Package path, or the address as it stands when `external`. */
  readonly target: string;
  readonly external: boolean;
}

/** The relationships of a part (`''` for the package itself); targets may be relative or absolute. */
export async function relationshipsOf(parts: OfficePackage, part: string): Promise<Relationship[]> {
  const path = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
  if (!parts.has(path)) return [];
  const root = parseXml(path, await parts.read(path));
  return elements(root, 'Relationship').map(({ attributes }) => {
    const target = attributes['Target'] ?? '';
    const external = attributes['TargetMode'] === 'External';
    return {
      id: attributes['Id'] ?? '',
      type: posix.basename(attributes['Type'] ?? ''),
      external,
      target: external ? target : resolveTarget(part, target),
    };
  });
}

function resolveTarget(part: string, target: string): string {
  const path = target.startsWith('/') ? target : posix.join('/', posix.dirname(part), target);
  return posix.normalize(path).replace(/^\//u, '');
}

/** Part names by content type (last word of the type, such as `drawingml.chart+xml`), from the package's own list. */
export async function contentTypes(parts: OfficePackage): Promise<ReadonlyMap<string, string>> {
  const types = new Map<string, string>();
  const root = parseXml('[Content_Types].xml', await parts.read('[Content_Types].xml'));
  const byExtension = new Map(
    elements(root, 'Default').map(({ attributes }) => [
      (attributes['Extension'] ?? '').toLowerCase(),
      attributes['ContentType'] ?? '',
    ]),
  );
  const overrides = new Map(
    elements(root, 'Override').map(({ attributes }) => [
      (attributes['PartName'] ?? '').replace(/^\//u, '').toLowerCase(),
      attributes['ContentType'] ?? '',
    ]),
  );
  for (const name of parts.partNames) {
    const extension = posix.extname(name).slice(1).toLowerCase();
    types.set(name, overrides.get(name.toLowerCase()) ?? byExtension.get(extension) ?? '');
  }
  return types;
}
