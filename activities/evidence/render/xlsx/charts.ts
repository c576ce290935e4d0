import { type OfficePackage } from '../package';
import { relationshipsOf } from '../relationships';
import { type XmlElement, child, descendants, elements, parseXml, textOf } from '../xml';

export interface ChartFact {
  readonly type: string;
  readonly title: string;
  readonly series: readonly string[];
}

export interface DrawingFacts {
  readonly charts: ChartFact[];
  readonly images: number;
  /** Texts of shapes and text boxes. */
  readonly texts: string[];
}

/** Charts, pictures and shape texts of a drawing part, in document order. */
export async function readDrawing(parts: OfficePackage, part: string): Promise<DrawingFacts> {
  const root = parseXml(part, await parts.read(part));
  const targets = new Map(
    (await relationshipsOf(parts, part)).map((relation) => [relation.id, relation.target]),
  );
  const charts: ChartFact[] = [];
  // An extended chart stands in the first choice of an AlternateContent; its fallback is a plain shape.
  for (const reference of descendants(root, 'chart')) {
    const target = targets.get(reference.attributes['r:id'] ?? '');
    if (target !== undefined && parts.has(target)) charts.push(await readChart(parts, target));
  }
  return {
    charts,
    images: descendants(root, 'pic').length,
    texts: descendants(root, 'sp')
      .map((shape) => paragraphs(child(shape, 'txBody')))
      .filter((text) => text !== ''),
  };
}

function paragraphs(body: XmlElement | undefined): string {
  if (!body) return '';
  return elements(body, 'p')
    .map((paragraph) => descendants(paragraph, 't').map(textOf).join(''))
    .join('\n')
    .trim();
}

export async function readChart(parts: OfficePackage, part: string): Promise<ChartFact> {
  const root = parseXml(part, await parts.read(part));
  const chart = child(root, 'chart');
  const area = child(chart, 'plotArea');
  const title = titleText(chart && child(chart, 'title'));
  const plots = area ? elements(area).filter((each) => each.name.endsWith('Chart')) : [];
  if (plots.length === 0) {
    const series = descendants(root, 'series');
    const layout = series[0]?.attributes['layoutId'];
    return {
      type: layout ?? 'unknown',
      title,
      series: series.map((each) => textOf(child(each, 'tx'))),
    };
  }
  return {
    type: plots.map(chartType).join(' + '),
    title,
    series: plots.flatMap((plot) => elements(plot, 'ser')).map(seriesText),
  };
}

/** `bar` with its direction: columns are bar charts that stand. */
function chartType(plot: XmlElement): string {
  const type = plot.name.replace(/Chart$/u, '');
  const direction = child(plot, 'barDir')?.attributes['val'];
  return direction === 'col' ? type.replace('bar', 'column') : type;
}

function titleText(title: XmlElement | undefined): string {
  if (!title) return '';
  const rich = descendants(title, 't').map(textOf).join('');
  return (rich || descendants(title, 'v').map(textOf).join(' ')).trim();
}

/** `name: categories -> values`, each by its cached words or its reference. */
function seriesText(series: XmlElement): string {
  const name = child(series, 'tx');
  const label = name ? descendants(name, 'v').map(textOf).join(' ') || reference(name) : '';
  const categories = reference(child(series, 'cat') ?? child(series, 'xVal'));
  const values = reference(child(series, 'val') ?? child(series, 'yVal'));
  return `${label === '' ? 'series' : label}: ${categories === '' ? '' : `${categories} -> `}${values}`;
}

function reference(element: XmlElement | undefined): string {
  return element ? descendants(element, 'f').map(textOf).join(',') : '';
}
