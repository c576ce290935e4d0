import { type Rendering, type TextOptions } from '../rendering';
import { linesOf, readText } from '../render-text';

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

function lineOptions(lines: readonly string[], rendering: Rendering): TextOptions[] {
  const state: MarkdownState = {
    fence: undefined,
    isComment: false,
    isFrontMatter: lines[0]?.trim() === '---',
    isTable: false,
  };
  return lines.map((line, index) => {
    const wasTable = state.isTable;
    state.isTable = false;
    return (
      frontMatterOption(line, index, state) ??
      commentOption(line, state) ??
      codeOption(line, state, rendering) ??
      tableOption(line, lines[index + 1] ?? '', wasTable, state, rendering) ??
      headingOption(line, lines[index + 1] ?? '', rendering)
    );
  });
}

/** What a line inherits from those before it. */
interface MarkdownState {
  fence: string | undefined;
  isComment: boolean;
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

function commentOption(line: string, state: MarkdownState): TextOptions | undefined {
  const begins = state.fence === undefined && /^\s*<!--/u.test(line);
  if (!state.isComment && !begins) return undefined;
  const text = state.isComment ? `<!--${line}` : line;
  // Another comment may begin behind the end of the first.
  state.isComment = text.lastIndexOf('<!--') > text.lastIndexOf('-->');
  // Words behind the end of a comment are shown.
  if (text.replace(/<!--[^]*?(?:-->|$)/gu, '').trim() !== '') return {};
  return { cause: 'markup', label: 'comment' };
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
