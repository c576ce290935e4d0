import { type TrackedChange } from '../../../../core/evidence-view';
import { type XmlElement, child, descendants, elements, textOf } from '../xml';
import { type Background, standsOut } from './colour';
import { describeControl } from './content-control';
import { type DrawingContent, readDrawingContent } from './drawing';
import { linearEquation } from './equation';
import { type WordField } from './fields';
import { type HiddenText, type LinkReference, type ParagraphContext } from './paragraph';
import { type RunLook, runLook } from './styles';
import { firstReadable } from './alternatives';
import { symbolText } from './symbols';

/** Half-points under which letters are not meant to be read. */
const TINY_HALF_POINTS = 6;
/** Percent of their width under which letters are a line. */
const TINY_SCALE = 10;

const PROPERTIES = new Set(['pPr', 'rPr', 'sdtPr', 'sdtEndPr']);

/** Which tracked changes the walk is within. */
interface ChangeState {
  readonly inserted: boolean;
  readonly deleted: boolean;
}

interface OpenChange {
  readonly kind: TrackedChange['kind'];
  text: string;
  readonly author?: string;
  readonly date?: string;
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
  /** The change that words belong to. */
  private change: OpenChange | undefined;

  constructor(
    private readonly context: ParagraphContext,
    private readonly paragraphLook: RunLook,
    private readonly background: Background,
  ) {}

  visit(parent: XmlElement, state: ChangeState): void {
    for (const element of elements(parent)) this.visitElement(element, state);
  }

  private visitElement(element: XmlElement, state: ChangeState): void {
    if (PROPERTIES.has(element.name)) return;
    switch (element.name) {
      case 'r':
        this.visitRun(element, state);
        return;
      case 'ins':
      case 'moveTo':
      case 'del':
      case 'moveFrom':
        this.visitChange(element, state);
        return;
      case 'oMath':
        this.add(linearEquation(element), state, {}, lettersOfEquation(element));
        return;
      case 'fldSimple':
        this.foundFields.push(
          this.context.fields.simple(element, () => this.visit(element, state)),
        );
        return;
      case 'hyperlink':
        this.links.push({
          id: element.attributes['r:id'],
          anchor: element.attributes['anchor'],
        });
        this.visit(element, state);
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
        this.noteComment(element);
        return;
      default:
        this.visit(element, state);
    }
  }

  private visitChange(element: XmlElement, outerState: ChangeState): void {
    const outer = this.change;
    const isInsertion = element.name === 'ins' || element.name === 'moveTo';
    const change = openChange(element, isInsertion ? 'insertion' : 'deletion');
    const state = isInsertion
      ? { ...outerState, inserted: true }
      : { ...outerState, deleted: true };
    this.change = change;
    this.changes.push(change);
    this.visit(element, state);
    this.change = outer;
    if (change.text === '') this.changes.splice(this.changes.indexOf(change), 1);
  }

  private visitRun(run: XmlElement, state: ChangeState): void {
    const properties = child(run, 'rPr');
    const style = this.context.styles.character(child(properties, 'rStyle')?.attributes['val']);
    const look = { ...this.paragraphLook, ...style.run, ...runLook(properties) };
    const formatting = child(properties, 'rPrChange');
    const before = this.text.length;
    this.visitRunContent(run, state, look);
    if (formatting)
      this.changes.push({
        ...openChange(formatting, 'formatting'),
        text: this.text.slice(before),
      });
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
        if (field) this.foundFields.push(field);
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
        this.visitDrawing(element, state);
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

  private noteComment(element: XmlElement): void {
    const id = element.attributes['id'] ?? '';
    if (!this.commentIds.includes(id)) this.commentIds.push(id);
  }

  private visitDrawing(drawing: XmlElement, state: ChangeState): void {
    const content = readDrawingContent(drawing);
    this.drawings.push(content);
    for (const words of content.wordArt) this.add(words, state, {}, 0);
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
    if (this.change) this.change.text += text;
    if (deleted) {
      if (!inserted) this.original += text;
      return;
    }
    const unseen = this.unseen(look);
    if (unseen) {
      const last = this.hidden.at(-1);
      if (last?.label === unseen.label) last.text += text;
      else this.hidden.push({ ...unseen, text });
      return;
    }
    if (fields.inVolatileResult) this.isVolatile = true;
    if (!inserted) this.original += text;
    this.text += text;
  }

  private unseen(look: RunLook): Omit<HiddenText, 'text'> | undefined {
    if (this.context.unseen) return this.context.unseen;
    if (look.vanish === true) return { cause: 'hidden-text', label: 'hidden text' };
    if ((look.size ?? TINY_HALF_POINTS) < TINY_HALF_POINTS || (look.scale ?? 100) < TINY_SCALE)
      return { cause: 'tiny-text', label: 'tiny text' };
    const { colour = 'auto', background = this.background } = look;
    if (colour === 'auto' || standsOut(colour, background)) return undefined;
    return {
      cause: 'no-contrast',
      label: colour === 'FFFFFF' ? 'white text' : 'text in the colour behind it',
    };
  }
}

function openChange({ attributes }: XmlElement, kind: TrackedChange['kind']): OpenChange {
  const author = attributes['author'];
  const date = attributes['date']?.slice(0, 10);
  return {
    kind,
    text: '',
    ...(author === undefined ? {} : { author }),
    ...(date === undefined ? {} : { date }),
  };
}

/** Letters and digits: what two readers of the same file must count alike. */
export function lettersOf(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

function lettersOfEquation(element: XmlElement): number {
  return descendants(element, 't').reduce((sum, each) => sum + lettersOf(textOf(each)), 0);
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
