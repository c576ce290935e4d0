import { type XmlElement, child, descendants, elements, textOf } from '../xml';
import { type Frame, boxOnSlide } from './geometry';
import { type SlideLayout } from './layouts';
import { unwrapped } from './paragraphs';
import { placeholderElement, placeholderOf } from './placeholder';
import { type SlideSize } from './presentation';
import { type Box, readingOrder } from './reading-order';

const SHAPES = new Set(['sp', 'pic', 'graphicFrame', 'grpSp', 'cxnSp', 'contentPart']);
/** Part of the slide that a picture covers when it is its background. */
const BACKGROUND_SHARE = 0.8;

/** Shapes within a slide's tree or a group, in the order of the file: that in which they are drawn. */
export function shapesIn(tree: XmlElement): XmlElement[] {
  return elements(tree)
    .flatMap(unwrapped)
    .filter(({ name }) => SHAPES.has(name));
}

/** Numbers of all shapes of a slide, groups before what they hold: their addresses. */
export function numberShapes(tree: XmlElement): ReadonlyMap<XmlElement, number> {
  const numbers = new Map<XmlElement, number>();
  const visit = (parent: XmlElement): void => {
    for (const shape of shapesIn(parent)) {
      numbers.set(shape, numbers.size + 1);
      if (shape.name === 'grpSp') visit(shape);
    }
  };
  visit(tree);
  return numbers;
}

/** Title first, then what says something as a reader takes it, then decoration; the file's order where places are not known. */
export function inReadingOrder(
  shapes: readonly XmlElement[],
  frame: Frame,
  size: SlideSize,
  layout: SlideLayout | undefined,
): XmlElement[] {
  const placed = shapes.map((shape) => ({ shape, box: placeOf(shape, frame, layout) }));
  const saying = placed.filter(({ shape, box }) => saysSomething(shape, box, size));
  if (saying.some(({ box }) => box === undefined)) return [...shapes];
  const titles = saying.filter(({ shape }) => placeholderOf(shape) === 'title');
  const others = saying.filter(({ shape }) => placeholderOf(shape) !== 'title');
  const order = readingOrder(others.flatMap(({ box }) => box ?? []));
  const sorted = [...titles, ...order.flatMap((index) => others[index] ?? [])];
  const said = new Set(sorted.map(({ shape }) => shape));
  return [...said, ...shapes.filter((shape) => !said.has(shape))];
}

function saysSomething(shape: XmlElement, box: Box | undefined, size: SlideSize): boolean {
  switch (shape.name) {
    case 'graphicFrame':
    case 'grpSp':
      return true;
    case 'pic':
      return box !== undefined && areaOf(box) < BACKGROUND_SHARE * size.width * size.height;
    default:
      return descendants(child(shape, 'txBody') ?? { ...shape, children: [] }, 't').some(
        (each) => textOf(each).trim() !== '',
      );
  }
}

function areaOf({ left, top, right, bottom }: Box): number {
  return (right - left) * (bottom - top);
}

/** A shape's own place, or that which its placeholder has on the layout or the master. */
function placeOf(
  shape: XmlElement,
  frame: Frame,
  layout: SlideLayout | undefined,
): Box | undefined {
  const own = boxOnSlide(shape, frame);
  const placeholder = placeholderElement(shape)?.attributes;
  if (own || !placeholder || !layout) return own;
  const { idx, type = 'body' } = placeholder;
  const inLayout =
    namedShape(layout.layout, (each) => idx !== undefined && each['idx'] === idx) ??
    namedShape(layout.layout, (each) => kindOf(each['type']) === kindOf(type));
  const inMaster =
    layout.master && namedShape(layout.master, (each) => kindOf(each['type']) === kindOf(type));
  return (inLayout && boxOnSlide(inLayout, frame)) ?? (inMaster && boxOnSlide(inMaster, frame));
}

function kindOf(type = 'body'): string {
  return type.replace('ctrTitle', 'title').replace(/^(?:subTitle|obj)$/u, 'body');
}

function namedShape(
  root: XmlElement,
  matches: (placeholder: XmlElement['attributes']) => boolean,
): XmlElement | undefined {
  return elements(child(root, 'cSld', 'spTree') ?? { ...root, children: [] }).find((shape) => {
    const placeholder = placeholderElement(shape);
    return placeholder !== undefined && matches(placeholder.attributes);
  });
}
