import { formatUsd } from '../core/money';
import { plural } from '../core/plural';
import { type LaneProgress, type SweepProgress } from './messages';

/** The Temporal UI sets the columns of a table side by side without a gap. */
const GAP = '\u00a0\u00a0';

/** A small Markdown table for the Temporal UI. Cells are made safe: pipes and line ends would break the table. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => cell(text) + GAP).join(' | ')} |`;
  return [line(header), `| ${header.map(() => '---').join(' | ')} |`, ...rows.map(line)].join('\n');
}

/** One fact a row: the pane is narrow, and a wide table is cut at its right edge. */
export function factTable(facts: Readonly<Record<string, string>>): string {
  return markdownTable(['', ''], Object.entries(facts));
}

function cell(text: string): string {
  return text
    .replace(/[\r\n]+/gu, ' ')
    .replace(/[|<>`[\]]/gu, ' ')
    .slice(0, 300);
}

const ALWAYS_SHOWN = ['scored', 'running', 'waiting'] as const;
/** Shown where there are any. */
const SHOWN_IF_ANY = ['incomplete', 'failed', 'cancelled', 'notSelected'] as const;
type Count = (typeof ALWAYS_SHOWN | typeof SHOWN_IF_ANY)[number];

export function laneDetails(lane: LaneProgress): string {
  const why = blocked(lane);
  const counts = countsOf([lane]).map((count) => [
    capitalised(wordFor(count)),
    String(lane[count]),
  ]);
  return factTable({
    ...(why !== undefined && { 'Blocked by': why }),
    Planned: String(lane.planned),
    ...(Object.fromEntries(counts) as Record<string, string>),
    Cost: formatUsd(lane.costMicroUsd),
    Window: plural(lane.window, 'open run'),
    ...(lane.lastFailure !== undefined && { 'Last failure': lane.lastFailure }),
    ...(lane.endedLane !== undefined && { Ended: lane.endedLane }),
  });
}

/** Reasons stand below the table: beside the counts they would push them out of sight. */
export function sweepDetails(sweep: SweepProgress): string {
  const { lanes } = sweep;
  const counts = countsOf(lanes);
  return [
    headline(sweep),
    '',
    markdownTable(
      ['lane', 'planned', ...counts.map(wordFor), 'cost'],
      lanes.map((lane) => [
        lane.lane,
        String(lane.planned),
        ...counts.map((count) => String(lane[count])),
        formatUsd(lane.costMicroUsd),
      ]),
    ),
    ...lanes.flatMap((lane) =>
      [remark(lane, '', blocked(lane)), remark(lane, 'last failure: ', lane.lastFailure)].flat(),
    ),
    '',
    'Lanes tell their counts after 10 ends or 60 s; the page of a lane has its own as they are now.',
  ].join('\n');
}

function remark(lane: LaneProgress, what: string, why: string | undefined): string[] {
  return why === undefined ? [] : ['', `- ${cell(`${lane.lane}: ${what}${why}`)}`];
}

/** `**running**: 5 of 16 scored; $1.20 of $50.00` */
function headline({ state, reason, lanes, costMicroUsd, budgetMicroUsd }: SweepProgress): string {
  const total = (count: 'scored' | 'planned') => lanes.reduce((sum, lane) => sum + lane[count], 0);
  const budget = budgetMicroUsd === undefined ? '' : ` of ${formatUsd(budgetMicroUsd)}`;
  const why = reason === undefined ? '' : ` (${cell(reason)})`;
  const counts = `${total('scored')} of ${total('planned')} scored`;
  return `**${state}**${why}: ${counts}; ${formatUsd(costMicroUsd)}${budget}`;
}

function countsOf(lanes: readonly LaneProgress[]): Count[] {
  const any = SHOWN_IF_ANY.filter((count) => lanes.some((lane) => lane[count] > 0));
  return [...ALWAYS_SHOWN, ...any];
}

function wordFor(count: Count): string {
  return count === 'notSelected' ? 'not selected' : count;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function blocked(lane: LaneProgress): string | undefined {
  if (lane.holding !== undefined) return `holding ${lane.holding.runs}: ${lane.reason ?? ''}`;
  if (lane.blockedBy === undefined) return undefined;
  return lane.reason === undefined ? lane.blockedBy : `${lane.blockedBy}: ${lane.reason}`;
}
