import {
  type HiddenCause,
  type TextMark,
  type TrackedChange,
} from '../../../../core/evidence-view';
import { type XmlElement, child } from '../xml';
import { type Background, PAPER, backgroundOf } from './colour';
import { type DrawingContent } from './drawing';
import { type CommentRanges } from './comment-ranges';
import { type FieldStack, type WordField } from './fields';
import { type ListNumbers } from './numbering';
import { RunWalk } from './run-walk';
import { type WordStyles, numberingOf, outlineLevel } from './styles';

/** What a paragraph says, apart by who can see it. */
export interface ParagraphText {
  /** Insertions included, deletions left out: the text as it stands when changes are accepted. */
  readonly text: string;
  /** The text when changes are rejected; `undefined` where none is tracked. */
  readonly original: string | undefined;
  readonly label: string | undefined;
  readonly isVolatile: boolean;
  readonly changes: readonly TrackedChange[];
  readonly marks: readonly TextMark[];
  readonly hidden: readonly HiddenText[];
  readonly drawings: readonly DrawingContent[];
  readonly fields: readonly WordField[];
  /** Content controls within the paragraph, in words. */
  readonly controls: readonly string[];
  readonly links: readonly LinkReference[];
  /** Ids of comments that refer to this paragraph. */
  readonly commentIds: readonly string[];
  readonly sectionEnd: XmlElement | undefined;
  /** Letters and digits of the file that went into any of the above. */
  readonly letters: number;
}

export interface HiddenText {
  readonly cause: HiddenCause;
  readonly label: string;
  text: string;
}

export interface LinkReference {
  /** Relationship of a target outside; `undefined` for a place within the document. */
  readonly id: string | undefined;
  readonly anchor: string | undefined;
}

export interface ParagraphContext {
  readonly styles: WordStyles;
  readonly numbers: ListNumbers;
  readonly fields: FieldStack;
  readonly comments: CommentRanges;
  /** The number under which a foot- or endnote is shown, by its id. */
  noteNumber(kind: 'footnote' | 'endnote', id: string): number;
  /** What lies behind the paragraph: its cell's shading, a text box. @default paper */
  readonly background?: Background;
  /** The tracked change that puts in or takes out all of it: that of a table row. */
  readonly change?: XmlElement;
  /** Where everything around the paragraph is out of sight: a hidden row, a cell merged away. */
  readonly unseen?: Omit<HiddenText, 'text'>;
}

/** Reads a `p` element; unknown content is entered, so that text inside it is not lost. */
export function readParagraph(paragraph: XmlElement, context: ParagraphContext): ParagraphText {
  const properties = child(paragraph, 'pPr');
  const style = context.styles.paragraph(child(properties, 'pStyle')?.attributes['val']);
  const { id, ...membership } = { ...style.numbering, ...numberingOf(properties) };
  const number = id === undefined || id === '0' ? '' : context.numbers({ id, ...membership });
  const background = backgroundOf(properties) ?? style.background ?? context.background ?? PAPER;
  const walk = new RunWalk(context, style.run, background);
  const state = { inserted: false, deleted: false };
  if (context.change) walk.visitChange(context.change, state, paragraph);
  else walk.visit(paragraph, state);
  const formatting = child(properties, 'pPrChange');
  if (formatting) walk.noteFormatting(formatting);
  const numbered = (text: string): string => (text === '' ? text : `${number}${text}`);
  const heading = style.headingLevel ?? outlineLevel(properties);
  return {
    text: numbered(walk.text),
    original: walk.changes.some(({ kind }) => kind !== 'formatting')
      ? numbered(walk.original)
      : undefined,
    label: heading === undefined ? undefined : heading === 0 ? 'title' : `heading ${heading}`,
    isVolatile: walk.isVolatile,
    changes: walk.changes.filter(({ kind, text }) => kind !== 'formatting' || text !== ''),
    marks: walk.marks,
    hidden: walk.hidden,
    drawings: walk.drawings,
    fields: walk.foundFields,
    controls: walk.controls,
    links: walk.links,
    commentIds: walk.commentIds,
    sectionEnd: child(properties, 'sectPr'),
    letters: walk.letters,
  };
}
