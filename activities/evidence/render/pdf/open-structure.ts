import { readFile, stat } from 'node:fs/promises';
import { PDFDocument } from 'pdf-lib';
import { messageOf } from '../package';
import { type Rendering } from '../rendering';

/** Larger files are read by poppler alone. */
const MAX_STRUCTURE_BYTES = 32 * 1024 * 1024;

/** Fresh at each call, since its users change it. `undefined` with a warning where pdf-lib cannot read the file. */
export async function openStructure(
  sourcePath: string,
  rendering: Rendering,
): Promise<PDFDocument | undefined> {
  if ((await stat(sourcePath)).size > MAX_STRUCTURE_BYTES) {
    rendering.warn(`structure is not read: the file is over ${MAX_STRUCTURE_BYTES} bytes`);
    return undefined;
  }
  try {
    return await PDFDocument.load(await readFile(sourcePath), { updateMetadata: false });
  } catch (error) {
    // The library's own class of this error cannot be told by `instanceof`.
    rendering.warn(
      /is encrypted/u.test(messageOf(error))
        ? 'structure is not read: the file is encrypted, though it opens without a password'
        : `structure cannot be read: ${messageOf(error).slice(0, 200)}`,
    );
    return undefined;
  }
}
