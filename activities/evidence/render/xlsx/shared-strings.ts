import { RENDER_LIMITS } from '../limits';
import { type OfficePackage } from '../package';
import { streamXml } from '../stream-xml';

/** Texts that cells refer to by number, phonetic guides left out. What exceeds the limit reads as empty. */
export async function readSharedStrings(
  parts: OfficePackage,
  part: string | undefined,
  truncate: (reason: string) => void,
): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined || !parts.has(part)) return strings;
  const limit = RENDER_LIMITS.sharedStringBytes;
  let current = '';
  let bytes = 0;
  let inText = false;
  let phonetic = 0;
  await streamXml(parts, part, {
    open: (name) => {
      if (name === 'si') current = '';
      else if (name === 'rPh') phonetic++;
      else if (name === 't') inText = phonetic === 0;
    },
    close: (name) => {
      if (name === 't') inText = false;
      else if (name === 'rPh') phonetic--;
      else if (name === 'si') {
        // An entry costs memory by itself, however short its text is.
        bytes += current.length * 2 + 16;
        if (bytes > limit) {
          truncate(`shared strings beyond ${limit} bytes read as empty`);
          current = '';
        }
        if (bytes <= limit || strings.length < 4_000_000) strings.push(unescapeControls(current));
      }
    },
    text: (text) => {
      if (inText && current.length < limit) current += text;
    },
  });
  return strings;
}

/** `_x000D_` stands for a character that XML cannot hold. */
export function unescapeControls(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/gu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
