import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OfficePackage } from './package';
import { type XmlElement, elements, parseXml } from './xml';
import { type ZipMember, writeZip } from './zip-writer';

/** Targets outside that draw nothing and are never opened by themselves. */
const HARMLESS = /\/(?:hyperlink|externalLinkPath)$/u;
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
/** Packages that inflate to more than this are drawn as they are, behind the container's walls alone. */
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * A file to draw instead of the source where that links pictures, objects or templates from outside: the same
 * package without those links, so that nothing of the machine's own files or a network can stand on a page.
 */
export async function withoutLinks(
  sourcePath: string,
  parts: OfficePackage,
  scratch: string,
): Promise<string> {
  const cut = new Map<string, string>();
  for (const name of parts.partNames)
    if (name.toLowerCase().endsWith('.rels')) {
      const rest = withoutOutside(parseXml(name, await parts.read(name)));
      if (rest !== undefined) cut.set(name, rest);
    }
  if (cut.size === 0) return sourcePath;
  const members: ZipMember[] = [];
  let bytes = 0;
  for (const name of parts.partNames) {
    const rest = cut.get(name);
    const content = rest === undefined ? await parts.read(name, MAX_BYTES) : Buffer.from(rest);
    bytes += content.length;
    if (bytes > MAX_BYTES) return sourcePath;
    members.push({ name, content });
  }
  const path = join(scratch, 'without-links');
  await writeFile(path, writeZip(members));
  return path;
}

/** The relationships that stay, as XML; `undefined` where all may. */
function withoutOutside(root: XmlElement): string | undefined {
  const all = elements(root, 'Relationship');
  const kept = all.filter(
    ({ attributes }) =>
      attributes['TargetMode'] !== 'External' || HARMLESS.test(attributes['Type'] ?? ''),
  );
  if (kept.length === all.length) return undefined;
  const lines = kept.map(({ attributes }) => {
    const written = Object.entries(attributes).map(
      ([name, value]) => ` ${name}="${quoted(value)}"`,
    );
    return `<Relationship${written.join('')}/>`;
  });
  return `<Relationships xmlns="${RELATIONSHIPS}">${lines.join('')}</Relationships>`;
}

function quoted(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
