import { scoreOf } from '../score';
import { DOMAINS, type Domain } from '../task';
import { type CoverageState } from '../statistics/coverage';
import { type ReportItem, type ReportRun } from './report-run';
import { type TidyColumn } from './tidy';

export type TidyRow = Readonly<Record<TidyColumn, string>>;

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

/** Gathers rows of the tidy table into runs. Rows of one run may stand anywhere. */
export class TidyReader {
  readonly sweeps = new Set<string>();
  private readonly runs = new Map<
    string,
    { readonly row: TidyRow; readonly items: ReportItem[] }
  >();

  /** Throws a TidyError naming the column and what it may hold. */
  add(row: TidyRow, line: number): void {
    const fail = (message: string): never => {
      throw new TidyError(line, message);
    };
    if (!(DOMAINS as readonly string[]).includes(row.domain))
      fail(`domain is "${row.domain}", not one of ${DOMAINS.join(', ')}`);
    if (!STATES.includes(row.run_state))
      fail(`run_state is "${row.run_state}", not one of ${STATES.join(', ')}`);
    if (!/^[1-9]\d*$/u.test(row.repetition))
      fail(`repetition is "${row.repetition}", not a number from 1`);
    const weight = Number(row.weight);
    if (!(weight > 0) || !Number.isFinite(weight))
      fail(`weight is "${row.weight}", not a number above 0`);
    if (!['1', '0', ''].includes(row.met)) fail(`met is "${row.met}", not 1, 0 or empty`);
    if (row.run_state === 'scored' && row.met === '')
      fail('a scored run has a verdict on every item, but met is empty');
    this.sweeps.add(row.sweep);
    const id = `${row.model}@${row.harness}/${row.task}/r${row.repetition}`;
    const known = this.runs.get(id) ?? { row, items: [] };
    if (known.items.some((item) => item.id === row.item))
      fail(`${id} has the item ${row.item} twice`);
    if (known.row.run_state !== row.run_state) fail(`${id} has two states`);
    known.items.push({
      id: row.item,
      weight,
      level: row.level === '' ? undefined : row.level,
      dimension: row.dimension,
      met: row.met === '' ? undefined : row.met === '1',
      decidedByCheck: false,
    });
    this.runs.set(id, known);
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

function toRun(row: TidyRow, items: readonly ReportItem[]): ReportRun {
  const scored = row.run_state === 'scored';
  const score = scored
    ? scoreOf(items.map(({ weight, met }) => ({ weight, outcome: met === true ? 'met' : 'unmet' })))
    : undefined;
  const list = (text: string): string[] => text.split(';').filter((part) => part !== '');
  return {
    model: row.model,
    harness: row.harness,
    provider: row.provider === '' ? undefined : row.provider,
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
