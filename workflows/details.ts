import { formatUsd } from '../core/money';
import { type LaneProgress, type SweepProgress } from './messages';

/** A small Markdown table for the Temporal UI. Cells are made safe: pipes and line ends would break the table. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text
    .replace(/[\r\n]+/gu, ' ')
    .replace(/[|<>`[\]]/gu, ' ')
    .slice(0, 300);
}

const COUNTS = [
  'planned',
  'waiting',
  'running',
  'scored',
  'incomplete',
  'failed',
  'cancelled',
  'notSelected',
] as const;

export function laneDetails(lane: LaneProgress): string {
  return markdownTable(
    [...COUNTS, 'cost', 'window', 'blocked by'],
    [[...counts(lane), formatUsd(lane.costMicroUsd), String(lane.window), blocked(lane)]],
  );
}

export function sweepDetails(sweep: SweepProgress): string {
  const rows = sweep.lanes.map((lane) => [
    lane.lane,
    ...counts(lane),
    formatUsd(lane.costMicroUsd),
    blocked(lane),
  ]);
  return [
    `**${sweep.state}**${sweep.reason === undefined ? '' : ` (${cell(sweep.reason)})`}`,
    '',
    markdownTable(['lane', ...COUNTS, 'cost', 'blocked by'], rows),
  ].join('\n');
}

function counts(lane: LaneProgress): string[] {
  return COUNTS.map((name) => String(lane[name]));
}

function blocked(lane: LaneProgress): string {
  if (lane.holding !== undefined) return `holding ${lane.holding.runs}: ${lane.reason ?? ''}`;
  if (lane.blockedBy === undefined) return '';
  return lane.reason === undefined ? lane.blockedBy : `${lane.blockedBy}: ${lane.reason}`;
}
