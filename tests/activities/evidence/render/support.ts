import { type ArtifactResult } from '../../../../activities/evidence/render/render-artifact';
import { printLocator } from '../../../../core/locator';

/** Segments as `<place> | <text>`, hidden ones with their cause in brackets. */
export function printed({ rendering }: ArtifactResult): string[] {
  return rendering.segments.map(({ locator, text, visibility, cause }) => {
    const mark = visibility === 'hidden' ? ` [${cause ?? 'hidden'}]` : '';
    return `${printLocator(locator).slice(1)}${mark} | ${text}`;
  });
}

/** Text at one place. */
export function textAt(result: ArtifactResult, place: string): string[] {
  return result.rendering.segments
    .filter(({ locator }) => printLocator(locator).slice(1) === place)
    .map(({ text }) => text);
}
