import { scoreOf } from '../score';
import { DOMAINS, type Domain } from '../task';
import { type CoverageState } from '../statistics/coverage';
import { type ReportItem, type ReportRun } from './report-run';
import { fromCsvCell, type OPTIONAL_TIDY_COLUMNS, type TidyColumn } from './tidy';

type OptionalColumn = (typeof OPTIONAL_TIDY_COLUMNS)[number];
export type TidyRow = Readonly<
  Record<Exclude<TidyColumn, OptionalColumn>, string> & Partial<Record<OptionalColumn, string>>
>;

const STATES: readonly string[] = ['scored', 'incomplete', 'failed', 'missing'];

/** A row that cannot be used; `line` is that of the file, the header being line 1. */
export class TidyError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

interface TidyRun {
  readonly row: TidyRow;
  readonly line: number;
  readonly items: ReportItem[];
}

/** Gathers rows of the tidy table into runs. Rows of one run may stand anywhere. */
export class TidyReader {
  readonly sweeps = new Set<string>();
  private readonly runs = new Map<string, TidyRun>();
  /** First row of each lane: what is said of a lane must hold for all of it. */
  private readonly lanes = new Map<string, { readonly row: TidyRow; readonly line: number }>();

  /** Throws a TidyError naming the column and what it may hold, or what to change. */
  add(cells: TidyRow, line: number): void {
    const row = asWritten(cells);
    const fault = cellFault(row) ?? this.laneFault(row, line) ?? this.runFault(row);
    if (fault !== undefined) throw new TidyError(line, fault);
    this.sweeps.add(row.sweep);
    const run = this.runs.get(runIdOf(row)) ?? { row, line, items: [] };
    run.items.push({
      id: row.item,
      weight: Number(row.weight),
      level: row.level === '' ? undefined : row.level,
      dimension: row.dimension,
      met: row.met === '' ? undefined : row.met === '1',
      decidedByCheck: stated(row.decided_by) === undefined ? undefined : row.decided_by === 'check',
    });
    this.runs.set(runIdOf(row), run);
  }

  /** A lane with two origins would hide one of them behind the other. */
  private laneFault(row: TidyRow, line: number): string | undefined {
    const lane = laneOf(row);
    const known = this.lanes.get(lane);
    if (known === undefined) {
      this.lanes.set(lane, { row, line });
      return undefined;
    }
    for (const column of ['provider', 'judge_provider'] as const) {
      const [first, now] = [known.row[column] ?? '', row[column] ?? ''];
      if (first !== now)
        return (
          `${lane} has the ${column} "${now}" here and "${first}" in line ${known.line}: ` +
          'give one of the two lanes another name in the column model'
        );
    }
    return undefined;
  }

  private runFault(row: TidyRow): string | undefined {
    const id = runIdOf(row);
    const known = this.runs.get(id);
    if (known === undefined) return undefined;
    if (known.row.sweep !== row.sweep)
      return (
        `${id} is a run of sweep ${known.row.sweep} (line ${known.line}) and of sweep ${row.sweep}: two sweeps with ` +
        `a lane of one name; rename it in one of them, such as ${row.model} to ${row.model}-${row.sweep} in the ` +
        'column model'
      );
    if (known.items.some((item) => item.id === row.item))
      return `${id} has the item ${row.item} twice: leave one of the rows out`;
    if (known.row.run_state !== row.run_state)
      return `${id} is ${row.run_state} here and ${known.row.run_state} in line ${known.line}`;
    return undefined;
  }

  *results(): Iterable<ReportRun> {
    for (const { row, items } of this.runs.values()) yield toRun(row, items);
  }

  get count(): number {
    return this.runs.size;
  }

  /** The largest repetition of any run. */
  get repetitions(): number {
    let largest = 1;
    for (const { row } of this.runs.values()) largest = Math.max(largest, Number(row.repetition));
    return largest;
  }
}

/** What the cells of a row said before they were made safe for spreadsheets. */
function asWritten(cells: TidyRow): TidyRow {
  const texts = Object.entries(cells).map(([column, cell]) => [column, fromCsvCell(cell)]);
  return Object.fromEntries(texts) as TidyRow;
}

/** The first cell of a row that cannot be used. */
function cellFault(row: TidyRow): string | undefined {
  if (!(DOMAINS as readonly string[]).includes(row.domain))
    return `domain is "${row.domain}", not one of ${DOMAINS.join(', ')}`;
  if (!STATES.includes(row.run_state))
    return `run_state is "${row.run_state}", not one of ${STATES.join(', ')}`;
  if (!/^[1-9]\d*$/u.test(row.repetition))
    return `repetition is "${row.repetition}", not a number from 1`;
  const weight = Number(row.weight);
  if (!(weight > 0) || !Number.isFinite(weight))
    return `weight is "${row.weight}", not a number above 0`;
  if (!['1', '0', ''].includes(row.met)) return `met is "${row.met}", not 1, 0 or empty`;
  if (!['check', 'judge', ''].includes(row.decided_by ?? ''))
    return `decided_by is "${row.decided_by ?? ''}", not check, judge or empty`;
  if (row.run_state === 'scored' && row.met === '')
    return 'a scored run has a verdict on every item, but met is empty';
  return undefined;
}

function laneOf({ model, harness }: TidyRow): string {
  return `${model}@${harness}`;
}

function runIdOf(row: TidyRow): string {
  return `${laneOf(row)}/${row.task}/r${row.repetition}`;
}

/** The cell of a column that may be absent. */
function stated(cell: string | undefined): string | undefined {
  return cell === '' ? undefined : cell;
}

function toRun(row: TidyRow, items: readonly ReportItem[]): ReportRun {
  const scored = row.run_state === 'scored';
  const score = scored
    ? scoreOf(items.map(({ weight, met }) => ({ weight, outcome: met === true ? 'met' : 'unmet' })))
    : undefined;
  const list = (text: string): string[] => text.split(';').filter((part) => part !== '');
  return {
    model: row.model,
    harness: row.harness,
    provider: stated(row.provider),
    judgeProvider: stated(row.judge_provider),
    task: row.task,
    domain: row.domain as Domain,
    repetition: Number(row.repetition),
    state: row.run_state as CoverageState,
    score: score?.score,
    success: score?.success,
    items,
    stopReason: row.stop_reason === '' ? undefined : row.stop_reason,
    requiredFormats: list(row.required_formats),
    deliveredFormats: list(row.delivered_formats),
    cost: undefined,
    replacedScore: undefined,
  };
}
