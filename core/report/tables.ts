import { ownEntry } from '../own-entry';
import { formatUsd } from '../money';
import { percentText } from '../percent-text';
import { providerMark } from '../provider-mark';
import {
  type Bounds,
  type Comparison,
  type Headline,
  type LaneReport,
  type Report,
  type TaskScores,
} from './report';

/** A table ready to be drawn: in a terminal, as Markdown. The first column is text, the others are figures. */
export interface ReportTable {
  readonly title: string;
  /** What a reader must know of this table. */
  readonly note?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The same rows, with less in the first column of each, where the width does not suffice. */
  readonly narrowRows?: readonly (readonly string[])[];
}

const NONE = '-';

/** All tables of a report; tables with nothing to say are left out. */
export function reportTables(report: Report): ReportTable[] {
  const tables = [
    headlineTable(report),
    taskTable(report),
    withDomainNote(
      report,
      groupTable('Mean score by domain', report, (lane) => mapValues(lane.byDomain, meanText)),
    ),
    withDomainNote(
      report,
      groupTable('Success rate by domain', report, (lane) => mapValues(lane.byDomain, successText)),
    ),
    groupTable('Items met by importance level', report, (lane) =>
      mapValues(lane.byLevel, (share) => shareText(share.items)),
    ),
    groupTable('Weight met by dimension', report, (lane) =>
      mapValues(lane.byDimension, (share) => shareText(share.weighted)),
    ),
    detailTable(report),
    costTable(report),
    comparisonTable(report),
    spreadTable(report),
  ];
  return tables.filter((table) => table !== undefined);
}

/** `replay-strong@nanobot (replayed)`: a result that no model gave is never shown without its mark. */
export function laneLabel(lane: Pick<LaneReport, 'lane' | 'provider'>): string {
  return `${lane.lane}${providerMark(lane.provider)}`;
}

function headlineTable(report: Report): ReportTable {
  const repeated = report.lanes.find((lane) => lane.repeated !== undefined)?.repeated;
  const k = repeated?.k;
  return {
    title: 'Results',
    columns: [
      'Lane',
      'Scored',
      'Mean score %',
      'Success %',
      'Success % of planned',
      ...(k === undefined ? [] : [`All ${k} succeed %`, `Best of ${k} succeeds %`]),
    ],
    rows: report.lanes.map((lane) => [
      laneLabel(lane),
      `${lane.coverage.scored}/${lane.coverage.planned}`,
      meanText(lane),
      successText(lane),
      shareText(lane.successRateOfPlanned),
      ...(k === undefined
        ? []
        : [
            withBounds(lane.repeated?.allK, boundsOf(lane.repeated?.allKInterval)),
            withBounds(lane.repeated?.bestOfK, boundsOf(lane.repeated?.bestOfKInterval)),
          ]),
    ]),
  };
}

/** Tasks go down, since there are more of them than lanes. */
function taskTable(report: Report): ReportTable | undefined {
  const tasks = [...new Set(report.lanes.flatMap((lane) => Object.keys(lane.byTask)))];
  if (tasks.length === 0) return undefined;
  const isRepeated = report.lanes.some((lane) =>
    Object.values(lane.byTask).some(({ scores }) => scores.length > 1),
  );
  return {
    title: 'Mean score by task',
    ...(isRepeated && { note: 'In parentheses: the score of each repetition.' }),
    columns: ['Task', ...report.lanes.map(laneLabel)],
    rows: tasks.map((task) => [
      task,
      ...report.lanes.map((lane) => taskText(ownEntry(lane.byTask, task))),
    ]),
  };
}

function taskText(task: TaskScores | undefined): string {
  if (task === undefined) return NONE;
  const mean = scoreText(task.meanScore);
  if (task.scores.length < 2) return mean;
  return `${mean} (${task.scores.map(scoreText).join(', ')})`;
}

/** One task is one observation. */
function withDomainNote(report: Report, table: ReportTable | undefined): ReportTable | undefined {
  const single = new Set(
    report.lanes.flatMap((lane) =>
      Object.entries(lane.byDomain).flatMap(([domain, { tasks }]) => (tasks === 1 ? [domain] : [])),
    ),
  );
  if (table === undefined || single.size === 0) return table;
  const note = `A domain with one task says little and has no interval: ${[...single].join(', ')}.`;
  return { ...table, note };
}

function groupTable(
  title: string,
  report: Report,
  cells: (lane: LaneReport) => Readonly<Record<string, string>>,
): ReportTable | undefined {
  const rows = report.lanes.map((lane) => ({ lane, values: cells(lane) }));
  const groups = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  if (groups.length === 0) return undefined;
  return {
    title,
    columns: ['Lane', ...groups],
    rows: rows.map(({ lane, values }) => [
      laneLabel(lane),
      ...groups.map((group) => ownEntry(values, group) ?? NONE),
    ]),
  };
}

function detailTable(report: Report): ReportTable {
  return {
    title: 'Runs in detail',
    columns: [
      'Lane',
      'Incomplete',
      'Failed',
      'Missing',
      'Required formats %',
      'Weight by checks %',
      'Done again',
      'How agents ended',
    ],
    rows: report.lanes.map((lane) => [
      laneLabel(lane),
      String(lane.coverage.incomplete),
      String(lane.coverage.failed),
      String(lane.coverage.missing),
      shareText(lane.formatCompliance?.rate),
      shareText(lane.weightDecidedByChecks),
      redoneText(lane),
      Object.entries(lane.stopReasons)
        .map(([reason, count]) => `${reason} ${count}`)
        .join(', ') || NONE,
    ]),
  };
}

function redoneText(lane: LaneReport): string {
  if (lane.redone === undefined) return NONE;
  const { runs, meanScoreOfFirst } = lane.redone;
  if (lane.meanScore === undefined || meanScoreOfFirst === undefined) return String(runs);
  const moved = lane.meanScore - meanScoreOfFirst;
  return `${runs} (mean ${moved >= 0 ? '+' : ''}${moved.toFixed(2)})`;
}

function costTable(report: Report): ReportTable | undefined {
  if (report.lanes.every((lane) => lane.cost === undefined)) return undefined;
  return {
    title: 'Cost',
    columns: ['Lane', 'Agent', 'Judge', 'Failed attempts', 'Total'],
    rows: report.lanes.map((lane) => [
      laneLabel(lane),
      formatUsd(lane.cost?.agentMicroUsd),
      formatUsd(lane.cost?.judgeMicroUsd),
      formatUsd(lane.cost?.failedAttemptsMicroUsd),
      `${lane.cost?.atLeast === true ? 'at least ' : ''}${formatUsd(lane.cost?.totalMicroUsd)}`,
    ]),
  };
}

function comparisonTable(report: Report): ReportTable | undefined {
  if (report.comparisons.length === 0) return undefined;
  const label = (id: string): string => {
    const lane = report.lanes.find((candidate) => candidate.lane === id);
    return lane === undefined ? id : laneLabel(lane);
  };
  return {
    title: 'Paired differences of mean scores, in points',
    columns: ['Lanes', 'Common tasks', 'Difference'],
    rows: report.comparisons.map((each) => [
      `${label(each.left)} - ${label(each.right)}`,
      ...differenceCells(each),
    ]),
    // A cut in the middle of the pair would hide which lane is subtracted.
    narrowRows: report.comparisons.flatMap((each) => [
      [label(each.left), '', ''],
      [`- ${label(each.right)}`, ...differenceCells(each)],
    ]),
  };
}

function differenceCells({ tasks, difference, interval }: Comparison): [string, string] {
  return [String(tasks), differenceText(difference, boundsOf(interval))];
}

function spreadTable(report: Report): ReportTable | undefined {
  if (report.harnessSpread.length === 0) return undefined;
  return {
    title: 'Spread over harnesses, in points',
    columns: ['Model', 'Spread', 'Mean scores'],
    rows: report.harnessSpread.map(({ model, spread, meanScoreByHarness }) => [
      model,
      spread.toFixed(2),
      Object.entries(meanScoreByHarness)
        .map(([harness, mean]) => `${harness} ${scoreText(mean)}`)
        .join(', '),
    ]),
  };
}

function meanText(headline: Headline): string {
  return withBounds(headline.meanScore, headline.meanScoreInterval);
}

function successText(headline: Headline): string {
  return withBounds(headline.successRate, headline.successRateInterval);
}

function boundsOf(
  interval: { readonly low: number; readonly high: number } | undefined,
): Bounds | undefined {
  return interval === undefined ? undefined : [interval.low, interval.high];
}

/** In points: no line means anything here. */
function differenceText(value: number, bounds: Bounds | undefined): string {
  const interval =
    bounds === undefined ? '' : ` [${bounds[0].toFixed(1)}, ${bounds[1].toFixed(1)}]`;
  return `${value.toFixed(2)}${interval}`;
}

/** Scores, means and rates alike. */
function withBounds(value: number | undefined, bounds: Bounds | undefined): string {
  if (value === undefined || bounds === undefined) return scoreText(value);
  return `${scoreText(value)} [${percentText(bounds[0], 1)}, ${percentText(bounds[1], 1)}]`;
}

function scoreText(percent: number | null | undefined): string {
  return percent === undefined || percent === null ? NONE : percentText(percent, 2);
}

function shareText(percent: number | undefined): string {
  return percent === undefined ? NONE : percentText(percent, 1);
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  print: (value: Value) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, print(value)]));
}
