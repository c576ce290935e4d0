import { type ChartFact, type ChartSource } from '../../../core/workbook-facts';
import { chartDetails } from './chart-details';
import { shownValues } from './chart-labels';
import { isDateFormat } from 'numfmt';
import { type OfficePackage } from './package';
import { shownText } from './xlsx/number-format';
import { type XmlElement, child, descendants, elements, parseXml, textOf } from './xml';

/** Points listed of a series, and series of a chart. */
const MAX_POINTS = 60;
const MAX_SERIES = 100;
const MAX_PART_BYTES = 16 * 1024 * 1024;

/**
 * A chart of any office format, classic or extended (`chartEx`). Throws `Unreadable`.
 *
 * @param asShown whether points have their values as labels write them too: `0.256 (25.6%)`
 */
export async function readChart(
  parts: OfficePackage,
  part: string,
  { asShown = false }: { readonly asShown?: boolean } = {},
): Promise<ChartFact> {
  const root = parseXml(part, await parts.read(part, MAX_PART_BYTES));
  const chart = child(root, 'chart');
  const area = child(chart, 'plotArea');
  const title = titleText(chart && child(chart, 'title'));
  const plots = area ? elements(area).filter((each) => each.name.endsWith('Chart')) : [];
  if (plots.length === 0) return extendedChart(root, title);
  const series = plots.flatMap((plot) =>
    elements(plot, 'ser').map((element) => ({ plot, element })),
  );
  const axes = (area ? elements(area) : [])
    .filter(({ name }) => name.endsWith('Ax'))
    .map((axis) => titleText(child(axis, 'title')))
    .filter((text) => text !== '');
  const details = [...autoTitle(chart, series.length), ...chartDetails(chart, plots, seriesName)];
  return withSeries(
    {
      type: plots.map(chartType).join(' + '),
      title,
      ...(axes.length > 0 ? { axes } : {}),
      ...(details.length > 0 ? { details } : {}),
      sources: series.slice(0, MAX_SERIES).map(({ element }) => sourceOf(element)),
    },
    series.map(({ plot, element }) => [
      seriesText(element),
      pointsText(element, asShown ? plot : undefined),
    ]),
  );
}

/** Without a title of its own, a chart of one series shows that series' name, unless the file says otherwise. */
function autoTitle(chart: XmlElement | undefined, series: number): string[] {
  const deleted = child(chart, 'autoTitleDeleted');
  const isDeleted = deleted && ['1', 'true'].includes(deleted.attributes['val'] ?? 'true');
  return series === 1 && titleText(child(chart, 'title')) === '' && isDeleted !== true
    ? ["the only series' name stands as title"]
    : [];
}

function sourceOf(series: XmlElement): ChartSource {
  const [nameRef, categories, values] = [
    reference(child(series, 'tx')),
    reference(child(series, 'cat') ?? child(series, 'xVal')),
    reference(child(series, 'val') ?? child(series, 'yVal')),
  ];
  const name = seriesName(series);
  return {
    name,
    ...(nameRef === '' ? {} : { nameRef }),
    ...(categories === '' ? {} : { categories }),
    ...(values === '' ? {} : { values }),
    points: pointsText(series).slice(name.length + 2),
  };
}

function withSeries(
  chart: Omit<ChartFact, 'series' | 'points'>,
  series: readonly (readonly [string, string])[],
): ChartFact {
  const listed = series.slice(0, MAX_SERIES);
  const more = series.length - listed.length;
  const points = listed.map(([, text]) => text).filter((text) => text !== '');
  return {
    ...chart,
    series: [...listed.map(([text]) => text), ...(more > 0 ? [`${more} more series`] : [])],
    ...(points.length > 0 ? { points } : {}),
  };
}

/** `bar` with its direction: columns are bar charts that stand. */
function chartType(plot: XmlElement): string {
  const type = plot.name.replace(/Chart$/u, '');
  const direction = child(plot, 'barDir')?.attributes['val'];
  const grouping = child(plot, 'grouping')?.attributes['val'] ?? '';
  const word = direction === 'col' ? type.replace('bar', 'column') : type;
  return /stacked/iu.test(grouping)
    ? `${grouping === 'percentStacked' ? 'percent stacked' : 'stacked'} ${word}`
    : word;
}

function titleText(title: XmlElement | undefined): string {
  if (!title) return '';
  const rich = descendants(title, 't').map(textOf).join('');
  return (rich || descendants(title, 'v').map(textOf).join(' ')).trim();
}

/** `name: categories -> values`, each by its cached words or its reference. */
function seriesText(series: XmlElement): string {
  const name = seriesName(series);
  const categories = reference(child(series, 'cat') ?? child(series, 'xVal'));
  const values = reference(child(series, 'val') ?? child(series, 'yVal'));
  const sizes = reference(child(series, 'bubbleSize'));
  return `${name}: ${categories === '' ? '' : `${categories} -> `}${values}${sizes === '' ? '' : `, sizes ${sizes}`}`;
}

function seriesName(series: XmlElement): string {
  const name = child(series, 'tx');
  if (!name) return 'series';
  return descendants(name, 'v').map(textOf).join(' ') || reference(name) || 'series';
}

function reference(element: XmlElement | undefined): string {
  return element ? descendants(element, 'f').map(textOf).join(',') : '';
}

/**
 * Cached points with their categories; empty where the writer kept none.
 *
 * @param plot the series' plot, where values are wanted as they are shown too
 */
function pointsText(series: XmlElement, plot?: XmlElement): string {
  const categories = cache(child(series, 'cat') ?? child(series, 'xVal'));
  const values = cache(child(series, 'val') ?? child(series, 'yVal'));
  if (values.size === 0) return '';
  const shownOf = plot ? shownValues(plot, series, [...values.values()]) : () => undefined;
  const listed = [...values].slice(0, MAX_POINTS).map(([index, value]) => {
    const category = categories.get(index);
    const shown = shownOf(value);
    const words = shown === undefined ? value : `${value} (${shown})`;
    return category === undefined ? words : `${category} = ${words}`;
  });
  const more = values.size - listed.length;
  return `${seriesName(series)}: ${listed.join('; ')}${more > 0 ? `; ${more} more points` : ''}`;
}

/** Points by their number; of categories on several levels, the innermost. */
function cache(element: XmlElement | undefined): Map<string, string> {
  const points = new Map<string, string>();
  if (!element) return points;
  const level = descendants(element, 'lvl')[0] ?? element;
  const [format] = descendants(element, 'formatCode').map(textOf);
  for (const point of descendants(level, 'pt')) {
    const text = textOf(child(point, 'v')).trim();
    points.set(point.attributes['idx'] ?? '', format === undefined ? text : dateText(text, format));
  }
  return points;
}

/** Dates are kept as numbers of days; other numbers stay as exact as they are. */
function dateText(text: string, format: string): string {
  const number = Number(text);
  return text !== '' && Number.isFinite(number) && isDateFormat(format)
    ? shownText(number, format)
    : text;
}

/** Waterfall, sunburst, histogram and the like: data stands apart from the series, under the same number. */
function extendedChart(root: XmlElement, fallbackTitle: string): ChartFact {
  const series = descendants(root, 'series');
  const types = [...new Set(series.map(({ attributes }) => attributes['layoutId'] ?? 'unknown'))];
  const data = new Map(
    descendants(root, 'data').map((each) => [each.attributes['id'] ?? '', each]),
  );
  const described = series.map((each): [string, string] => {
    const source = data.get(child(each, 'dataId')?.attributes['val'] ?? '');
    const texts = source ? elements(source, 'strDim') : [];
    const numbers = source ? elements(source, 'numDim') : [];
    const name = extendedName(each);
    const [from, to] = [texts, numbers].map((list) =>
      list.map(reference).filter(Boolean).join(','),
    );
    const categories = texts.flatMap((each) => descendants(each, 'pt').map(textOf));
    const values = numbers.flatMap((each) => descendants(each, 'pt').map(textOf));
    const points = values
      .slice(0, MAX_POINTS)
      .map((value, at) => (categories[at] === undefined ? value : `${categories[at]} = ${value}`));
    return [
      `${name}: ${from ? `${from} -> ` : ''}${to ?? ''}`,
      points.length > 0 ? `${name}: ${points.join('; ')}` : '',
    ];
  });
  return withSeries({ type: types.join(' + ') || 'unknown', title: fallbackTitle }, described);
}

function extendedName(series: XmlElement): string {
  const name = child(series, 'tx');
  if (!name) return 'series';
  return (
    descendants(name, 'v').map(textOf).join(' ') || reference(name) || textOf(name) || 'series'
  );
}
