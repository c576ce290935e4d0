import { open } from 'node:fs/promises';

/** The file's last word stands within its last bytes. */
const TAIL_BYTES = 2_048;
const HEAD_BYTES = 2_048;

/**
 * What is wrong with the frame of a PDF: readers rebuild its table of contents without a word, and may lose parts.
 * `undefined` where the end of the file points at a table.
 */
export async function damageOf(sourcePath: string): Promise<string | undefined> {
  const file = await open(sourcePath);
  try {
    const { size } = await file.stat();
    const read = async (at: number, bytes: number): Promise<string> => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(bytes, size - at)));
      await file.read(buffer, 0, buffer.length, at);
      return buffer.toString('latin1');
    };
    const tail = await read(Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
    const pointers = [...tail.matchAll(/startxref\s+(\d+)/gu)];
    const last = pointers.at(-1);
    if (!last) return 'its end is missing';
    // Offsets count from the header, before which some writers leave junk.
    const junk = Math.max(0, (await read(0, HEAD_BYTES)).indexOf('%PDF-'));
    const offset = Number(last[1]);
    const isTable = async (at: number): Promise<boolean> =>
      at < size && /^\s*(?:xref\b|\d+\s+\d+\s+obj\b)/u.test(await read(at, 64));
    return (await isTable(offset)) || (await isTable(offset + junk))
      ? undefined
      : 'its end points at no table of contents';
  } finally {
    await file.close();
  }
}
