import { type OfficePackage } from '../package';
import { type XmlElement, child, elements, parseXml } from '../xml';
import { type NumberingReference } from './numbering';

/** What matters of a paragraph, character or table style, with what it inherits. */
export interface WordStyle {
  readonly name: string;
  readonly headingLevel?: number;
  readonly numbering?: Partial<NumberingReference>;
  readonly run: RunLook;
}

/** Properties that decide whether a reader sees a run. */
export interface RunLook {
  readonly vanish?: boolean;
  readonly white?: boolean;
  readonly shaded?: boolean;
  /** Half-points. */
  readonly size?: number;
}

export type WordStyles = (id: string | undefined) => WordStyle;

const PLAIN: WordStyle = { name: '', run: {} };

export async function readWordStyles(
  parts: OfficePackage,
  part: string | undefined,
): Promise<WordStyles> {
  if (part === undefined || !parts.has(part)) return () => PLAIN;
  const root = parseXml(part, await parts.read(part));
  const byId = new Map(
    elements(root, 'style').map((each) => [each.attributes['styleId'] ?? '', each]),
  );
  const known = new Map<string, WordStyle>();
  const resolve = (id: string, depth: number): WordStyle => {
    const done = known.get(id);
    const element = byId.get(id);
    if (done || !element || depth > 20) return done ?? PLAIN;
    const parent = resolve(child(element, 'basedOn')?.attributes['val'] ?? '', depth + 1);
    const style = inherit(element, parent);
    known.set(id, style);
    return style;
  };
  return (id) => (id === undefined ? PLAIN : resolve(id, 0));
}

function inherit(element: XmlElement, parent: WordStyle): WordStyle {
  const name = child(element, 'name')?.attributes['val'] ?? '';
  const paragraph = child(element, 'pPr');
  const heading = headingLevelOf(name, paragraph) ?? parent.headingLevel;
  const numbering = { ...parent.numbering, ...numberingOf(paragraph) };
  return {
    name,
    ...(heading === undefined ? {} : { headingLevel: heading }),
    ...(Object.keys(numbering).length > 0 ? { numbering } : {}),
    run: { ...parent.run, ...runLook(child(element, 'rPr')) },
  };
}

function headingLevelOf(name: string, paragraph: XmlElement | undefined): number | undefined {
  const named = /^(?:heading|标题)\s*(\d)$/iu.exec(name)?.[1];
  if (named !== undefined) return Number(named);
  if (/^title$/iu.test(name)) return 0;
  const outline = child(paragraph, 'outlineLvl')?.attributes['val'];
  return outline === undefined || Number(outline) > 8 ? undefined : Number(outline) + 1;
}

/** List membership as far as stated; level and id may come from different places. */
export function numberingOf(paragraph: XmlElement | undefined): Partial<NumberingReference> {
  const element = child(paragraph, 'numPr');
  const id = child(element, 'numId')?.attributes['val'];
  const level = child(element, 'ilvl')?.attributes['val'];
  return {
    ...(id === undefined ? {} : { id }),
    ...(level === undefined ? {} : { level: Number(level) }),
  };
}

export function runLook(properties: XmlElement | undefined): RunLook {
  if (!properties) return {};
  const vanish = child(properties, 'vanish') ?? child(properties, 'webHidden');
  const color = child(properties, 'color')?.attributes['val'];
  const size = child(properties, 'sz')?.attributes['val'];
  const shaded = isShaded(properties) || child(properties, 'highlight') !== undefined;
  return {
    ...(vanish ? { vanish: isOn(vanish) } : {}),
    ...(color === undefined ? {} : { white: /^FFFFFF$/iu.test(color) }),
    ...(shaded ? { shaded } : {}),
    ...(size === undefined ? {} : { size: Number(size) }),
  };
}

/** A shading of any colour but white and none. */
export function isShaded(properties: XmlElement | undefined): boolean {
  const fill = child(properties, 'shd')?.attributes['fill'];
  return fill !== undefined && !/^(?:auto|FFFFFF)$/iu.test(fill);
}

/** Switches are on when present without a value. */
export function isOn(element: XmlElement): boolean {
  return !['0', 'false', 'off'].includes(element.attributes['val'] ?? 'true');
}
