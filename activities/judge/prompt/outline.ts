import { type TextSegment } from '../../../core/evidence-view';
import { type Locator } from '../../../core/locator';

/** Lines of an outline at most. */
const MAX_LINES = 60;

/**
 * The skeleton of a long artifact, for the judge's first look: its titles and headings, and of slides, pages and
 * notebook cells without one, their first words. Positions in the given segments, rising.
 */
export function outlineOf(segments: readonly TextSegment[]): TextSegment[] {
  const firsts = new Map<string, number>();
  const titled = new Set<string>();
  segments.forEach(({ locator, label }, at) => {
    const unit = unitOf(locator);
    if (unit !== undefined && !firsts.has(unit)) firsts.set(unit, at);
    if (unit !== undefined && isTitle(label)) titled.add(unit);
  });
  const kept = segments.filter((segment, at) => {
    if (isTitle(segment.label)) return true;
    const unit = unitOf(segment.locator);
    return unit !== undefined && firsts.get(unit) === at && !titled.has(unit);
  });
  return kept.slice(0, MAX_LINES);
}

function isTitle(label: string | undefined): boolean {
  return label !== undefined && /^(?:title|heading)/u.test(label);
}

/** What a reader turns over as one: a page, a slide, a cell of a notebook. */
function unitOf(locator: Locator): string | undefined {
  switch (locator.kind) {
    case 'page':
      return `page ${locator.page}`;
    case 'slide':
      return locator.part === undefined ? `slide ${locator.slide}` : undefined;
    case 'notebook':
      return locator.output === undefined ? `cell ${locator.cell}` : undefined;
    default:
      return undefined;
  }
}
