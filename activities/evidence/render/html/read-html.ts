import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addOfficePages } from '../add-pages';
import { addMetadata } from '../metadata';
import { type RenderContext } from '../render-context';
import { linesOf, readText } from '../render-text';
import { type Rendering } from '../rendering';
import { readRules } from './style-rules';
import {
  type HtmlDocument,
  type HtmlElement,
  attribute,
  isElement,
  NestedTooDeep,
  parseHtml,
  rawText,
} from './html-tree';
import { HtmlWalk } from './html-walk';
import { sanitized } from './sanitize';

/** Longer pages are shown as text. */
const MAX_PAGE_LETTERS = 20_000_000;
/** Letters of one script that are shown. */
const MAX_SCRIPT_LETTERS = 20_000;
/** A page with fewer letters than this and scripts is taken for one that scripts make. */
const MIN_LETTERS = 40;

/** A web page: its text in blocks, links, what it hides, and pages drawn without running or loading anything. */
export async function readHtml(
  text: string,
  rendering: Rendering,
  context: RenderContext,
): Promise<void> {
  const document = treeOf(text, rendering);
  if (!document) {
    readText(text, rendering);
    return;
  }
  rendering.counts['lines'] = linesOf(text).length;
  const elements = allElements(document);
  const ofName = (name: string): HtmlElement[] => elements.filter((each) => each.tagName === name);
  const rules = readRules(ofName('style').map(rawText));
  const walk = new HtmlWalk(rendering, rules);
  for (const title of ofName('title').slice(0, 1))
    walk.addPart('head', rawText(title), { label: 'title' });
  for (const body of ofName('body')) walk.visitBody(body);
  const letters = rendering.segments
    .filter(({ visibility }) => visibility === 'visible')
    .reduce((sum, segment) => sum + segment.text.length, 0);
  addScripts(ofName('script'), letters, walk, rendering);
  noteLoaded(elements, rendering);
  addMetadata(
    ofName('meta')
      .map((meta) => [attribute(meta, 'name') ?? '', attribute(meta, 'content') ?? ''] as const)
      .filter(([name]) => name !== ''),
    rendering,
  );
  await context.pending();
  if (!context.tools) {
    rendering.truncate('page images need the renderer container');
    return;
  }
  const copy = join(context.tools.scratch, 'page.html');
  await writeFile(copy, sanitized(document, rules));
  const pages = { extension: 'html', filter: 'pdf:writer_web_pdf_Export', sources: [] };
  await addOfficePages(copy, pages, rendering, context.tools);
  rendering.facts['pagesNote'] =
    'drawn by LibreOffice without scripts and without anything from outside the file';
}

/** `undefined` for a page that makes no tree: it is then shown as its own text. */
function treeOf(text: string, rendering: Rendering): HtmlDocument | undefined {
  if (text.length > MAX_PAGE_LETTERS) {
    rendering.truncate(`over ${MAX_PAGE_LETTERS} letters: shown as text`);
    return undefined;
  }
  try {
    return parseHtml(text);
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    rendering.truncate(`${error.message}: shown as text`);
    return undefined;
  }
}

function addScripts(
  scripts: readonly HtmlElement[],
  letters: number,
  walk: HtmlWalk,
  rendering: Rendering,
): void {
  if (scripts.length === 0) return;
  rendering.counts['scripts'] = scripts.length;
  for (const script of scripts)
    walk.addPart('scripts', rawText(script).slice(0, MAX_SCRIPT_LETTERS), {
      cause: 'markup',
      label: 'script, not run',
    });
  if (letters < MIN_LETTERS)
    rendering.warn(
      'the page has hardly a word of its own: its scripts, which are not run, would make it',
    );
}

/** What a browser would load from elsewhere. */
function noteLoaded(elements: readonly HtmlElement[], rendering: Rendering): void {
  const loaded = elements.filter((element) => {
    const target =
      attribute(element, 'src') ??
      (element.tagName === 'link' ? attribute(element, 'href') : undefined);
    return target !== undefined && element.tagName !== 'img' && !/^data:/iu.test(target);
  });
  if (loaded.length === 0) return;
  rendering.facts['externalParts'] = loaded.length;
  const names = [...new Set(loaded.map(({ tagName }) => tagName))].join(', ');
  rendering.warn(`linked from outside and not fetched: ${names}`);
}

function allElements(document: HtmlDocument): HtmlElement[] {
  const found: HtmlElement[] = [];
  let level: (HtmlDocument | HtmlElement)[] = [document];
  while (level.length > 0) {
    const next = level.flatMap((node) => node.childNodes.filter(isElement));
    found.push(...next);
    level = next;
  }
  return found;
}
