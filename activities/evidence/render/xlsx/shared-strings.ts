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
        bytes += current.length * 2;
        if (bytes > RENDER_LIMITS.sharedStringBytes) {
          truncate(`shared strings beyond ${RENDER_LIMITS.sharedStringBytes} bytes read as empty`);
          current = '';
        }
        strings.push(current);
      }
    },
    text: (text) => {
      if (inText) current += text;
    },
  });
  return strings.map(unescapeControls);
}

/** `_x000D_` stands for a character that XML cannot hold. */
export function unescapeControls(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/gu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
