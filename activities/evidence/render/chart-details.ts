import { type XmlElement, child, descendants, elements, textOf } from './xml';

const MAX_WORDS = 200;
const MAX_DETAILS = 40;

/**
 * What a reader sees of a chart beside its data: legend, axes with their scales, labels, colours and lines of each
 * series, trend lines.
 *
 * @param nameOf words for a series
 */
export function chartDetails(
  chart: XmlElement | undefined,
  plots: readonly XmlElement[],
  nameOf: (series: XmlElement) => string,
): string[] {
  const area = child(chart, 'plotArea');
  const axes = (area ? elements(area) : []).filter(({ name }) => name.endsWith('Ax'));
  const second = new Set(
    axes.filter((axis) => value(axis, 'crosses') === 'max').map((axis) => value(axis, 'axId')),
  );
  const details = [
    legendWords(child(chart, 'legend')),
    ...axes.map(axisWords),
    ...plots.flatMap((plot) => {
      const isSecond = elements(plot, 'axId').some(({ attributes }) =>
        second.has(attributes['val']),
      );
      const labels = labelWords(child(plot, 'dLbls'));
      return [
        ...(labels === '' ? [] : [labels]),
        ...elements(plot, 'ser').map((series) =>
          seriesWords(series, nameOf(series), isSecond && second.size < axes.length),
        ),
      ];
    }),
    ...(area && child(area, 'dTable') ? ['with a table of its data'] : []),
  ].filter((words) => words !== '');
  return [...new Set(details)].slice(0, MAX_DETAILS).map((words) => words.slice(0, MAX_WORDS));
}

function value(parent: XmlElement | undefined, name: string): string | undefined {
  const element = child(parent, name);
  // A switch that is there without a value is on.
  return element && (element.attributes['val'] ?? '1');
}

const isOn = (text: string | undefined): boolean => text === '1' || text === 'true';

const LEGENDS: ReadonlyMap<string, string> = new Map([
  ['r', 'on the right'],
  ['l', 'on the left'],
  ['t', 'at the top'],
  ['b', 'at the bottom'],
  ['tr', 'in the upper right'],
]);

function legendWords(legend: XmlElement | undefined): string {
  if (!legend) return 'no legend';
  return `legend ${LEGENDS.get(value(legend, 'legendPos') ?? 'r') ?? ''}`.trim();
}

const SIDES: ReadonlyMap<string, string> = new Map([
  ['l', 'left'],
  ['r', 'right'],
  ['t', 'top'],
  ['b', 'bottom'],
]);

function axisWords(axis: XmlElement): string {
  const scale = child(axis, 'scaling');
  const [least, most, base] = ['min', 'max', 'logBase'].map((name) => value(scale, name));
  const deleted = value(axis, 'delete');
  const words = [
    ...(least === undefined ? [] : [`from ${least}`]),
    ...(most === undefined ? [] : [`to ${most}`]),
    ...(base === undefined ? [] : [`logarithmic to base ${base}`]),
    ...(value(scale, 'orientation') === 'maxMin' ? ['reversed'] : []),
    ...(value(axis, 'crosses') === 'max' ? ['on the far side'] : []),
    ...axisFormat(axis),
    ...(isOn(deleted) ? ['not shown'] : []),
  ];
  if (words.length === 0) return '';
  const side = SIDES.get(value(axis, 'axPos') ?? '') ?? '';
  return `${side === '' ? '' : `${side} `}axis ${words.join(', ')}`;
}

/** Where it is the axis's own and not that of the cells. */
function axisFormat(axis: XmlElement): string[] {
  const { sourceLinked, formatCode = '' } = child(axis, 'numFmt')?.attributes ?? {};
  return sourceLinked === '0' && formatCode !== 'General' ? [`numbers as ${formatCode}`] : [];
}

const LABELS: readonly (readonly [name: string, words: string])[] = [
  ['showVal', 'values'],
  ['showPercent', 'percentages'],
  ['showCatName', 'categories'],
  ['showSerName', 'names of series'],
  ['showBubbleSize', 'sizes'],
];

function labelWords(labels: XmlElement | undefined): string {
  if (!labels || isOn(value(labels, 'delete'))) return '';
  const shown = LABELS.filter(([name]) => isOn(value(labels, name))).map(([, words]) => words);
  const unsaid = LABELS.filter(
    ([name]) => name !== 'showBubbleSize' && child(labels, name) === undefined,
  ).map(([, words]) => words);
  const own = elements(labels, 'dLbl').map((label) =>
    descendants(label, 't').map(textOf).join('').trim(),
  );
  const written = own.filter((text) => text !== '').map((text) => JSON.stringify(text));
  if (shown.length + written.length === 0) return '';
  const format = child(labels, 'numFmt')?.attributes['formatCode'];
  return [
    `labels show ${[...shown, ...written].join(', ')}`,
    ...(format === undefined || format === 'General' ? [] : [`as ${format}`]),
    // Some programs show what is not said, others do not.
    ...(unsaid.length > 0 ? [`(not said: ${unsaid.join(', ')})`] : []),
  ].join(' ');
}

function seriesWords(series: XmlElement, name: string, isSecond: boolean): string {
  const labels = labelWords(child(series, 'dLbls'));
  const shape = child(series, 'spPr');
  const points = elements(series, 'dPt').flatMap((point) => {
    const color = colorOf(child(point, 'spPr'));
    return color === undefined ? [] : [`${Number(value(point, 'idx') ?? 0) + 1} ${color}`];
  });
  const color = colorOf(shape) ?? colorOf(child(shape, 'ln'));
  const marker = value(child(series, 'marker'), 'symbol');
  const words = [
    ...(isSecond ? ['on the second axis'] : []),
    ...(color === undefined ? [] : [`colour ${color}`]),
    ...(points.length > 0 ? [`points ${points.join(', ')}`] : []),
    ...(child(child(shape, 'ln'), 'noFill') ? ['no line'] : []),
    ...(marker === undefined || marker === 'none' ? [] : [`markers ${marker}`]),
    ...elements(series, 'trendline').map(trendWords),
    ...(child(series, 'errBars') ? ['error bars'] : []),
    ...(labels === '' ? [] : [labels]),
  ];
  return words.length === 0 ? '' : `${name} ${words.join(', ')}`;
}

function trendWords(trend: XmlElement): string {
  return [
    `${value(trend, 'trendlineType') ?? ''} trend line`.trim(),
    ...(isOn(value(trend, 'dispEq')) ? ['with its equation'] : []),
    ...(isOn(value(trend, 'dispRSqr')) ? ['with R²'] : []),
  ].join(' ');
}

/** `C00000`, or the theme's name for it: `accent1`. */
function colorOf(properties: XmlElement | undefined): string | undefined {
  const fill = child(properties, 'solidFill');
  const [color] = fill ? elements(fill) : [];
  return color?.attributes['val'];
}
