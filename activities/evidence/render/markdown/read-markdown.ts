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
  readText(text, rendering, (index) => options[index] ?? {});
  lines.forEach((line, index) => {
    if (options[index]?.label !== 'code') noteLinks(line.slice(0, SEARCHED_LETTERS), rendering);
  });
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
    const { shown, unseen } = state.fence === undefined ? comments.cut(index) : { shown: whole };
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
