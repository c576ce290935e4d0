import { type Rendering } from '../rendering';
import { type XmlElement, child, elements } from '../xml';
import { type ListNumbers } from './numbering';
import { type ParagraphText, readParagraph } from './paragraph';
import { type WordStyles, isShaded } from './styles';

type Place =
  | {
      readonly kind: 'paragraph';
      readonly part: string;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly kind: 'table';
      readonly table: number;
      readonly row: number;
      readonly column: number;
    };

/** Where a comment is anchored, by its id, in words. */
export type CommentAnchors = Map<string, string>;

/**
 * Walks the content of one part in its own order. Paragraphs count per part, empty ones included; tables
 * count over the whole document as they begin, nested ones too; columns are those of the table's grid.
 */
export class BodyWalk {
  private paragraph = 0;
  readonly sections: XmlElement[] = [];

  constructor(
    private readonly part: string,
    private readonly context: {
      readonly styles: WordStyles;
      readonly numbers: ListNumbers;
      readonly rendering: Rendering;
      /** Shared by all parts of the document. */
      readonly tables: { count: number };
      readonly anchors: CommentAnchors;
    },
    /** Label of every paragraph here, such as `header`; headings keep their own. */
    private readonly label?: string,
  ) {}

  visit(parent: XmlElement): void {
    for (const element of elements(parent)) {
      switch (element.name) {
        case 'p':
          this.paragraph++;
          this.addParagraph(element, this.here(), this.label, false);
          break;
        case 'tbl':
          this.visitTable(element);
          break;
        case 'sectPr':
          this.sections.push(element);
          break;
        case 'altChunk':
          this.context.rendering.warn('an embedded document (altChunk) is not read');
          break;
        case 'sdtPr':
        case 'sdtEndPr':
          break;
        default:
          this.visit(element);
      }
    }
  }

  private here(): Place {
    return { kind: 'paragraph', part: this.part, from: this.paragraph, to: this.paragraph };
  }

  private addParagraph(
    element: XmlElement,
    place: Place,
    label: string | undefined,
    shaded: boolean,
  ): void {
    const read = this.read(element, shaded);
    if (read.sectionEnd) this.sections.push(read.sectionEnd);
    const shown = read.label ?? label;
    this.add(place, read.text, shown);
    this.addExtras(read, place);
  }

  private read(element: XmlElement, shaded: boolean): ParagraphText {
    const { styles, numbers, rendering } = this.context;
    rendering.count('paragraphs');
    const read = readParagraph(element, { styles, numbers, shaded });
    if (read.images > 0) rendering.count('images', read.images);
    return read;
  }

  private add(place: Place, text: string, label: string | undefined): void {
    this.context.rendering.addText(place, text, label === undefined ? {} : { label });
  }

  private addExtras(read: ParagraphText, place: Place): void {
    const { rendering, anchors } = this.context;
    for (const text of read.insertions) {
      rendering.count('insertions');
      this.add(place, text, 'insertion');
    }
    for (const text of read.deletions) {
      rendering.count('deletions');
      this.add(place, text, 'deletion');
    }
    for (const { cause, text } of read.hidden)
      rendering.addText(place, text.trim(), { visibility: 'hidden', label: cause });
    for (const text of read.alternativeTexts)
      rendering.addText(place, text, { visibility: 'hidden', label: 'alternative text' });
    for (const id of read.commentIds) if (!anchors.has(id)) anchors.set(id, read.text.slice(0, 80));
    for (const box of read.textBoxes) this.addTextBox(box, place);
  }

  /**
   * Paragraphs of a text box have the address of the paragraph that it is anchored to. Boxes are often
   * filled: white text in them is taken for visible.
   */
  private addTextBox(box: XmlElement, place: Place): void {
    this.context.rendering.count('textBoxes');
    for (const element of elements(box)) {
      if (element.name === 'tbl') this.visitTable(element);
      else if (element.name === 'p') this.addParagraph(element, place, 'text box', true);
    }
  }

  private visitTable(table: XmlElement): void {
    const { rendering, tables } = this.context;
    const number = ++tables.count;
    rendering.count('tables');
    // A table style may shade cells: white text in such a table is taken for visible.
    const styled =
      child(table, 'tblPr', 'tblStyle') !== undefined || isShaded(child(table, 'tblPr'));
    let row = 0;
    for (const line of rowsOf(table)) {
      row++;
      let column = 1 + gridSkip(line);
      for (const cell of cellsOf(line)) {
        const properties = child(cell, 'tcPr');
        const place: Place = { kind: 'table', table: number, row, column };
        if (!continuesCellAbove(properties))
          this.visitCell(cell, place, styled || isShaded(properties));
        column += Number(child(properties, 'gridSpan')?.attributes['val'] ?? 1) || 1;
      }
    }
  }

  /** A cell is one segment of all its paragraphs; tables within follow as tables of their own. */
  private visitCell(cell: XmlElement, place: Place, shaded: boolean): void {
    const nested: XmlElement[] = [];
    const paragraphs: ParagraphText[] = [];
    const collect = (parent: XmlElement): void => {
      for (const element of elements(parent)) {
        if (element.name === 'p') paragraphs.push(this.read(element, shaded));
        else if (element.name === 'tbl') nested.push(element);
        else if (!/Pr$/u.test(element.name)) collect(element);
      }
    };
    collect(cell);
    const text = paragraphs.map((each) => each.text).join('\n');
    this.add(place, text.trim(), this.label);
    for (const each of paragraphs) this.addExtras(each, place);
    for (const table of nested) this.visitTable(table);
  }
}

/** Rows, also those wrapped in content controls or tracked insertions. */
function rowsOf(table: XmlElement): XmlElement[] {
  return unwrap(table, 'tr');
}

function cellsOf(row: XmlElement): XmlElement[] {
  return unwrap(row, 'tc');
}

function unwrap(parent: XmlElement, name: string): XmlElement[] {
  return elements(parent).flatMap((element) => {
    if (element.name === name) return [element];
    return /^(?:sdt|sdtContent|customXml|ins|smartTag)$/u.test(element.name)
      ? unwrap(element, name)
      : [];
  });
}

function gridSkip(row: XmlElement): number {
  return Number(child(row, 'trPr', 'gridBefore')?.attributes['val'] ?? 0);
}

function continuesCellAbove(properties: XmlElement | undefined): boolean {
  const merge = child(properties, 'vMerge');
  return merge !== undefined && merge.attributes['val'] !== 'restart';
}
