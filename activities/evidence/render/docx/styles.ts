import { type OfficePackage } from '../package';
import { type XmlElement, child, elements, parseXml } from '../xml';
import { type Background, backgroundOf, letterColour } from './colour';
import { marksOf } from './marks';
import { type NumberingReference } from './numbering';

/** What matters of a paragraph or character style, with what it inherits. */
export interface WordStyle {
  readonly name: string;
  readonly headingLevel?: number;
  readonly numbering?: Partial<NumberingReference>;
  readonly background?: Background;
  readonly run: RunLook;
}

/** Properties that decide whether a reader sees a run. */
export interface RunLook {
  readonly vanish?: boolean;
  /** `RRGGBB`; absent or `auto`: chosen so that it is seen. */
  readonly colour?: string;
  readonly background?: Background;
  /** Half-points. */
  readonly size?: number;
  /** Width of letters in percent. */
  readonly scale?: number;
  /** Looks that carry meaning, by their kind, each in words; empty where a style's look is taken back. */
  readonly marks?: RunMarks;
}

export type RunMarks = Readonly<Record<string, string>>;

export interface WordStyles {
  /** A paragraph's style; without an id the default one. */
  paragraph(id: string | undefined): WordStyle;
  /** A run's style; without an id nothing. */
  character(id: string | undefined): WordStyle;
}

const PLAIN: WordStyle = { name: '', run: {} };

export async function readWordStyles(
  parts: OfficePackage,
  part: string | undefined,
): Promise<WordStyles> {
  if (part === undefined || !parts.has(part))
    return { paragraph: () => PLAIN, character: () => PLAIN };
  const root = parseXml(part, await parts.read(part));
  const styles = elements(root, 'style');
  const byId = new Map(styles.map((each) => [each.attributes['styleId'] ?? '', each]));
  const defaults: WordStyle = {
    name: '',
    run: runLook(child(root, 'docDefaults', 'rPrDefault', 'rPr')),
  };
  const known = new Map<string, WordStyle>();
  const resolve = (id: string, base: WordStyle, depth: number): WordStyle => {
    const done = known.get(id);
    const element = byId.get(id);
    if (done || !element || depth > 20) return done ?? base;
    const style = inherit(
      element,
      resolve(child(element, 'basedOn')?.attributes['val'] ?? '', base, depth + 1),
    );
    known.set(id, style);
    return style;
  };
  const standard = styles.find(
    ({ attributes }) =>
      attributes['type'] === 'paragraph' && /^(?:1|true|on)$/u.test(attributes['default'] ?? ''),
  )?.attributes['styleId'];
  return {
    paragraph: (id) => resolve(id ?? standard ?? '', defaults, 0),
    character: (id) => (id === undefined ? PLAIN : resolve(id, PLAIN, 0)),
  };
}

function inherit(element: XmlElement, parent: WordStyle): WordStyle {
  const name = child(element, 'name')?.attributes['val'] ?? '';
  const paragraph = child(element, 'pPr');
  const heading = headingLevelOf(name, paragraph) ?? parent.headingLevel;
  const own = numberingOf(paragraph);
  const style = element.attributes['styleId'];
  // Of a list of its own, a level may name the style that it is for.
  const numbering =
    own.id === undefined
      ? { ...parent.numbering, ...own }
      : { ...own, ...(style === undefined ? {} : { style }) };
  const background = backgroundOf(paragraph) ?? parent.background;
  return {
    name,
    ...(heading === undefined ? {} : { headingLevel: heading }),
    ...(Object.keys(numbering).length > 0 ? { numbering } : {}),
    ...(background === undefined ? {} : { background }),
    run: withLook(parent.run, runLook(child(element, 'rPr'))),
  };
}

/** 1 to 9 by the style's name or its outline level; 0 for a title. */
function headingLevelOf(name: string, paragraph: XmlElement | undefined): number | undefined {
  const named = /^(?:heading|标题)\s*(\d)$/iu.exec(name)?.[1];
  if (named !== undefined) return Number(named);
  if (/^title$/iu.test(name)) return 0;
  return outlineLevel(paragraph);
}

/** A paragraph's outline level as a heading's, from 1; `undefined` for body text. */
export function outlineLevel(paragraph: XmlElement | undefined): number | undefined {
  const outline = child(paragraph, 'outlineLvl')?.attributes['val'];
  return outline === undefined || !(Number(outline) <= 8) ? undefined : Number(outline) + 1;
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

/** A look over another one. */
export function withLook(under: RunLook, over: RunLook): RunLook {
  const marks = { ...under.marks, ...over.marks };
  return { ...under, ...over, ...(Object.keys(marks).length === 0 ? {} : { marks }) };
}

export function runLook(properties: XmlElement | undefined): RunLook {
  if (!properties) return {};
  // `webHidden` hides in the browser view only: page numbers of a table of contents carry it.
  const vanish = child(properties, 'vanish');
  const colour = letterColour(properties) ?? (child(properties, 'color') ? 'auto' : undefined);
  const size = child(properties, 'sz')?.attributes['val'];
  const scale = child(properties, 'w')?.attributes['val'];
  const background = backgroundOf(properties);
  const marks = marksOf(properties);
  return {
    ...(Object.keys(marks).length === 0 ? {} : { marks }),
    ...(vanish ? { vanish: isOn(vanish) } : {}),
    ...(colour === undefined ? {} : { colour }),
    ...(background === undefined ? {} : { background }),
    ...(size === undefined ? {} : { size: Number(size) }),
    ...(scale === undefined ? {} : { scale: Number.parseFloat(scale) }),
  };
}

/** Switches are on when present without a value. */
export function isOn(element: XmlElement): boolean {
  return !['0', 'false', 'off'].includes(element.attributes['val'] ?? 'true');
}
