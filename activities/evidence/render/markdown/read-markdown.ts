import { type Rendering, type TextOptions } from '../rendering';
import { type LineOptions, linesOf, readText } from '../render-text';
import { CommentCutter } from './comments';

/** Letters of a line that are searched for links. */
const SEARCHED_LETTERS = 5_000;
const TARGET = String.raw`\]\(\s*<?([^\s<>()]{1,1000})>?(?:\s+["'][^"']{0,500}["'])?\s*\)`;
const IMAGE = new RegExp(String.raw`!\[[^[\]]{0,500}${TARGET}`, 'gu');
/** Of links and of pictures: without what stands before it, which would be searched again for each open bracket. */
const LINK = new RegExp(TARGET, 'gu');
const HTML_IMAGE = /<img\s[^>]{0,1000}?src\s*=\s*["']([^"']{1,1000})["']/giu;

/** Markdown: its lines, labelled by what they are, with counts of its structure. Comments are not shown to a reader. */
export function readMarkdown(text: string, rendering: Rendering): void {
  const lines = linesOf(text);
  const options = lineOptions(lines, rendering);
  const pictures = referencedPictures(lines);
  readText(text, rendering, (index) => options[index] ?? {});
  lines.forEach((line, index) => {
    if (options[index]?.label === 'code') return;
    const part = line.slice(0, SEARCHED_LETTERS);
    noteLinks(part, rendering);
    for (const [, text = '', name = ''] of part.matchAll(REFERENCED_IMAGE)) {
      const target = pictures.get((name || text).trim().toLowerCase());
      if (target !== undefined) noteImage(target, rendering);
    }
    const mark = TASK.exec(part)?.[1];
    if (mark !== undefined) rendering.count(mark === ' ' ? 'tasksOpen' : 'tasksDone');
  });
}

const REFERENCED_IMAGE = /!\[([^[\]]{1,500})\](?:\[([^[\]]{0,500})\])?(?!\()/gu;
const TASK = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX])\]\s/u;
/** `[name]: target`, which is not shown; a footnote is. */
const DEFINITION = /^ {0,3}\[(?!\^)([^[\]]{1,500})\]:\s*<?(\S{1,1000}?)>?(?:\s+["'(].*)?$/u;

/** Addresses by the names that pictures and links may use for them. */
function referencedPictures(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, name, target] = DEFINITION.exec(line.slice(0, SEARCHED_LETTERS)) ?? [];
      return name === undefined || target === undefined
        ? []
        : [[name.trim().toLowerCase(), target]];
    }),
  );
}

/** Elements of a line that a browser does not show. */
const HIDDEN_ELEMENT =
  /<([a-z][a-z0-9]{0,20})(?=\s)[^<>]{0,1000}?(?:\sstyle\s*=\s*["'][^"'<>]{0,500}?(?:display\s*:\s*none|visibility\s*:\s*hidden)[^<>]{0,500}?|\shidden(?=[\s=>])[^<>]{0,500}?)>[^<]{0,5000}<\/\1>/giu;

/** A line without its hidden elements, and those. */
function cutHiddenElements(line: string): { readonly shown: string; readonly unseen?: string } {
  if (line.length > SEARCHED_LETTERS || !/<[a-z]/iu.test(line)) return { shown: line };
  const unseen: string[] = [];
  const shown = line.replace(HIDDEN_ELEMENT, (element) => {
    unseen.push(element);
    return '';
  });
  return unseen.length === 0 ? { shown: line } : { shown, unseen: unseen.join(' ') };
}

function lineOptions(lines: readonly string[], rendering: Rendering): LineOptions[] {
  const comments = new CommentCutter(lines);
  const state: MarkdownState = {
    fence: undefined,
    isFrontMatter: lines[0]?.trim() === '---',
    isTable: false,
  };
  return lines.map((whole, index) => {
    const wasTable = state.isTable;
    state.isTable = false;
    const frontMatter = frontMatterOption(whole, index, state);
    if (frontMatter) return frontMatter;
    if (state.fence === undefined && !wasTable && DEFINITION.test(whole.slice(0, SEARCHED_LETTERS)))
      return { cause: 'markup', label: 'definition of a link' };
    const { shown, unseen } =
      state.fence === undefined ? cutLine(comments, index) : { shown: whole };
    // A line of nothing else is the comment itself.
    if (unseen !== undefined && shown.trim() === '') return { cause: 'markup', label: 'comment' };
    const next = lines[index + 1] ?? '';
    const options =
      codeOption(shown, state, rendering) ??
      tableOption(shown, next, wasTable, state, rendering) ??
      headingOption(shown, next, rendering);
    return unseen === undefined ? options : { ...options, shown, unseen };
  });
}

function cutLine(
  comments: CommentCutter,
  index: number,
): { readonly shown: string; readonly unseen?: string } {
  const whole = comments.cut(index);
  const inner = cutHiddenElements(whole.shown);
  const unseen = [whole.unseen, inner.unseen].filter((each) => each !== undefined);
  return unseen.length === 0 ? whole : { shown: inner.shown, unseen: unseen.join(' ') };
}

/** What a line inherits from those before it. */
interface MarkdownState {
  fence: string | undefined;
  isFrontMatter: boolean;
  isTable: boolean;
}

function frontMatterOption(
  line: string,
  index: number,
  state: MarkdownState,
): TextOptions | undefined {
  if (!state.isFrontMatter) return undefined;
  if (index > 0 && /^(?:---|\.\.\.)\s*$/u.test(line)) state.isFrontMatter = false;
  return { label: 'front matter' };
}

function codeOption(
  line: string,
  state: MarkdownState,
  rendering: Rendering,
): TextOptions | undefined {
  const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
  if (state.fence !== undefined) {
    if (mark?.startsWith(state.fence) === true && line.trim() === mark) state.fence = undefined;
    return { label: 'code' };
  }
  if (mark === undefined) return undefined;
  state.fence = mark;
  rendering.count('codeBlocks');
  return { label: 'code' };
}

function tableOption(
  line: string,
  next: string,
  wasTable: boolean,
  state: MarkdownState,
  rendering: Rendering,
): TextOptions | undefined {
  state.isTable = isTableRow(line) && (wasTable || isTableRule(next));
  if (!state.isTable) return undefined;
  if (!wasTable) rendering.count('tables');
  return { label: 'table' };
}

function isTableRow(line: string): boolean {
  return line.includes('|') && line.length < SEARCHED_LETTERS;
}

function isTableRule(line: string): boolean {
  return line.includes('-') && line.includes('|') && /^[\s|:-]+$/u.test(line);
}

function headingOption(line: string, next: string, rendering: Rendering): TextOptions {
  const hashes = /^ {0,3}(#{1,6})(?:\s|$)/u.exec(line)?.[1];
  const underline = line.trim() === '' ? undefined : /^ {0,3}(=+|-+)\s*$/u.exec(next)?.[1];
  if (hashes === undefined && underline === undefined) return {};
  rendering.count('headings');
  const level = hashes?.length ?? (underline?.startsWith('=') === true ? 1 : 2);
  return { label: `heading ${level}` };
}

/** Counts links and pictures of a piece of Markdown; a picture beside the file is noted, one from elsewhere never fetched. */
export function noteLinks(text: string, rendering: Rendering): void {
  const line = rendering.searchable(text);
  let links = [...line.matchAll(LINK)].length;
  for (const [, target = ''] of line.matchAll(IMAGE)) {
    noteImage(target, rendering);
    links--;
  }
  for (const [, target = ''] of line.matchAll(HTML_IMAGE)) noteImage(target, rendering);
  if (links > 0) rendering.count('links', links);
}

/** A picture by its address: within the file, beside it, or elsewhere. */
export function noteImage(target: string, rendering: Rendering): void {
  rendering.count('images');
  if (/^data:/iu.test(target)) return;
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/iu.test(target)) {
    rendering.count('remoteImages');
    rendering.warn('pictures from elsewhere are named in the text and not fetched');
  } else rendering.addLocalImage(target.slice(0, 1_000));
}
