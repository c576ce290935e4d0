import { type TextMark } from '../../../../core/evidence-view';
import { type XmlElement, child, elements, textOf } from '../xml';
import { MarkList } from '../mark-list';
import { type Background } from './colour';
import { type OpenChange, openChange } from './changes';
import { describeControl } from './content-control';
import { type DrawingContent, readDrawingContent } from './drawing';
import { linearEquation } from './equation';
import { type FieldMark, type WordField } from './fields';
import { lettersOf, lettersOfEquation } from './letters';
import { type HiddenText, type LinkReference, type ParagraphContext } from './paragraph';
import { looksOf, unseenBy } from './run-look';
import { type RunLook, runLook, withLook } from './styles';
import { firstReadable } from './alternatives';
import { symbolText } from './symbols';

const PROPERTIES = new Set(['pPr', 'rPr', 'sdtPr', 'sdtEndPr']);

const CHANGES = new Set(['ins', 'moveTo', 'del', 'moveFrom']);

/** Which tracked changes the walk is within. */
interface ChangeState {
  readonly inserted: boolean;
  readonly deleted: boolean;
}

/** Walks the content of one paragraph and gathers what it says. */
export class RunWalk {
  text = '';
  original = '';
  isVolatile = false;
  letters = 0;
  readonly changes: OpenChange[] = [];
  readonly hidden: HiddenText[] = [];
  readonly drawings: DrawingContent[] = [];
  readonly foundFields: WordField[] = [];
  readonly controls: string[] = [];
  readonly links: LinkReference[] = [];
  readonly commentIds: string[] = [];
  private readonly marked = new MarkList();
  /** The change that words belong to. */
  private change: OpenChange | undefined;
  /** Links that the walk is within. */
  private openLinks = 0;

  constructor(
    private readonly context: ParagraphContext,
    private readonly paragraphLook: RunLook,
    private readonly background: Background,
  ) {}

  get marks(): TextMark[] {
    return this.marked.list();
  }

  visit(parent: XmlElement, state: ChangeState): void {
    for (const element of elements(parent)) this.visitElement(element, state);
  }

  private visitElement(element: XmlElement, state: ChangeState): void {
    if (PROPERTIES.has(element.name)) return;
    if (CHANGES.has(element.name)) {
      this.visitChange(element, state);
      return;
    }
    switch (element.name) {
      case 'r':
        this.visitRun(element, state);
        return;
      case 'oMath':
        this.add(linearEquation(element), state, {}, lettersOfEquation(element));
        return;
      case 'fldSimple':
        this.endField(
          this.context.fields.simple(element, () => this.visit(element, state)),
          state,
        );
        return;
      case 'hyperlink':
        this.links.push({
          id: element.attributes['r:id'],
          anchor: element.attributes['anchor'],
        });
        this.openLinks++;
        this.visit(element, state);
        this.openLinks--;
        return;
      case 'sdt': {
        const control = describeControl(child(element, 'sdtPr'));
        if (control !== undefined) this.controls.push(control);
        this.visit(element, state);
        return;
      }
      case 'AlternateContent':
        this.visit(firstReadable(element), state);
        return;
      case 'commentRangeStart':
      case 'commentRangeEnd':
        this.noteCommentRange(element);
        return;
      default:
        this.visit(element, state);
    }
  }

  /** Reads what the element holds as put in or taken out by the tracked change. */
  visitChange(element: XmlElement, outerState: ChangeState, content = element): void {
    const outer = this.change;
    const isInsertion = element.name === 'ins' || element.name === 'moveTo';
    const change = openChange(element, isInsertion ? 'insertion' : 'deletion');
    const state = isInsertion
      ? { ...outerState, inserted: true }
      : { ...outerState, deleted: true };
    this.change = change;
    this.changes.push(change);
    this.visit(content, state);
    this.change = outer;
    if (change.text === '') this.changes.splice(this.changes.indexOf(change), 1);
  }

  private visitRun(run: XmlElement, state: ChangeState): void {
    const properties = child(run, 'rPr');
    const style = this.context.styles.character(child(properties, 'rStyle')?.attributes['val']);
    const look = withLook(withLook(this.paragraphLook, style.run), runLook(properties));
    const isLink = /^(?:hyperlink|超链接)$/iu.test(style.name);
    if (isLink) this.openLinks++;
    const formatting = child(properties, 'rPrChange');
    const before = this.text.length;
    this.visitRunContent(run, state, look);
    if (isLink) this.openLinks--;
    if (formatting) this.noteFormatting(formatting, before);
  }

  /** A tracked change of how the words look that were read since; of all by default. */
  noteFormatting(change: XmlElement, since = 0): void {
    const text = this.text.slice(since);
    this.changes.push({ ...openChange(change, 'formatting'), text });
  }

  private visitRunContent(parent: XmlElement, state: ChangeState, look: RunLook): void {
    for (const element of elements(parent)) {
      const text = textOfRunPart(element);
      if (text !== undefined) this.add(text, state, look, element.name === 'sym' ? 0 : undefined);
      else this.visitRunPart(element, state, look);
    }
  }

  private visitRunPart(element: XmlElement, state: ChangeState, look: RunLook): void {
    switch (element.name) {
      case 'fldChar': {
        const field = this.context.fields.mark(element);
        if (field) this.endField(field, state);
        return;
      }
      case 'instrText':
      case 'delInstrText':
        this.context.fields.addInstruction(textOf(element));
        return;
      case 'footnoteReference':
      case 'endnoteReference': {
        const kind = element.name === 'footnoteReference' ? 'footnote' : 'endnote';
        const number = this.context.noteNumber(kind, element.attributes['id'] ?? '');
        this.add(`[${kind} ${number}]`, state, {}, 0);
        return;
      }
      case 'commentReference':
        this.noteComment(element);
        return;
      case 'drawing':
      case 'pict':
      case 'object':
        this.visitDrawing(element);
        return;
      case 'AlternateContent':
        this.visitRunContent(firstReadable(element), state, look);
        return;
      case 'ruby':
        this.visitRuby(element, state);
        return;
      default:
    }
  }

  /** A word with its reading above it: `漢字(かんじ)`. */
  private visitRuby(ruby: XmlElement, state: ChangeState): void {
    const [base, reading] = [child(ruby, 'rubyBase'), child(ruby, 'rt')];
    if (base) this.visit(base, state);
    if (!reading) return;
    this.add('(', state, {});
    this.visit(reading, state);
    this.add(')', state, {});
  }

  /** A field that is known whole; where it has no result, the text says what it would show. */
  private endField({ field, emptyWords }: FieldMark, state: ChangeState): void {
    if (field) this.foundFields.push(field);
    if (emptyWords === undefined) return;
    this.isVolatile = true;
    this.add(emptyWords, state, {}, 0);
  }

  private noteCommentRange(element: XmlElement): void {
    const id = element.attributes['id'] ?? '';
    if (element.name === 'commentRangeEnd') {
      this.context.comments.end(id);
      return;
    }
    this.noteComment(element);
    this.context.comments.begin(id);
  }

  private noteComment(element: XmlElement): void {
    const id = element.attributes['id'] ?? '';
    if (!this.commentIds.includes(id)) this.commentIds.push(id);
  }

  private visitDrawing(drawing: XmlElement): void {
    const content = readDrawingContent(drawing);
    this.drawings.push(content);
    this.context.fields.noteResult();
  }

  /** @param letters letters of the file in it; none where the words are ours */
  private add(
    text: string,
    { inserted, deleted }: ChangeState,
    look: RunLook,
    letters = lettersOf(text),
  ): void {
    this.letters += letters;
    if (text === '') return;
    const { fields } = this.context;
    if (fields.inInstruction) {
      fields.addInstruction(text);
      return;
    }
    fields.noteResult();
    if (this.change) this.change.text += text;
    if (deleted) {
      if (!inserted) this.original += text;
      return;
    }
    const unseen = this.context.unseen ?? unseenBy(look, this.background);
    if (unseen) {
      const last = this.hidden.at(-1);
      if (last?.label === unseen.label) last.text += text;
      else this.hidden.push({ ...unseen, text });
      return;
    }
    if (fields.inVolatileResult) this.isVolatile = true;
    if (!inserted) this.original += text;
    this.text += text;
    const isLink = this.openLinks > 0 || fields.inLink;
    const { comments } = this.context;
    this.marked.add(text, [...looksOf(look, this.paragraphLook, isLink), ...comments.open()]);
  }
}

/** Text of the simple parts of a run; `undefined` for all others. */
function textOfRunPart(element: XmlElement): string | undefined {
  switch (element.name) {
    case 't':
    case 'delText':
      return textOf(element);
    case 'tab':
    case 'ptab':
      return '\t';
    case 'br':
    case 'cr':
      return '\n';
    case 'noBreakHyphen':
      return '-';
    case 'sym':
      return symbolText(element);
    default:
      return undefined;
  }
}
