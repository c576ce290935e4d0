import { type XmlElement, child, descendants, textOf } from './xml';
import { shownText } from './xlsx/number-format';

/** How a chart's labels write the values of one series; gives nothing where that is the value itself. */
export type ShownValue = (value: string) => string | undefined;

/**
 * Values as labels show them: in the labels' number format, else in that of the cells; shares of a pie in percent.
 *
 * @param values the series' values as the file keeps them
 */
export function shownValues(
  plot: XmlElement,
  series: XmlElement,
  values: readonly string[],
): ShownValue {
  const labels = [child(series, 'dLbls'), child(plot, 'dLbls')];
  const isOn = (name: string): boolean =>
    labels.some((each) => /^(?:1|true)$/u.test(child(each, name)?.attributes['val'] ?? ''));
  if (isOn('showPercent') && /^(?:pie|pie3D|doughnut|ofPie)Chart$/u.test(plot.name)) {
    const sum = values.reduce((total, value) => total + Number(value), 0);
    return (value) => (sum > 0 ? `${Math.round((Number(value) / sum) * 100)}%` : undefined);
  }
  const format = labels.map(ownFormat).find((each) => each !== undefined) ?? cellFormat(series);
  if (format === undefined || format === 'General') return () => undefined;
  return (value) => {
    const number = Number(value);
    if (value === '' || !Number.isFinite(number)) return undefined;
    const shown = shownText(number, format);
    return shown === value ? undefined : shown;
  };
}

function ownFormat(labels: XmlElement | undefined): string | undefined {
  const format = child(labels, 'numFmt')?.attributes;
  return /^(?:1|true)$/u.test(format?.['sourceLinked'] ?? '0') ? undefined : format?.['formatCode'];
}

function cellFormat(series: XmlElement): string | undefined {
  const values = child(series, 'val') ?? child(series, 'yVal');
  return values && descendants(values, 'formatCode').map(textOf)[0];
}
