import { type Rendering } from '../rendering';
import { type XmlElement, child, elements } from '../xml';
import { entryPlace } from './place';
import { isOn } from './styles';

/** Twentieths of a point of a centimetre. */
const TWIPS_PER_CENTIMETRE = 567;

/** One line on the paper, margins, columns and page numbers of each section. */
export function addPageSetup(sections: readonly XmlElement[], rendering: Rendering): void {
  let hasHeaders = false;
  sections.forEach((section, index) => {
    if (headersOf(section).length > 0) hasHeaders = true;
    const words = [
      size(section),
      margins(section),
      ...details(section),
      hasHeaders && headersOf(section).length === 0
        ? 'headers and footers as in the section before'
        : '',
    ].filter((each) => each !== '');
    rendering.addText(
      entryPlace('sections', index + 1),
      `section ${index + 1}: ${words.join(', ')}`,
      { label: 'page setup', isDescription: true },
    );
  });
}

function size(section: XmlElement): string {
  const page = child(section, 'pgSz')?.attributes;
  if (!page) return '';
  const [width, height] = [centimetres(page['w']), centimetres(page['h'])];
  const orientation =
    page['orient'] ?? (Number(page['w']) > Number(page['h']) ? 'landscape' : 'portrait');
  return `${width} x ${height} cm ${orientation}`;
}

function margins(section: XmlElement): string {
  const margin = child(section, 'pgMar')?.attributes;
  if (!margin) return '';
  const sides = ['top', 'right', 'bottom', 'left'].map(
    (side) => `${side} ${centimetres(margin[side])}`,
  );
  return `margins ${sides.join(' ')} cm`;
}

function details(section: XmlElement): string[] {
  const columns = Number(child(section, 'cols')?.attributes['num'] ?? 1);
  const start = child(section, 'type')?.attributes['val'];
  const numbers = child(section, 'pgNumType')?.attributes;
  const firstPage = child(section, 'titlePg');
  return [
    ...(columns > 1 ? [`${columns} columns`] : []),
    ...(start === undefined ? [] : [`begins on ${start}`]),
    ...(numbers?.['fmt'] === undefined ? [] : [`page numbers ${numbers['fmt']}`]),
    ...(numbers?.['start'] === undefined ? [] : [`page numbers from ${numbers['start']}`]),
    ...(firstPage && isOn(firstPage) ? ['first page differs'] : []),
    ...(child(section, 'pgBorders') ? ['page borders'] : []),
    ...(child(section, 'lnNumType') ? ['line numbers'] : []),
    ...headersOf(section),
  ];
}

function headersOf(section: XmlElement): string[] {
  return elements(section)
    .filter(({ name }) => name === 'headerReference' || name === 'footerReference')
    .map(
      ({ name, attributes }) =>
        `${attributes['type'] ?? 'default'} ${name.replace('Reference', '')}`,
    );
}

function centimetres(twips: string | undefined): string {
  const value = Number(twips);
  return twips === undefined || Number.isNaN(value)
    ? '?'
    : String(Math.round((value / TWIPS_PER_CENTIMETRE) * 100) / 100);
}
