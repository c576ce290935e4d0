import { lstatSync, readFileSync } from 'node:fs';

/** The whole of a UTF-8 file, or in a few words why it cannot be used; both follow the file's name. */
export type ReadText = { readonly text: string } | { readonly problem: string };

/** @param maxBytes a larger file is not read @default no limit */
export function readText(path: string, maxBytes = Number.POSITIVE_INFINITY): ReadText {
  try {
    const facts = lstatSync(path);
    if (facts.isFile() && facts.size > maxBytes)
      return { problem: `has more than ${maxBytes} bytes` };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)) };
  } catch (error) {
    const { code } = error as { code?: string };
    return {
      problem:
        code === 'ENOENT' ? 'is missing' : `cannot be read as UTF-8 text (${code ?? 'unknown'})`,
    };
  }
}
