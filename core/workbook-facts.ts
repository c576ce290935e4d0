/** One cell. `value` is the raw stored value; `shown` the text under its number format. */
export interface CellFact {
  readonly ref: string;
  readonly value: string | number | boolean | null;
  readonly shown: string;
  readonly format?: string;
  readonly formula?: string;
  /** Value in the file for a formula cell; absent where the writer left none. */
  readonly cached?: string | number | boolean;
  readonly recalculated?: string | number | boolean;
  readonly error?: string;
  /**
   * `stale`: the stored value is not what the formula gives. `volatile`: depends on the moment of calculation, by
   * itself or through others, and is never called stale. `unseen`: see there. `constant-among-formulas`: a number
   * typed between cells of its column that share a formula. `unlocked`: may be edited on a protected sheet.
   * `calculated-on-opening`: the stored value is another, but the file has programs calculate when they open it: they
   * show the calculated one, and so does `shown`. `too-narrow`: a number that is shown as `###`, and `cut-off`: a text
   * that ends at its filled neighbour, both by an estimate of widths.
   */
  readonly flags?: readonly CellFlag[];
  /** Why a reader cannot see the cell: `white text`, `hidden row`, `format that shows nothing`, ... */
  readonly unseen?: string;
  /** What is not plain about its letters and its field: `bold, font FF0000, fill FFF2CC, centred`. */
  readonly look?: string;
  /** On the first cell of an array formula: what it fills. */
  readonly array?: { readonly range: string; readonly isDynamic: boolean };
  /** On the others: the cell with the formula. */
  readonly arrayOf?: string;
}

export type CellFlag =
  | 'stale'
  | 'volatile'
  | 'calculated-on-opening'
  | 'number-as-text'
  | 'unseen'
  | 'constant-among-formulas'
  | 'unlocked'
  | 'too-narrow'
  | 'cut-off';

export interface ChartFact {
  /** `column`, `line + area`, `waterfall`, ... */
  readonly type: string;
  readonly title: string;
  /** `name: categories -> values`, by reference. */
  readonly series: readonly string[];
  /** `name: category = value; ...` as the file keeps them, a text for each series. */
  readonly points?: readonly string[];
  /** Titles of axes. */
  readonly axes?: readonly string[];
  /** Scales, labels, legend, colours and lines: what else a reader sees of it. */
  readonly details?: readonly string[];
  readonly anchor?: string;
  /** Where its series stand; until the cells of its workbook are known. */
  readonly sources?: readonly ChartSource[];
}

/** One series of a chart by its references, and what the file itself keeps of it. */
export interface ChartSource {
  readonly name: string;
  readonly nameRef?: string;
  readonly categories?: string;
  readonly values?: string;
  readonly points: string;
}

/** Cells that share something, as ranges in reading order: `B4:B36 D2`. */
export interface RangeGroup {
  /** A look, a number format, or the formula of the first cell. */
  readonly what: string;
  readonly ranges: string;
}

export interface PivotFact {
  readonly name: string;
  readonly range: string;
  readonly source: string;
  readonly fields: readonly string[];
  readonly rows?: readonly string[];
  readonly columns?: readonly string[];
  readonly filters?: readonly string[];
  /** `Sum of Sales (sum)`. */
  readonly values?: readonly string[];
}

/** A picture, shape or other thing that lies over the cells. */
export interface DrawnFact {
  readonly name: string;
  /** `B2:D9`, or a position where it is bound to no cell. */
  readonly anchor: string;
  /** Words in a shape. */
  readonly text?: string;
  readonly alternativeText?: string;
  /** Why a reader cannot see it. */
  readonly unseen?: string;
}

/** A box of buttons, or a time line, that filters a table or pivot tables. */
export interface SlicerFact {
  readonly kind: 'slicer' | 'timeline';
  readonly name: string;
  readonly caption: string;
  /** `column Region of table Sales`, `field Region of pivot table Totals`. */
  readonly source: string;
  /** What it lets through; absent: everything. */
  readonly selected?: readonly string[];
  readonly anchor?: string;
}

/** A check box, list, button or the like on a sheet. */
export interface ControlFact {
  /** `check box`, `drop-down list`, `ActiveX control`, ... */
  readonly type: string;
  readonly name: string;
  readonly text?: string;
  readonly anchor?: string;
  /** `checked`, `linked cell $A$1`, `list $B$1:$B$5`, ... */
  readonly details: readonly string[];
}

/** An object of another program on a sheet. */
export interface EmbeddedFact {
  /** `Word.Document.12`. */
  readonly program: string;
  /** Its part, what that is, its size and digest, and where it is read. */
  readonly file: string;
  readonly anchor?: string;
}

export interface SheetFact {
  readonly name: string;
  readonly state: 'visible' | 'hidden' | 'veryHidden';
  /** `A1:F20`, from the cells that exist; empty for an empty sheet. */
  readonly usedRange: string;
  readonly cellCount: number;
  readonly formulaCount: number;
  readonly errorCount: number;
  readonly merged: readonly string[];
  readonly freezePane?: string;
  /** Range of the filter and what it filters by. */
  readonly autoFilter?: string;
  readonly filterCriteria?: readonly string[];
  readonly hiddenRows: readonly number[];
  readonly hiddenColumns: readonly string[];
  readonly tables: readonly {
    readonly name: string;
    readonly range: string;
    readonly columns?: readonly string[];
    readonly hasTotals?: boolean;
    /** Its style's name, which gives it colours that no cell has: `TableStyleMedium9, banded rows`. */
    readonly style?: string;
  }[];
  readonly pivots?: readonly PivotFact[];
  readonly charts: readonly ChartFact[];
  readonly comments: readonly {
    readonly ref: string;
    readonly author: string;
    readonly text: string;
    /** Of a threaded one: the cell's thread has it as an answer, or is resolved. */
    readonly note?: string;
  }[];
  readonly validations: readonly { readonly range: string; readonly rule: string }[];
  readonly conditionalFormats: readonly { readonly range: string; readonly rule: string }[];
  readonly links?: readonly { readonly ref: string; readonly target: string }[];
  readonly images: number;
  readonly pictures?: readonly DrawnFact[];
  readonly shapes?: readonly DrawnFact[];
  readonly sparklines?: readonly {
    readonly ref: string;
    readonly type: string;
    readonly source: string;
  }[];
  readonly slicers?: readonly SlicerFact[];
  readonly controls?: readonly ControlFact[];
  readonly embedded?: readonly EmbeddedFact[];
  readonly protection?: string;
  /** Grid lines, zoom, tab colour, page setup, header and footer: what differs from a new sheet. */
  readonly view?: readonly string[];
  /** Columns whose width the file states, in digits of its usual font; and the width of all others. */
  readonly columnWidths?: readonly {
    readonly from: number;
    readonly to: number;
    readonly width: number;
  }[];
  readonly defaultColumnWidth?: number;
  /** Looks that are not plain, those of empty coloured cells too. */
  readonly looks?: readonly RangeGroup[];
  /** Number formats other than General. */
  readonly numberFormats?: readonly RangeGroup[];
  /** Formulas; those that differ only by their place are one. */
  readonly formulas?: readonly RangeGroup[];
  /** Parts that belong to the sheet and are not read, by kind: `queryTable`, `webExtension`, ... */
  readonly otherParts?: Readonly<Record<string, number>>;
  /** Entries of the lists above that are not listed, by list. */
  readonly unlisted?: Readonly<Record<string, number>>;
  /** Row by row; at most the dump limit of cells over the whole workbook. */
  readonly cells: readonly CellFact[];
  /** Over values, formulas and number formats of all cells, those that are not listed too. */
  readonly cellsDigest?: string;
}

export interface WorkbookFacts {
  readonly sheets: readonly SheetFact[];
  readonly definedNames: readonly {
    readonly name: string;
    readonly refersTo: string;
    /** Sheet that it holds on; absent: the whole workbook. */
    readonly scope?: string;
    readonly isHidden?: boolean;
  }[];
  /** Of the workbook's structure, where it is protected. */
  readonly protection?: string;
  /** Other files that formulas read, as the package names them; never fetched. */
  readonly externalLinks?: readonly string[];
  /** Names of macro modules as far as they can be told; empty: there are macros. Absent: none. */
  readonly macros?: readonly string[];
  /** Counts of the package's own parts, to hold ours against. */
  readonly partCounts: Readonly<Record<string, number>>;
  readonly recalculatedBy?: string;
  /** The file has programs calculate all formulas when they open it. */
  readonly calculatesOnOpening?: boolean;
  readonly warnings: readonly string[];
}
