import { RENDER_LIMITS } from '../limits';
import { type OfficePackage } from '../package';
import { streamXml } from '../stream-xml';
import { type Colors } from './colors';
import { RichRuns } from './rich-runs';

/** Texts of which it is kept how their parts look. */
const MAX_RICH = 20_000;

/** Texts that cells refer to by number, phonetic guides left out. What exceeds the limit reads as empty. */
export async function readSharedStrings(
  parts: OfficePackage,
  part: string | undefined,
  truncate: (reason: string) => void,
  rich?: { readonly colors: Pick<Colors, 'of'>; readonly texts: Map<number, string> },
): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined || !parts.has(part)) return strings;
  const limit = RENDER_LIMITS.sharedStringBytes;
  let current = '';
  let bytes = 0;
  let inText = false;
  let phonetic = 0;
  const runs = new RichRuns(rich?.colors ?? { of: () => undefined });
  await streamXml(parts, part, {
    open: (name, attributes) => {
      if (name === 'si') {
        current = '';
        runs.begin();
      } else if (runs.open(name, attributes)) return;
      else if (name === 'rPh') phonetic++;
      else if (name === 't') inText = phonetic === 0;
    },
    close: (name) => {
      runs.close(name);
      if (name === 't') inText = false;
      else if (name === 'rPh') phonetic--;
      else if (name === 'si') {
        const look = rich ? runs.end() : '';
        if (rich && look !== '' && rich.texts.size < MAX_RICH) rich.texts.set(strings.length, look);
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
      if (inText) runs.text(text);
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
