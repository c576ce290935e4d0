import { type XmlElement, child } from '../xml';
import { type SlideSize } from './presentation';
import { type Box as Edges } from './reading-order';

/** Where a group puts what it holds: `position = offset + scale * (own - childOffset)`, a pair each. */
export interface Frame {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly shiftX: number;
  readonly shiftY: number;
}

export const SLIDE_FRAME: Frame = { scaleX: 1, scaleY: 1, shiftX: 0, shiftY: 0 };

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The frame within a group. */
export function frameWithin(group: XmlElement, outer: Frame): Frame {
  const transform = child(group, 'grpSpPr', 'xfrm');
  const place = boxOf(transform, 'off', 'ext');
  const inner = boxOf(transform, 'chOff', 'chExt');
  if (!place || !inner || inner.width === 0 || inner.height === 0) return outer;
  const scaleX = place.width / inner.width;
  const scaleY = place.height / inner.height;
  return {
    scaleX: outer.scaleX * scaleX,
    scaleY: outer.scaleY * scaleY,
    shiftX: outer.shiftX + outer.scaleX * (place.x - scaleX * inner.x),
    shiftY: outer.shiftY + outer.scaleY * (place.y - scaleY * inner.y),
  };
}

/** The edges of a shape on its slide; `undefined` where it has no place of its own. */
export function boxOnSlide(shape: XmlElement, frame: Frame): Edges | undefined {
  const transform =
    child(shape, 'spPr', 'xfrm') ?? child(shape, 'xfrm') ?? child(shape, 'grpSpPr', 'xfrm');
  const box = boxOf(transform, 'off', 'ext');
  if (!box) return undefined;
  const left = frame.shiftX + frame.scaleX * box.x;
  const top = frame.shiftY + frame.scaleY * box.y;
  const right = left + frame.scaleX * box.width;
  const bottom = top + frame.scaleY * box.height;
  return { left, top, right, bottom };
}

/** True where a shape has a place of its own and none of it lies on the slide. */
export function isOffSlide(shape: XmlElement, frame: Frame, slide: SlideSize): boolean {
  const edges = shape.name === 'grpSp' ? undefined : boxOnSlide(shape, frame);
  if (!edges) return false;
  const { left, top, right, bottom } = edges;
  return right <= 0 || bottom <= 0 || left >= slide.width || top >= slide.height;
}

function boxOf(transform: XmlElement | undefined, offset: string, extent: string): Box | undefined {
  const place = child(transform, offset)?.attributes;
  const size = child(transform, extent)?.attributes;
  if (!place || !size) return undefined;
  const box = {
    x: Number(place['x']),
    y: Number(place['y']),
    width: Number(size['cx']),
    height: Number(size['cy']),
  };
  return Object.values(box).every(Number.isFinite) ? box : undefined;
}
