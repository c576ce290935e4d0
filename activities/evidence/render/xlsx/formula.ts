import {
  type CellRange,
  LAST_COLUMN,
  LAST_ROW,
  columnName,
  columnNumber,
  parseRange,
} from '../../../../core/cell-range';

/** Strings, quoted sheet names and bracketed names stay as they are; the last alternative is a reference or a name. */
const TOKENS =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|\[[^\]]*\]|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}(?![\w.(])|\$?\d+:\$?\d+|[\p{L}_\\$][\p{L}\p{N}_.$\\]*[(!]?/gu;
const CELL = /^(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})$/u;
const COLUMNS = /^(\$?)([A-Za-z]{1,3}):(\$?)([A-Za-z]{1,3})$/u;
const ROWS = /^(\$?)(\d{1,7}):(\$?)(\d{1,7})$/u;

/**
 * The formula of a cell that shares another's: relative references move by the distance between the two.
 * A reference that leaves the sheet becomes `#REF!`, as in Excel.
 */
export function moveFormula(formula: string, byRows: number, byColumns: number): string {
  const row = (fixed: string, text: string): string | undefined => {
    const moved = Number(text) + (fixed === '$' ? 0 : byRows);
    return moved < 1 || moved > LAST_ROW ? undefined : `${fixed}${moved}`;
  };
  const column = (fixed: string, text: string): string | undefined => {
    if (fixed === '$') return `$${text}`;
    const moved = columnNumber(text.toUpperCase()) + byColumns;
    return moved < 1 || moved > LAST_COLUMN ? undefined : columnName(moved);
  };
  const ends = (match: RegExpExecArray, move: typeof row): string =>
    joined([move(match[1] ?? '', match[2] ?? ''), move(match[3] ?? '', match[4] ?? '')], ':');
  return formula.replace(TOKENS, (token) => {
    const cell = CELL.exec(token);
    if (cell) {
      const [, fixedColumn = '', letters = '', fixedRow = '', digits = ''] = cell;
      if (columnNumber(letters.toUpperCase()) > LAST_COLUMN) return token;
      return joined([column(fixedColumn, letters), row(fixedRow, digits)], '');
    }
    const columns = COLUMNS.exec(token);
    if (columns) return ends(columns, column);
    const rows = ROWS.exec(token);
    return rows ? ends(rows, row) : token;
  });
}

function joined(parts: readonly (string | undefined)[], separator: string): string {
  return parts.includes(undefined) ? '#REF!' : parts.join(separator);
}

/** What a formula reads, as far as plain references show it; `sheet` is absent for the formula's own sheet. */
export interface FormulaReference {
  readonly sheet?: string;
  readonly range: CellRange;
}

const REFERENCES =
  /"(?:[^"]|"")*"|(?:'((?:[^']|'')+)'!|([\p{L}\p{N}_.]+)!)?(\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}\$?\d{1,7})?|\$?[A-Za-z]{1,3}:\$?[A-Za-z]{1,3}|\$?\d+:\$?\d+)(?![\p{L}\p{N}_.(!])/gu;

export function referencesOf(formula: string): FormulaReference[] {
  const references: FormulaReference[] = [];
  for (const [, quoted, plain, reference] of formula.matchAll(REFERENCES)) {
    const range = reference === undefined ? undefined : parseRange(reference);
    if (!range) continue;
    const sheet = quoted?.replaceAll("''", "'") ?? plain;
    references.push(sheet === undefined ? { range } : { sheet, range });
  }
  return references;
}

const VOLATILE = /\b(?:NOW|TODAY|RAND|RANDBETWEEN|RANDARRAY|OFFSET|INDIRECT|CELL|INFO)\s*\(/iu;

/** True where programs calculate the value anew each time: it depends on the moment, or may. */
export function isVolatile(formula: string): boolean {
  return VOLATILE.test(formula) && VOLATILE.test(withoutStrings(formula));
}

/** Names and structured references that a formula may read: whatever is no function, cell or sheet. */
export function namesIn(formula: string): string[] {
  const names = withoutStrings(formula).matchAll(
    /(?<![\p{L}\p{N}_.$'!\]])([\p{L}_\\][\p{L}\p{N}_.\\]*)(?![\p{L}\p{N}_.(!'])/gu,
  );
  return [...new Set([...names].flatMap(([, name]) => (name === undefined ? [] : [name])))];
}

function withoutStrings(formula: string): string {
  return formula.includes('"') ? formula.replace(/"(?:[^"]|"")*"/gu, '""') : formula;
}

/** As a reader sees it: files mark newer functions with prefixes. */
export function plainFormula(formula: string): string {
  return formula.includes('_xl') ? formula.replace(/_xl(?:fn|ws|pm|udf)\./gu, '') : formula;
}

/** The formula with each relative reference as a distance: equal for formulas that were dragged. */
export function relativeFormula(formula: string, row: number, column: number): string {
  return formula.replace(TOKENS, (token) => {
    const cell = CELL.exec(token);
    if (!cell) return token;
    const [, fixedColumn = '', letters = '', fixedRow = '', digits = ''] = cell;
    const across = columnNumber(letters.toUpperCase());
    const down = Number(digits);
    return `R${fixedRow === '$' ? down : `[${down - row}]`}C${fixedColumn === '$' ? across : `[${across - column}]`}`;
  });
}
