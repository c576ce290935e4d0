import { type OfficePackage } from '../package';
import { child, elements, parseXml } from '../xml';

/** `RRGGBB`. */
export type Rgb = string;

/** The palette that files name by number, as long as they bring none of their own. */
const INDEXED =
  '000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 800000 008000 000080 808000 800080 008080 C0C0C0 808080 9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF 00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696 003366 339966 003300 333300 993300 993366 333399 333333 000000 FFFFFF'.split(
    ' ',
  );
/** Theme colours in the order that styles number them: light and dark are swapped against the theme part. */
const THEME_ORDER =
  'lt1 dk1 lt2 dk2 accent1 accent2 accent3 accent4 accent5 accent6 hlink folHlink';
const OFFICE_THEME =
  'FFFFFF 000000 EEECE1 1F497D 4F81BD C0504D 9BBB59 8064A2 4BACC6 F79646 0000FF 800080'.split(' ');

/** Resolves colour attributes of styles: `rgb`, `theme` with `tint`, `indexed`. */
export class Colors {
  constructor(private readonly theme: readonly Rgb[] = OFFICE_THEME) {}

  /** `undefined` for no colour, an automatic one, or one that cannot be read. */
  of(attributes: Readonly<Record<string, string>> | undefined): Rgb | undefined {
    if (!attributes) return undefined;
    const base = this.base(attributes);
    const tint = Number(attributes['tint'] ?? 0);
    return base !== undefined && tint !== 0 && Math.abs(tint) <= 1 ? tinted(base, tint) : base;
  }

  private base(attributes: Readonly<Record<string, string>>): Rgb | undefined {
    const rgb = /^(?:[0-9a-f]{2})?([0-9a-f]{6})$/iu.exec(attributes['rgb'] ?? '')?.[1];
    if (rgb !== undefined) return rgb.toUpperCase();
    if (attributes['theme'] !== undefined) return this.theme[Number(attributes['theme'])];
    return attributes['indexed'] === undefined ? undefined : INDEXED[Number(attributes['indexed'])];
  }
}

export async function readColors(parts: OfficePackage, part: string | undefined): Promise<Colors> {
  if (part === undefined || !parts.has(part)) return new Colors();
  const scheme = child(parseXml(part, await parts.read(part)), 'themeElements', 'clrScheme');
  if (!scheme) return new Colors();
  const named = new Map(
    elements(scheme).map((entry) => {
      const [color] = elements(entry);
      const value = color?.attributes['lastClr'] ?? color?.attributes['val'] ?? '';
      return [entry.name, /^[0-9a-f]{6}$/iu.test(value) ? value.toUpperCase() : undefined];
    }),
  );
  return new Colors(
    THEME_ORDER.split(' ').map((name, index) => named.get(name) ?? OFFICE_THEME[index] ?? '000000'),
  );
}

/** Lighter by a positive part, darker by a negative one; each channel by itself is close enough to judge contrast. */
function tinted(rgb: Rgb, tint: number): Rgb {
  return channelsOf(rgb)
    .map((value) => (tint < 0 ? value * (1 + tint) : value + (255 - value) * tint))
    .map((value) => Math.round(value).toString(16).padStart(2, '0').toUpperCase())
    .join('');
}

/** Below this contrast (1 for none, 21 for black on white) letters cannot be told from what is behind them. */
const MIN_CONTRAST = 1.2;
/** Of 255 in each channel: yellow on white has hardly any contrast, and is seen. */
const MIN_DISTANCE = 48;

/** Whether letters of one colour on the other cannot be seen. */
export function isLike(left: Rgb, right: Rgb): boolean {
  const [light = 0, dark = 0] = [luminance(left), luminance(right)].sort((a, b) => b - a);
  const others = channelsOf(right);
  const distance = channelsOf(left).map((value, at) => Math.abs(value - (others[at] ?? 0)));
  return (light + 0.05) / (dark + 0.05) < MIN_CONTRAST && Math.max(...distance) < MIN_DISTANCE;
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(rgb).map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(rgb: Rgb): number[] {
  return [0, 2, 4].map((at) => Number.parseInt(rgb.slice(at, at + 2), 16));
}
