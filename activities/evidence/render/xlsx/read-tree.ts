import { type OfficePackage } from '../package';
import { type Rendering, Unreadable } from '../rendering';
import { type XmlElement, parseXml } from '../xml';

/** A tree takes about twenty times the bytes of its part. */
const MAX_PART_BYTES = 12 * 1024 * 1024;

/**
 * A part that the cells do not depend on. One that is broken, too large or hostile makes the view incomplete, which
 * is said, and takes nothing else with it.
 */
export async function readTree(
  parts: OfficePackage,
  part: string,
  rendering: Rendering,
): Promise<XmlElement | undefined> {
  try {
    return parseXml(part, await parts.read(part, MAX_PART_BYTES));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    rendering.truncate(`a part is left out: ${error.reason}`);
    return undefined;
  }
}
