import { type OfficePackage } from '../package';
import { type XmlElement, child, elements, parseXml } from '../xml';
import { builtInFormat } from './number-format';

/** What a cell's style means for its text. */
export interface CellStyle {
  readonly format: string;
  /** Why a reader cannot see the text: white on no fill, or smaller than 3 points. */
  readonly unseen?: 'white text' | 'tiny text';
}

const DEFAULT_STYLE: CellStyle = { format: 'General' };

export type CellStyles = (index: number | undefined) => CellStyle;

export async function readStyles(
  parts: OfficePackage,
  part: string | undefined,
): Promise<CellStyles> {
  if (part === undefined || !parts.has(part)) return () => DEFAULT_STYLE;
  const root = parseXml(part, await parts.read(part));
  const codes = new Map(
    listOf(root, 'numFmts', 'numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? 'General',
    ]),
  );
  const fonts = listOf(root, 'fonts', 'font').map(unseenFont);
  const filled = listOf(root, 'fills', 'fill').map(isFilled);
  const styles = listOf(root, 'cellXfs', 'xf').map(({ attributes }): CellStyle => {
    const id = Number(attributes['numFmtId'] ?? 0);
    const font = fonts[Number(attributes['fontId'] ?? 0)];
    const unseen =
      font === 'white text' && filled[Number(attributes['fillId'] ?? 0)] === true
        ? undefined
        : font;
    return { format: codes.get(id) ?? builtInFormat(id), ...(unseen && { unseen }) };
  });
  return (index) => styles[index ?? 0] ?? DEFAULT_STYLE;
}

function listOf(root: XmlElement, list: string, entry: string): XmlElement[] {
  const parent = child(root, list);
  return parent ? elements(parent, entry) : [];
}

function unseenFont(font: XmlElement): CellStyle['unseen'] {
  const size = Number(child(font, 'sz')?.attributes['val'] ?? 11);
  if (size < 3) return 'tiny text';
  const color = child(font, 'color')?.attributes;
  const white =
    /^(?:[0-9A-F]{2})?FFFFFF$/iu.test(color?.['rgb'] ?? '') ||
    (color?.['theme'] === '0' && color['tint'] === undefined);
  return white ? 'white text' : undefined;
}

/** A fill of any colour but white. */
function isFilled(fill: XmlElement): boolean {
  if (child(fill, 'gradientFill')) return true;
  const pattern = child(fill, 'patternFill');
  const type = pattern?.attributes['patternType'];
  if (!pattern || type === undefined || type === 'none') return false;
  const color = child(pattern, 'fgColor')?.attributes;
  return !(/^(?:[0-9A-F]{2})?FFFFFF$/iu.test(color?.['rgb'] ?? '') || color?.['theme'] === '0');
}
