import { type LocatedFile, type Marker } from './listing';

/** By the name of the file, which is about one thing: what its shown text stands in. */
const BY_FILE: readonly (readonly [RegExp, string])[] = [
  [/^text-box/u, 'text box'],
  [/^equations/u, 'equation'],
  [/^fields\./u, 'field result'],
  [/^content-controls/u, 'content control'],
  [/^headings/u, 'heading'],
  [/^(?:lists|missing-list-level)/u, 'list'],
  [/^nested-tables/u, 'nested table'],
  [/^(?:merged-|merges)/u, 'merged cells'],
  [/^(?:hyperlinks|links\.)/u, 'words of a link'],
  [/^tracked-changes/u, 'tracked change'],
  [/^ruby/u, 'ruby text'],
  [/^groups/u, 'grouped shapes'],
  [/^charts\.pptx/u, 'chart title'],
  [/^titles-and-bullets/u, 'title and bullets'],
  [/^moved-slides/u, 'slides in another order'],
  [/^rich-/u, 'rich text'],
  [/^(?:long-and-multiline|line-breaks|tabs-and-breaks)/u, 'lines within a text'],
  [/^runs-split/u, 'words split in runs'],
  [/^(?:tables?\.xlsx|table-with-totals)/u, 'worksheet table'],
  [/^sheet-names/u, 'odd sheet names'],
  [/^(?:sparse-corners|wide)/u, 'far cells'],
  [/^turned-/u, 'turned page'],
  [/^columns/u, 'columns of text'],
  [/^chinese\.pdf/u, 'Chinese text'],
  [/^table\.pdf/u, 'table'],
  [/^(?:head-only|junk-before|without-table)/u, 'damaged file'],
];

/** By the first words of the locator. */
const BY_PLACE: readonly (readonly [RegExp, string])[] = [
  [/^object=chart/u, 'chart title'],
  [/^object=shape/u, 'text box'],
  [/^object=([a-z-]+)/u, '$1'],
  [/^paragraph=header/u, 'header'],
  [/^paragraph=footer/u, 'footer'],
  [/^paragraph=footnotes/u, 'footnote'],
  [/^paragraph=endnotes/u, 'endnote'],
  [/^paragraph=comments|part=comments/u, 'comment'],
  [/^slide=\d+&part=notes/u, 'speaker notes'],
  [/part=alt/u, 'alternative text'],
  [/part=links/u, 'link target'],
];

/** What kind of thing a marker stands in, such as `footnote` or `hidden sheet`: for tables of what readers keep. */
export function featureOf({ file, generator }: LocatedFile, marker: Marker): string {
  const { locator, where, feature } = marker;
  if (feature !== undefined) return feature;
  if (where === 'formula') return 'formula';
  if (where === 'workbook') return 'rule, name or layout';
  for (const [pattern, name] of BY_PLACE) {
    const match = pattern.exec(locator);
    if (match) return name.replace('$1', match[1] ?? '').replaceAll('-', ' ');
  }
  if (locator === 'file') return 'document properties';
  if (marker.visibility === 'hidden') return hiddenFeature(file);
  if (marker.labels?.includes('deletion') === true) return 'tracked change';
  for (const [pattern, name] of BY_FILE) if (pattern.test(file)) return name;
  if (generator === 'packages') return 'odd package layout';
  if (/&row=|^table=/u.test(locator)) return 'table';
  return locator.startsWith('cells=') ? 'cell' : 'text';
}

function hiddenFeature(file: string): string {
  if (/^hidden-sheets|^hidden\.xlsx|^layout/u.test(file)) return 'hidden sheet, row or column';
  if (/^hidden-rows/u.test(file)) return 'hidden sheet, row or column';
  if (/^hidden-slide/u.test(file)) return 'hidden slide';
  if (/^pictures-alt/u.test(file)) return 'alternative text';
  if (/^off-the-slide|outside/u.test(file)) return 'outside of the page';
  return 'hidden text';
}
