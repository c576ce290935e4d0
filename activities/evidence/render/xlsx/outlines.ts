import { columnName } from '../../../../core/cell-range';
import { MAX_LISTED } from './bounded-list';

/** Rows or columns that follow each other and can be folded. */
interface Group {
  readonly from: number;
  to: number;
  levels: number;
}

/** Groups named of rows, and of columns. */
const MAX_NAMED = 20;

/** Rows and columns that a reader can fold away. */
export class Outlines {
  private readonly rows: Group[] = [];
  private readonly columns: Group[] = [];

  addRow(row: number, level: string | undefined): void {
    add(this.rows, row, row, Number(level ?? 0));
  }

  addColumns(from: number, to: number, level: string | undefined): void {
    add(this.columns, from, to, Number(level ?? 0));
  }

  /** `grouped rows 5:9 (2 levels)`. */
  get words(): string[] {
    return [...words('rows', this.rows, String), ...words('columns', this.columns, columnName)];
  }
}

function add(groups: Group[], from: number, to: number, level: number): void {
  if (!(level >= 1)) return;
  const last = groups.at(-1);
  if (last?.to === from - 1) {
    last.to = to;
    last.levels = Math.max(last.levels, level);
  } else if (groups.length < MAX_LISTED) groups.push({ from, to, levels: level });
}

function words(name: string, groups: readonly Group[], print: (at: number) => string): string[] {
  if (groups.length === 0) return [];
  const named = groups
    .slice(0, MAX_NAMED)
    .map(
      ({ from, to, levels }) =>
        `${print(from)}:${print(to)}${levels > 1 ? ` (${levels} levels)` : ''}`,
    );
  const more = groups.length - named.length;
  return [`grouped ${name} ${named.join(' ')}${more > 0 ? ` and ${more} more` : ''}`];
}
