import { withoutAlternatives } from './alternatives';
import { type XmlElement, child, descendants, elements } from '../xml';

/** What a picture, shape, object or diagram within a run holds and refers to. */
export interface DrawingContent {
  /** Relationship ids of pictures, with their size where stated. */
  readonly images: { readonly id: string; readonly size: string; readonly isLinked: boolean }[];
  readonly chartIds: string[];
  readonly diagramIds: string[];
  readonly objects: { readonly id: string; readonly program: string }[];
  readonly alternativeTexts: string[];
  /** `txbxContent` elements. */
  readonly textBoxes: { readonly content: XmlElement; readonly isOffPage: boolean }[];
  /** Words drawn as shapes, such as watermarks. */
  readonly wordArt: string[];
}

/** EMU of a centimetre, in which drawings are measured. */
const EMU_PER_CENTIMETRE = 360_000;
/** An offset beyond any paper: 200 cm. */
const BEYOND_PAPER_EMU = 200 * EMU_PER_CENTIMETRE;

export function readDrawingContent(element: XmlElement): DrawingContent {
  const drawing = withoutAlternatives(element);
  const size = sizeOf(drawing);
  const blips = descendants(drawing, 'blip').map(({ attributes }) => ({
    id: attributes['r:embed'] ?? attributes['r:link'] ?? '',
    size,
    isLinked: attributes['r:embed'] === undefined && attributes['r:link'] !== undefined,
  }));
  const vector = descendants(drawing, 'imagedata').map(({ attributes }) => ({
    id: attributes['r:id'] ?? attributes['r:href'] ?? '',
    size,
    isLinked: attributes['r:id'] === undefined,
  }));
  const isOffPage = anchoredOffPage(drawing);
  return {
    images: [...blips, ...vector],
    chartIds: descendants(drawing, 'chart').flatMap(idOf),
    diagramIds: descendants(drawing, 'relIds').flatMap(
      ({ attributes }) => attributes['r:dm'] ?? [],
    ),
    objects: descendants(drawing, 'OLEObject').map(({ attributes }) => ({
      id: attributes['r:id'] ?? '',
      program: attributes['ProgID'] ?? 'unknown program',
    })),
    alternativeTexts: alternativeTexts(drawing),
    textBoxes: outermost(drawing, 'txbxContent').map((content) => ({ content, isOffPage })),
    wordArt: descendants(drawing, 'textpath').flatMap(
      ({ attributes }) => attributes['string'] ?? [],
    ),
  };
}

function idOf({ attributes }: XmlElement): string[] {
  return attributes['r:id'] === undefined ? [] : [attributes['r:id']];
}

/** Descriptions for those who cannot see the picture; each once. */
function alternativeTexts(drawing: XmlElement): string[] {
  const named = [...descendants(drawing, 'docPr'), ...descendants(drawing, 'cNvPr')].flatMap(
    ({ attributes }) => [attributes['descr'], attributes['title']],
  );
  const vector = ['shape', 'rect', 'group', 'oval', 'roundrect'].flatMap((name) =>
    descendants(drawing, name).map(({ attributes }) => attributes['alt']),
  );
  const texts = [...named, ...vector].filter(
    (text): text is string => text !== undefined && text.trim() !== '',
  );
  return [...new Set(texts)];
}

/** Elements of that name that no other such element holds. */
function outermost(parent: XmlElement, name: string): XmlElement[] {
  return elements(parent).flatMap((each) => (each.name === name ? [each] : outermost(each, name)));
}

function sizeOf(drawing: XmlElement): string {
  const extent = descendants(drawing, 'extent')[0]?.attributes;
  const [width, height] = [extent?.['cx'], extent?.['cy']].map(
    (emu) => Math.round((Number(emu) / EMU_PER_CENTIMETRE) * 10) / 10,
  );
  return width === undefined || height === undefined || Number.isNaN(width + height)
    ? ''
    : `${width} x ${height} cm`;
}

/** Whether a drawing is anchored where no paper is: wholly left of or above the page, or far beyond it. */
function anchoredOffPage(drawing: XmlElement): boolean {
  const anchor = child(drawing, 'anchor');
  if (!anchor) return false;
  const extent = child(anchor, 'extent')?.attributes;
  return (
    [
      ['positionH', 'cx'],
      ['positionV', 'cy'],
    ] as const
  ).some(([axis, length]) => {
    const position = child(anchor, axis);
    const offset = Number(child(position, 'posOffset')?.children[0] ?? 0);
    // From a margin or column, the edge of the paper lies a margin's width further out.
    const slack = position?.attributes['relativeFrom'] === 'page' ? 0 : 5 * EMU_PER_CENTIMETRE;
    return offset + Number(extent?.[length] ?? 0) < -slack || offset > BEYOND_PAPER_EMU;
  });
}
