import { type Rendering } from '../rendering';
import { type XmlElement, child, descendants, elements, textOf } from '../xml';
import { type Background, UNKNOWN_BACKGROUND, backgroundOf } from './colour';
import { type CommentRanges } from './comment-ranges';
import { describeControl } from './content-control';
import { type DrawingContent } from './drawing';
import { FieldStack } from './fields';
import { type WordLists } from './lists';
import { type ListNumbers } from './numbering';
import { type ParagraphContext, type ParagraphText, readParagraph } from './paragraph';
import { type Place, placeWords } from './place';
import { lettersOf } from './letters';
import { type WordStyles, isOn } from './styles';
import { describeTable, gridSkip, gridSpan, isContinued, unwrap } from './table-shape';

/** What all parts of a document share. */
export interface WordContext {
  readonly styles: WordStyles;
  readonly numbers: ListNumbers;
  readonly rendering: Rendering;
  readonly tables: { count: number };
  readonly lists: WordLists;
  readonly comments: CommentRanges;
  /** What this reader met, to be held against another's counts. */
  readonly met: { paragraphs: number; tables: number; letters: number };
  noteNumber(kind: 'footnote' | 'endnote', id: string): number;
}

type Unseen = NonNullable<ParagraphContext['unseen']>;

/** How a paragraph's surroundings bear on it. */
interface Surroundings {
  readonly label?: string | undefined;
  readonly background?: Background | undefined;
  readonly unseen?: Unseen | undefined;
  /** The tracked change of the row around it. */
  readonly change?: XmlElement | undefined;
}

/**
 * Walks the content of one part in its own order. Paragraphs count per part, empty ones included; tables
 * count over the whole document as they begin, nested ones too; columns are those of the table's grid.
 */
export class BodyWalk {
  private paragraph = 0;
  private readonly fields = new FieldStack();
  readonly sections: XmlElement[] = [];
  readonly chunkIds: string[] = [];

  constructor(
    /** Name of the part in locators. */
    private readonly part: string,
    /** Its path in the package, by which its relationships are found. */
    private readonly path: string,
    private readonly context: WordContext,
    /** Label of every paragraph here, such as `header`; headings keep their own. */
    private readonly surroundings: Surroundings = {},
  ) {}

  visit(parent: XmlElement, surroundings: Surroundings = this.surroundings): void {
    for (const element of elements(parent)) {
      switch (element.name) {
        case 'p':
          this.paragraph++;
          this.addParagraph(element, this.here(), surroundings);
          break;
        case 'tbl':
          this.visitTable(element, surroundings);
          break;
        case 'sectPr':
          this.sections.push(element);
          break;
        case 'altChunk':
          this.chunkIds.push(element.attributes['r:id'] ?? '');
          break;
        case 'sdt':
          this.addControl(element);
          this.visit(element, surroundings);
          break;
        case 'sdtPr':
        case 'sdtEndPr':
          break;
        default:
          this.visit(element, surroundings);
      }
    }
  }

  /** Counts what is on no page of its own, such as the line above notes. */
  skip(parent: XmlElement): void {
    const { met } = this.context;
    met.paragraphs += descendants(parent, 'p').length;
    met.letters += descendants(parent, 't').reduce((sum, each) => sum + lettersOf(textOf(each)), 0);
  }

  private here(): Place {
    return { kind: 'paragraph', part: this.part, from: this.paragraph, to: this.paragraph };
  }

  /** Where a block that begins after this paragraph stands. */
  private next(): Place {
    const number = this.paragraph + 1;
    return { kind: 'paragraph', part: this.part, from: number, to: number };
  }

  private addControl(control: XmlElement): void {
    const words = describeControl(child(control, 'sdtPr'));
    if (words !== undefined) this.context.lists.add('controls', words, this.next());
  }

  private addParagraph(element: XmlElement, place: Place, surroundings: Surroundings): void {
    const read = this.read(element, surroundings);
    if (read.sectionEnd) this.sections.push(read.sectionEnd);
    const label = read.label ?? surroundings.label;
    if (read.label !== undefined && read.text !== '') this.context.rendering.count('headings');
    this.context.rendering.addText(place, read.text, {
      ...(label === undefined ? {} : { label }),
      ...(read.original === undefined ? {} : { original: read.original }),
      changes: read.changes,
      marks: read.marks,
      isVolatile: read.isVolatile,
    });
    this.addExtras(read, place, surroundings);
  }

  private read(element: XmlElement, { background, unseen, change }: Surroundings): ParagraphText {
    const { context, fields } = this;
    context.rendering.count('paragraphs');
    const read = readParagraph(element, {
      styles: context.styles,
      numbers: context.numbers,
      noteNumber: (kind, id) => context.noteNumber(kind, id),
      fields,
      comments: context.comments,
      ...(change === undefined ? {} : { change }),
      ...(background === undefined ? {} : { background }),
      ...(unseen === undefined ? {} : { unseen }),
    });
    context.met.paragraphs++;
    context.met.letters += read.letters;
    return read;
  }

  private addExtras(read: ParagraphText, place: Place, surroundings: Surroundings): void {
    const { rendering, lists } = this.context;
    for (const change of read.changes) {
      rendering.count(`${change.kind}s`.replace('formattings', 'formattingChanges'));
      // Insertions are part of the text; what was taken out stands nowhere else.
      if (change.kind === 'deletion')
        rendering.addText(place, change.text, { label: 'deletion', changes: [change] });
    }
    for (const { cause, label, text } of read.hidden)
      rendering.addText(place, text.trim(), { cause, label });
    for (const { instruction, isVolatile, form } of read.fields) {
      rendering.count('fields');
      lists.addField(instruction, isVolatile, place);
      lists.addFieldLink(instruction, place);
      if (form !== undefined) lists.add('forms', form, place);
    }
    for (const words of read.controls) lists.add('controls', words, place);
    for (const { id, anchor } of read.links) lists.addLink(this.path, id, anchor, place);
    for (const id of read.commentIds) lists.anchorComment(id, placeWords(place));
    for (const drawing of read.drawings) this.addDrawing(drawing, place, surroundings);
  }

  private addDrawing(drawing: DrawingContent, place: Place, surroundings: Surroundings): void {
    const { rendering, lists } = this.context;
    for (const text of drawing.alternativeTexts)
      rendering.addText(place, text, { cause: 'alternative-text', label: 'alternative text' });
    for (const words of drawing.wordArt)
      rendering.addText(place, words, {
        label: this.part.startsWith('header') ? 'watermark' : 'WordArt',
      });
    lists.addDrawing(this.path, drawing, place);
    for (const { content, isOffPage } of drawing.textBoxes)
      this.addTextBox(
        content,
        place,
        isOffPage
          ? { cause: 'off-page', label: 'text box outside of the page' }
          : surroundings.unseen,
      );
  }

  /**
   * Paragraphs of a text box have the address of the paragraph that it is anchored to. Boxes are often
   * filled: white text in them is taken for visible.
   */
  private addTextBox(box: XmlElement, place: Place, unseen: Unseen | undefined): void {
    this.context.rendering.count('textBoxes');
    const surroundings = { label: 'text box', background: UNKNOWN_BACKGROUND, unseen };
    const visit = (parent: XmlElement): void => {
      for (const element of elements(parent)) {
        if (element.name === 'tbl') this.visitTable(element, surroundings);
        else if (element.name === 'p') this.addParagraph(element, place, surroundings);
        else if (!/Pr$/u.test(element.name)) visit(element);
      }
    };
    visit(box);
  }

  private visitTable(table: XmlElement, surroundings: Surroundings): void {
    const { rendering, tables, met } = this.context;
    const number = ++tables.count;
    met.tables++;
    rendering.count('tables');
    rendering.addText({ kind: 'table', table: number }, describeTable(table), {
      label: 'table',
      isDescription: true,
    });
    const properties = child(table, 'tblPr');
    // A table style may shade cells: white text in such a table is taken for visible.
    const background = child(properties, 'tblStyle')
      ? UNKNOWN_BACKGROUND
      : (backgroundOf(properties) ?? surroundings.background);
    let row = 0;
    for (const line of unwrap(table, 'tr')) {
      row++;
      const change = surroundings.change ?? this.noteRowChange(line);
      const unseen = surroundings.unseen ?? unseenRow(line);
      let column = 1 + gridSkip(line);
      for (const cell of unwrap(line, 'tc')) {
        const cellProperties = child(cell, 'tcPr');
        this.visitCell(
          cell,
          { kind: 'table', table: number, row, column },
          {
            ...surroundings,
            background: backgroundOf(cellProperties) ?? background,
            unseen: unseen ?? unseenCell(cell),
            change,
          },
        );
        column += gridSpan(cell);
      }
    }
  }

  /** The tracked change that puts a row in or takes it out. */
  private noteRowChange(row: XmlElement): XmlElement | undefined {
    const properties = child(row, 'trPr');
    const [inserted, deleted] = [child(properties, 'ins'), child(properties, 'del')];
    if (inserted) this.context.rendering.count('insertedRows');
    if (deleted) this.context.rendering.count('deletedRows');
    return deleted ?? inserted;
  }

  /** A cell is one segment of all its paragraphs; tables within follow as tables of their own. */
  private visitCell(cell: XmlElement, place: Place, surroundings: Surroundings): void {
    const nested: XmlElement[] = [];
    const paragraphs: ParagraphText[] = [];
    const collect = (parent: XmlElement): void => {
      for (const element of elements(parent)) {
        if (element.name === 'p') paragraphs.push(this.read(element, surroundings));
        else if (element.name === 'tbl') nested.push(element);
        else if (!/Pr$/u.test(element.name)) {
          if (element.name === 'sdt') this.addControl(element);
          collect(element);
        }
      }
    };
    collect(cell);
    const text = paragraphs.map((each) => each.text).join('\n');
    const isChanged = paragraphs.some(({ original }) => original !== undefined);
    this.context.rendering.addText(place, text.trim(), {
      ...(surroundings.label === undefined ? {} : { label: surroundings.label }),
      ...(isChanged
        ? {
            original: paragraphs
              .map((each) => each.original ?? each.text)
              .join('\n')
              .trim(),
          }
        : {}),
      changes: paragraphs.flatMap(({ changes }) => changes),
      marks: paragraphs.flatMap(({ marks }) => marks),
      isVolatile: paragraphs.some(({ isVolatile }) => isVolatile),
    });
    for (const each of paragraphs) this.addExtras(each, place, surroundings);
    for (const table of nested) this.visitTable(table, surroundings);
  }
}

function unseenRow(row: XmlElement): Unseen | undefined {
  const hidden = child(row, 'trPr', 'hidden');
  return hidden && isOn(hidden) ? { cause: 'hidden-text', label: 'hidden row' } : undefined;
}

/** A cell that continues the one above shows nothing of its own. */
function unseenCell(cell: XmlElement): Unseen | undefined {
  return isContinued(cell)
    ? { cause: 'no-mark', label: 'cell merged into the one above' }
    : undefined;
}
