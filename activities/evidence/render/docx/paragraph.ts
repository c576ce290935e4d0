import { type XmlElement, child, descendants, elements, textOf } from '../xml';
import { type ListNumbers } from './numbering';
import { type RunLook, type WordStyles, isShaded, numberingOf, runLook } from './styles';

/** What a paragraph says, apart by who can see it. */
export interface ParagraphText {
  /** Insertions included, deletions left out: the text as it stands when changes are accepted. */
  readonly text: string;
  readonly label: string | undefined;
  readonly insertions: string[];
  readonly deletions: string[];
  readonly hidden: { readonly cause: string; readonly text: string }[];
  readonly alternativeTexts: string[];
  /** `txbxContent` elements anchored here. */
  readonly textBoxes: XmlElement[];
  readonly images: number;
  /** Ids of comments that refer to this paragraph. */
  readonly commentIds: string[];
  readonly sectionEnd: XmlElement | undefined;
}

export interface ParagraphContext {
  readonly styles: WordStyles;
  readonly numbers: ListNumbers;
  /** Shading around the paragraph (cell, table style) that makes white text visible. */
  readonly shaded: boolean;
}

type Change = 'insertion' | 'deletion' | undefined;

/** Reads a `p` element; unknown content is entered, so that text inside it is not lost. */
export function readParagraph(paragraph: XmlElement, context: ParagraphContext): ParagraphText {
  const properties = child(paragraph, 'pPr');
  const style = context.styles(child(properties, 'pStyle')?.attributes['val']);
  const numbering = { level: 0, ...style.numbering, ...numberingOf(properties) };
  const number =
    numbering.id === undefined || numbering.id === '0'
      ? ''
      : context.numbers({ id: numbering.id, level: numbering.level });
  const walk = new RunWalk(context, style.run, context.shaded || isShaded(properties));
  walk.visit(paragraph, undefined);
  const text = walk.text === '' ? '' : `${number === '' ? '' : `${number} `}${walk.text}`;
  const heading = style.headingLevel;
  return {
    text,
    label: heading === undefined ? undefined : heading === 0 ? 'title' : `heading ${heading}`,
    insertions: walk.insertions,
    deletions: walk.deletions,
    hidden: walk.hidden,
    alternativeTexts: walk.alternativeTexts,
    textBoxes: walk.textBoxes,
    images: walk.images,
    commentIds: walk.commentIds,
    sectionEnd: child(properties, 'sectPr'),
  };
}

class RunWalk {
  text = '';
  readonly insertions: string[] = [];
  readonly deletions: string[] = [];
  readonly hidden: { cause: string; text: string }[] = [];
  readonly alternativeTexts: string[] = [];
  readonly textBoxes: XmlElement[] = [];
  readonly commentIds: string[] = [];
  images = 0;

  constructor(
    private readonly context: ParagraphContext,
    private readonly paragraphLook: RunLook,
    private readonly shaded: boolean,
  ) {}

  visit(parent: XmlElement, change: Change): void {
    for (const element of elements(parent)) this.visitElement(element, change);
  }

  private visitElement(element: XmlElement, change: Change): void {
    switch (element.name) {
      case 'pPr':
      case 'rPr':
      case 'sdtPr':
      case 'instrText':
      case 'fldChar':
        return;
      case 'r': {
        this.visitRun(element, change);
        return;
      }
      case 'ins':
      case 'moveTo': {
        this.visitChange(element, 'insertion', this.insertions);
        return;
      }
      case 'del':
      case 'moveFrom': {
        this.visitChange(element, 'deletion', this.deletions);
        return;
      }
      case 'oMath': {
        this.add(descendants(element, 't').map(textOf).join(''), change, {});
        return;
      }
      case 'AlternateContent': {
        this.visit(firstReadable(element), change);
        return;
      }
      case 'commentRangeStart':
        this.commentIds.push(element.attributes['id'] ?? '');
        return;
      default:
        this.visit(element, change);
    }
  }

  private visitChange(element: XmlElement, change: Change, list: string[]): void {
    list.push('');
    this.visit(element, change);
    if (list.at(-1) === '') list.pop();
  }

  private visitRun(run: XmlElement, change: Change): void {
    const properties = child(run, 'rPr');
    const style = this.context.styles(child(properties, 'rStyle')?.attributes['val']);
    const look = { ...this.paragraphLook, ...style.run, ...runLook(properties) };
    this.visitRunContent(run, change, look);
  }

  private visitRunContent(parent: XmlElement, change: Change, look: RunLook): void {
    for (const element of elements(parent)) {
      const text = textOfRunPart(element);
      if (text !== undefined) this.add(text, change, look);
      else this.visitRunPart(element, change, look);
    }
  }

  private visitRunPart(element: XmlElement, change: Change, look: RunLook): void {
    switch (element.name) {
      case 'footnoteReference':
      case 'endnoteReference': {
        const kind = element.name.replace('Reference', '');
        this.add(`[${kind} ${element.attributes['id'] ?? ''}]`, change, {});
        break;
      }
      case 'commentReference':
        this.noteComment(element.attributes['id'] ?? '');
        break;
      case 'drawing':
      case 'pict':
      case 'object':
        this.visitDrawing(element);
        break;
      case 'AlternateContent':
        this.visitRunContent(firstReadable(element), change, look);
        break;
      case 'ruby':
        this.visit(child(element, 'rubyBase') ?? element, change);
        break;
      default:
    }
  }

  private noteComment(id: string): void {
    if (!this.commentIds.includes(id)) this.commentIds.push(id);
  }

  private visitDrawing(drawing: XmlElement): void {
    this.textBoxes.push(...descendants(drawing, 'txbxContent'));
    const pictures = descendants(drawing, 'pic').length + descendants(drawing, 'imagedata').length;
    this.images += pictures;
    for (const { attributes } of descendants(drawing, 'docPr')) {
      const description = attributes['descr'] ?? attributes['title'] ?? '';
      if (description !== '') this.alternativeTexts.push(description);
    }
  }

  private add(text: string, change: Change, look: RunLook): void {
    const cause = this.unseenCause(look);
    if (change === 'deletion') {
      extendLast(this.deletions, text);
      return;
    }
    if (cause !== undefined) {
      const last = this.hidden.at(-1);
      if (last?.cause === cause) last.text += text;
      else this.hidden.push({ cause, text });
      return;
    }
    if (change === 'insertion') extendLast(this.insertions, text);
    this.text += text;
  }

  private unseenCause(look: RunLook): string | undefined {
    if (look.vanish === true) return 'hidden text';
    if (look.size !== undefined && look.size < 6) return 'tiny text';
    if (look.white === true && look.shaded !== true && !this.shaded) return 'white text';
    return undefined;
  }
}

function extendLast(list: string[], text: string): void {
  list.push((list.pop() ?? '') + text);
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
      return symbol(element);
    default:
      return undefined;
  }
}

/** The first choice that has content, else the fallback. */
function firstReadable(alternatives: XmlElement): XmlElement {
  const options = elements(alternatives);
  return options.find((option) => elements(option).length > 0) ?? alternatives;
}

/** A character of a symbol font; private-use codes of Symbol and Wingdings have no Unicode text. */
function symbol(element: XmlElement): string {
  const code = Number.parseInt(element.attributes['char'] ?? '', 16);
  if (Number.isNaN(code)) return '';
  return code >= 0xf000 && code <= 0xf0ff ? '\u25a1' : String.fromCodePoint(code);
}
