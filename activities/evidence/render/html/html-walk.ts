import { type HiddenCause } from '../../../../core/evidence-view';
import { noteImage } from '../markdown/read-markdown';
import { linesOf, shownLine } from '../render-text';
import { type Rendering, type TextOptions } from '../rendering';
import { scriptText } from '../script-text';
import { concealment, hasBackground } from './concealment';
import { drawingTexts } from './drawing-texts';
import {
  type HtmlElement,
  type HtmlNode,
  attribute,
  commentOf,
  isElement,
  rawText,
  squeezed,
  textOfNode,
} from './html-tree';
import { type StyleRules, generatedText, letterCase } from './style-rules';
import { TableGrid, isCell, rowsOf } from './table-grid';

const INLINE = new Set(
  'a abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd label mark meter output q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const SKIPPED = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'iframe',
  'object',
  'embed',
  'svg',
  'canvas',
  'audio',
  'video',
]);

interface State {
  readonly cause: HiddenCause | undefined;
  readonly label: string;
  /** Something is painted behind the text. */
  readonly isPainted: boolean;
  /** Raised or lowered letters. */
  readonly script: 'above' | 'below' | undefined;
  readonly letters: 'upper' | 'lower' | 'as-is';
  /** White space is shown as it stands. */
  readonly isPreformatted: boolean;
  /** Within a table's cell, whose text is collected as one piece. */
  readonly cell: string[] | undefined;
}

/** The text of a page's body in blocks: paragraphs, list items, headings, cells of tables, each once. */
export class HtmlWalk {
  private readonly numbers = new Map<string, number>();
  private tables = 0;

  constructor(
    private readonly rendering: Rendering,
    private readonly rules: StyleRules,
  ) {}

  visitBody(body: HtmlElement): void {
    this.visitBlock(body, {
      cause: undefined,
      label: '',
      script: undefined,
      letters: 'as-is',
      isPreformatted: false,
      isPainted: hasBackground(body, this.rules),
      cell: undefined,
    });
  }

  /** Text that belongs to the page and stands in none of its blocks. */
  addPart(part: string, text: string, options: TextOptions, isSqueezed = true): void {
    const words = isSqueezed ? squeezed(text) : shownLine(text, this.rendering);
    if (words.trim() === '') return;
    const number = (this.numbers.get(part) ?? 0) + 1;
    this.numbers.set(part, number);
    this.rendering.addText({ kind: 'paragraph', part, from: number, to: number }, words, options);
  }

  private visitBlock(element: HtmlElement, outer: State): void {
    const state = this.stateOf(element, outer);
    let words = '';
    const flush = (): void => {
      this.addWords(words, state);
      words = '';
    };
    const take = (nodes: readonly HtmlNode[], within: State): void => {
      for (const node of nodes) {
        const text = textOfNode(node);
        if (text !== undefined) {
          words += shownLetters(text, within, words);
          continue;
        }
        this.noteComment(node);
        if (!isElement(node)) continue;
        const inner = this.stateOf(node, within);
        if (INLINE.has(node.tagName) && inner.cause === within.cause) {
          if (node.tagName === 'br') words += '\n';
          const mark = STRUCK_OUT.has(node.tagName) ? '~~' : '';
          words += mark + this.inlineText(node) + generatedText(node, this.rules, 'before');
          take(node.childNodes, inner);
          words += generatedText(node, this.rules, 'after') + mark;
        } else {
          flush();
          this.visitElement(node, within);
        }
      }
    };
    words += generatedText(element, this.rules, 'before');
    take(element.childNodes, state);
    words += generatedText(element, this.rules, 'after');
    flush();
  }

  private visitElement(element: HtmlElement, outer: State): void {
    const { tagName } = element;
    if (tagName === 'table') this.visitTable(element, this.stateOf(element, outer));
    else if (SKIPPED.has(tagName)) this.noteSkipped(element, outer);
    else {
      this.inlineText(element);
      this.visitBlock(element, {
        ...outer,
        label: blockLabel(element, outer.label, this.rendering),
      });
    }
  }

  private visitTable(table: HtmlElement, outer: State): void {
    this.tables++;
    const number = this.tables;
    this.rendering.count('tables');
    const grid = new TableGrid();
    rowsOf(table).forEach((row, rowIndex) => {
      const state = this.stateOf(row, outer);
      grid.beginRow();
      row.childNodes.filter(isCell).forEach((cell) => {
        const column = grid.place(cell);
        const pieces: string[] = [];
        const own = this.stateOf(cell, state);
        this.visitBlock(cell, { ...state, label: 'table', cell: pieces });
        this.rendering.addText(
          { kind: 'table', table: number, row: rowIndex + 1, column },
          pieces.join('\n'),
          { label: cell.tagName === 'th' ? 'table heading' : 'table', ...causeOption(own.cause) },
        );
      });
    });
    for (const caption of table.childNodes)
      if (isElement(caption) && caption.tagName === 'caption')
        this.visitBlock(caption, { ...outer, label: 'caption' });
  }

  private addWords(words: string, state: State): void {
    const text = words.split('\n').map(squeezed).filter(Boolean).join('\n');
    // White space between blocks is no text; a line break of the source is a space.
    if (text === '') return;
    if (state.isPreformatted && !state.cell && state.cause === undefined) {
      for (const line of linesOf(words.replace(/^\n/u, '')))
        this.addPart('body', line.trimEnd(), { label: state.label }, false);
      return;
    }
    if (state.cell && state.cause === undefined) state.cell.push(squeezed(words));
    else
      this.addPart(state.cause === undefined ? 'body' : 'hidden', words, {
        ...(state.label === '' ? {} : { label: state.label }),
        ...causeOption(state.cause),
      });
  }

  private stateOf(element: HtmlElement, outer: State): State {
    const isPainted = outer.isPainted || hasBackground(element, this.rules);
    const found = concealment(element, this.rules);
    const own = found === 'no-contrast' && isPainted ? undefined : found;
    const { tagName } = element;
    const script = SCRIPTS.get(tagName) ?? outer.script;
    const letters = letterCase(element, this.rules) ?? outer.letters;
    const isPreformatted = outer.isPreformatted || tagName === 'pre';
    return {
      ...{ ...outer, isPainted, script, letters, isPreformatted },
      cause: outer.cause ?? own,
    };
  }

  /** What an element shows besides its text; links and alternative texts are kept apart. */
  private inlineText(element: HtmlElement): string {
    switch (element.tagName) {
      case 'a': {
        const target = attribute(element, 'href') ?? '';
        if (target === '' || target.startsWith('#')) return '';
        this.rendering.count('links');
        this.addPart('links', `${squeezed(rawText(element))} -> ${target.slice(0, 1_000)}`, {
          cause: 'markup',
          label: 'link',
        });
        return '';
      }
      case 'img': {
        noteImage(attribute(element, 'src') ?? '', this.rendering);
        const alternative = attribute(element, 'alt') ?? '';
        this.addPart('alt', alternative, { cause: 'alternative-text', label: 'alternative text' });
        return '';
      }
      case 'input':
        return this.inputText(element);
      default:
        return '';
    }
  }

  /** What a control shows: its value, a mark, or the words that wait for one. */
  private inputText(input: HtmlElement): string {
    const value = attribute(input, 'value') ?? '';
    const isOn = attribute(input, 'checked') !== undefined;
    switch (attribute(input, 'type')?.toLowerCase()) {
      case 'hidden':
      case 'password':
        this.addPart('hidden', value, { cause: 'markup', label: 'hidden field' });
        return '';
      case 'checkbox':
        return isOn ? ' ☑ ' : ' ☐ ';
      case 'radio':
        return isOn ? ' ◉ ' : ' ○ ';
      default: {
        const shown = value === '' ? (attribute(input, 'placeholder') ?? '') : value;
        return shown === '' ? '' : ` ${shown} `;
      }
    }
  }

  private noteSkipped(element: HtmlElement, outer: State): void {
    if (element.tagName === 'svg') {
      const cause = this.stateOf(element, outer).cause;
      for (const { text, isHidden } of drawingTexts(element, this.rules)) {
        const hidden = cause ?? (isHidden ? 'hidden-text' : undefined);
        this.addPart('drawings', text, { label: 'drawing', ...causeOption(hidden) });
      }
    } else if (!['script', 'style', 'head', 'template', 'noscript'].includes(element.tagName)) {
      this.rendering.count('embeddedFrames');
      this.rendering.warn(`what a <${element.tagName}> would show is not loaded`);
    }
  }

  private noteComment(node: HtmlNode): void {
    const comment = commentOf(node);
    if (comment !== undefined)
      this.addPart('comments', comment, { cause: 'markup', label: 'comment' });
  }
}

function causeOption(cause: HiddenCause | undefined): TextOptions {
  return cause === undefined ? {} : { cause };
}

function blockLabel(element: HtmlElement, outer: string, rendering: Rendering): string {
  const { tagName } = element;
  const level = /^h([1-6])$/u.exec(tagName)?.[1];
  if (level !== undefined) {
    rendering.count('headings');
    return `heading ${level}`;
  }
  if (tagName === 'details' && attribute(element, 'open') === undefined)
    return 'in a section that is closed at first';
  if (tagName === 'summary') return '';
  if (tagName === 'option' && attribute(element, 'selected') !== undefined)
    return 'option, selected';
  return (
    {
      li: 'list item',
      pre: 'code',
      blockquote: 'quotation',
      figcaption: 'caption',
      dt: 'term',
      dd: 'definition',
      button: 'button',
      option: 'option',
    }[tagName] ?? outer
  );
}

const SCRIPTS: ReadonlyMap<string, 'above' | 'below'> = new Map([
  ['sup', 'above'],
  ['sub', 'below'],
]);
const STRUCK_OUT = new Set(['del', 's', 'strike']);

function shownLetters(text: string, { script, letters }: State, before: string): string {
  if (letters === 'upper') return text.toUpperCase();
  if (letters === 'lower') return text.toLowerCase();
  return script === undefined ? text : scriptText({ text, script }, before);
}
