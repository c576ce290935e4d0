import { type TextSegment } from '../../core/evidence-view';
import { type Locator } from '../../core/locator';

/** Of one file; what is beyond is left out, and said. */
const MAX_BYTES = 4 * 1024 ** 2;

/**
 * Segments as plain text for somebody who reads the file instead of opening it: a heading line for each page, sheet,
 * slide or part, table rows on one line, what a reader does not see marked with why. Our own words about a file are
 * left out.
 */
export function plainText(segments: readonly TextSegment[]): string {
  const lines: string[] = [];
  let bytes = 0;
  let place = '';
  let row = '';
  for (const segment of segments) {
    if (segment.isDescription === true) continue;
    const next = placeOf(segment.locator);
    const nextRow = rowOf(segment.locator);
    const text = textOf(segment);
    if (next !== place && next !== '') lines.push('', `=== ${next} ===`);
    if (nextRow !== '' && nextRow === row && next === place)
      lines.push(`${lines.pop() ?? ''} | ${text}`);
    else lines.push(text);
    place = next;
    row = nextRow;
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > MAX_BYTES) {
      lines.push('', '[cut here: the file has more text; open it for the rest]');
      break;
    }
  }
  return `${lines.join('\n').trim()}\n`;
}

function textOf({ text, label, visibility, cause }: TextSegment): string {
  const notes = [
    ...(label === undefined ? [] : [label]),
    ...(visibility === 'hidden' ? [`not visible: ${cause ?? 'hidden'}`] : []),
  ];
  return notes.length === 0 ? text : `[${notes.join('; ')}] ${text}`;
}

/** What a heading line names; empty where the text needs none. */
function placeOf(locator: Locator): string {
  switch (locator.kind) {
    case 'page':
      return `page ${locator.page}`;
    case 'cells':
      return `sheet ${locator.sheet}`;
    case 'slide':
      return `slide ${locator.slide}${locator.part === undefined ? '' : `, ${locator.part}`}`;
    case 'paragraph':
      return locator.part === 'body' ? 'text' : locator.part;
    case 'table':
      return 'text';
    case 'object':
      return locator.part === '' ? 'the whole file' : `sheet ${locator.part}`;
    default:
      return '';
  }
}

/** The same for all cells of one row. */
function rowOf(locator: Locator): string {
  if (locator.kind === 'table') return `${locator.table} ${locator.row ?? ''}`;
  if (locator.kind === 'slide' && locator.row !== undefined)
    return `${locator.slide} ${locator.shape ?? ''} ${locator.row}`;
  return '';
}
