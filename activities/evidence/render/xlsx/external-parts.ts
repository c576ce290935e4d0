import { type OfficePackage } from '../package';
import { type Relationship } from '../relationships';
import { type Rendering } from '../rendering';
import { cutText } from './bounded-list';
import { sideRelations } from './read-tree';

const MAX_LINKS = 200;
const MAX_ADDRESS = 500;
const MAX_MODULES = 100;

/** Addresses of other workbooks and data connections. Nothing is ever fetched from them. */
export async function readExternalLinks(
  parts: OfficePackage,
  relations: readonly Relationship[],
  rendering: Rendering,
): Promise<string[]> {
  const links: string[] = [];
  for (const { type, target, external } of relations) {
    if (external) links.push(target);
    if (type === 'connections') links.push('data connections (xl/connections.xml)');
    if (type !== 'externalLink' || !parts.has(target)) continue;
    const targets = (await sideRelations(parts, target, rendering)).filter((each) => each.external);
    links.push(...(targets.length > 0 ? targets.map((each) => each.target) : [`(part ${target})`]));
  }
  if (links.length > MAX_LINKS)
    rendering.truncate(`${links.length - MAX_LINKS} more external links are not listed`);
  return links.slice(0, MAX_LINKS).map((link) => cutText(link, MAX_ADDRESS));
}

/**
 * Names of macro modules, from the project stream of the macro part, which is plain text as a rule. Macros are
 * never run; without readable names the list is empty.
 */
export async function readMacros(
  parts: OfficePackage,
  relations: readonly Relationship[],
): Promise<string[]> {
  const part = relations.find(({ type }) => type === 'vbaProject')?.target;
  if (part === undefined || !parts.has(part)) return [];
  try {
    const text = (await parts.read(part)).toString('latin1');
    const names = text.matchAll(/\r\n(?:Module|Class|Document|BaseClass)=([\w]{1,64})/gu);
    return [...new Set([...names].flatMap(([, name]) => name ?? []))].slice(0, MAX_MODULES);
  } catch {
    return [];
  }
}
