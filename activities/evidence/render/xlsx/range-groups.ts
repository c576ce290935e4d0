import { type CellRange, cellName } from '../../../../core/cell-range';
import { type RangeGroup } from '../../../../core/workbook-facts';

/** Groups of a sheet, ranges of a group, and blocks over which they are gathered. */
const MAX_GROUPS = 80;
const MAX_RANGES = 40;
const MAX_BLOCKS = 20_000;

interface Block {
  readonly what: string;
  readonly fromRow: number;
  readonly fromColumn: number;
  toRow: number;
  toColumn: number;
}

/** Gathers cells that come row by row and share something into blocks, and these into groups. */
export class RangeGroups {
  /** Blocks that end in the row before, by their columns. */
  private above = new Map<string, Block>();
  private row: Block[] = [];
  private readonly blocks: Block[] = [];
  private beyond = 0;
  private run: Block | undefined;

  add(row: number, column: number, what: string): void {
    const { run } = this;
    if (run?.toRow === row && run.toColumn === column - 1 && run.what === what) {
      run.toColumn = column;
      return;
    }
    if (run?.toRow !== row) this.endRow();
    this.run = { what, fromRow: row, fromColumn: column, toRow: row, toColumn: column };
    this.row.push(this.run);
  }

  /**
   * Groups in the order of their first cells.
   *
   * @param isCovered cells under merged ones: blocks of them alone are left out
   */
  end(isCovered: (row: number, column: number) => boolean = () => false): RangeGroup[] {
    this.endRow();
    this.run = undefined;
    const groups = new Map<string, Block[]>();
    for (const block of this.blocks) {
      if (isCovered(block.fromRow, block.fromColumn) && isCovered(block.toRow, block.toColumn))
        continue;
      const list = groups.get(block.what) ?? [];
      if (list.push(block) === 1) groups.set(block.what, list);
    }
    const listed = [...groups].slice(0, MAX_GROUPS).map(([what, blocks]) => ({
      what,
      ranges: rangesText(blocks),
    }));
    const left = groups.size - listed.length;
    return left + this.beyond === 0
      ? listed
      : [...listed, { what: 'and more of the kind', ranges: '' }];
  }

  private endRow(): void {
    const above = this.above;
    this.above = new Map();
    for (const each of this.row) {
      const key = `${each.fromColumn} ${each.toColumn} ${each.what}`;
      const before = above.get(key);
      if (before?.toRow === each.fromRow - 1) {
        before.toRow = each.toRow;
        this.above.set(key, before);
      } else {
        if (this.blocks.length < MAX_BLOCKS) this.blocks.push(each);
        else this.beyond++;
        this.above.set(key, each);
      }
    }
    this.row = [];
  }
}

function rangesText(blocks: readonly CellRange[]): string {
  const listed = blocks.slice(0, MAX_RANGES).map(({ fromRow, fromColumn, toRow, toColumn }) => {
    const [from, to] = [cellName(fromRow, fromColumn), cellName(toRow, toColumn)];
    return from === to ? from : `${from}:${to}`;
  });
  const more = blocks.length - listed.length;
  return `${listed.join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
}
