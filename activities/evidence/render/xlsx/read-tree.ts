import { type OfficePackage } from '../package';
import { type Relationship, relationshipsOf } from '../relationships';
import { type Rendering, Unreadable } from '../rendering';
import { type XmlElement, parseXml } from '../xml';

/** A tree takes about twenty times the bytes of its part. */
const MAX_PART_BYTES = 12 * 1024 * 1024;

/**
 * Reads what the cells do not depend on. A part that is broken, too large or hostile makes the view incomplete, which
 * is said, and takes nothing else with it.
 */
export async function orLeftOut<T>(
  rendering: Rendering,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    rendering.truncate(`a part is left out: ${error.reason}`);
    return undefined;
  }
}

/** A side part as a tree. */
export function readTree(
  parts: OfficePackage,
  part: string,
  rendering: Rendering,
): Promise<XmlElement | undefined> {
  return orLeftOut(rendering, async () => parseXml(part, await parts.read(part, MAX_PART_BYTES)));
}

/** The relationships of a part that is not the workbook itself. */
export async function sideRelations(
  parts: OfficePackage,
  part: string,
  rendering: Rendering,
): Promise<Relationship[]> {
  return (await orLeftOut(rendering, () => relationshipsOf(parts, part))) ?? [];
}
