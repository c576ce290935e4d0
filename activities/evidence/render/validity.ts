import { parseAllDocuments } from 'yaml';
import { messageOf } from './package';
import { type Rendering, Unreadable } from './rendering';
import { createXmlParser } from './xml';

/** Beyond this a text is shown and not parsed. */
const MAX_PARSED_LETTERS = 20_000_000;
const MAX_YAML_LETTERS = 2_000_000;
const MAX_YAML_LEVELS = 300;

/** Whether the text is valid JSON, or a value a line, and what is at its top. */
export function noteJson(text: string, rendering: Rendering): void {
  if (isTooLong(text, MAX_PARSED_LETTERS, rendering)) return;
  try {
    describeValue(JSON.parse(bare(text)), rendering);
    rendering.facts['valid'] = true;
  } catch (error) {
    const values = text.split('\n').filter((line) => line.trim() !== '');
    if (values.length > 1 && values.every(isJson)) {
      rendering.facts['valid'] = true;
      rendering.facts['topLevel'] = 'a value a line';
      rendering.counts['values'] = values.length;
      return;
    }
    invalid('JSON', messageOf(error), rendering);
  }
}

function bare(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function describeValue(value: unknown, rendering: Rendering): void {
  if (Array.isArray(value)) {
    rendering.facts['topLevel'] = 'array';
    rendering.counts['values'] = value.length;
  } else if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    rendering.facts['topLevel'] = 'object';
    rendering.counts['keys'] = keys.length;
    rendering.facts['keys'] = keys.slice(0, 20).join(', ').slice(0, 500);
  } else rendering.facts['topLevel'] = value === null ? 'null' : typeof value;
}

/** Whether the text is valid YAML. Aliases are not followed. */
export function noteYaml(text: string, rendering: Rendering): void {
  if (isTooLong(text, MAX_YAML_LETTERS, rendering)) return;
  if (mayBeDeep(text)) {
    rendering.warn(`may be nested deeper than ${MAX_YAML_LEVELS} levels: shown, not parsed`);
    return;
  }
  try {
    const documents = parseAllDocuments(text, { logLevel: 'silent', prettyErrors: false });
    const list = Array.isArray(documents) ? documents : [];
    rendering.counts['documents'] = list.length;
    const [error] = list.flatMap(({ errors }) => errors);
    // The library's own words with the place take time by the square of the errors.
    if (error) invalid('YAML', `${error.message} at line ${lineAt(text, error.pos[0])}`, rendering);
    else rendering.facts['valid'] = true;
  } catch (error) {
    invalid('YAML', messageOf(error), rendering);
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

/**
 * Whether brackets that open, or the columns and dashes before a line's words, could make more levels than the parser,
 * which calls itself for each, has stack: V8 ends the process where that runs out within a regular expression.
 */
function mayBeDeep(text: string): boolean {
  let open = 0;
  for (const letter of text) {
    if (letter === '[' || letter === '{') open++;
    else if ((letter === ']' || letter === '}') && open > 0) open--;
    if (open > MAX_YAML_LEVELS) return true;
  }
  const deep = new RegExp(`^[ \\t?:-]{${MAX_YAML_LEVELS}}`, 'mu');
  return deep.test(text);
}

/** Whether the text is well-formed XML. Entities are not declared nor fetched. */
export function noteXml(text: string, rendering: Rendering): void {
  if (isTooLong(text, MAX_PARSED_LETTERS, rendering)) return;
  let root = '';
  let count = 0;
  const parser = createXmlParser('text', {
    open: (name) => {
      if (count++ === 0) root = name;
    },
    close: () => undefined,
    text: () => undefined,
  });
  try {
    parser.write(bare(text));
    parser.close();
    rendering.facts['valid'] = true;
    rendering.facts['rootElement'] = root;
    rendering.counts['elements'] = count;
  } catch (error) {
    const reason = error instanceof Unreadable ? error.reason : messageOf(error);
    if (/DOCTYPE/u.test(reason)) {
      rendering.facts['doctype'] = true;
      rendering.warn('declares a DOCTYPE: shown as text, not parsed');
    } else invalid('XML', reason, rendering);
  }
}

function isTooLong(text: string, limit: number, rendering: Rendering): boolean {
  if (text.length <= limit) return false;
  rendering.warn(`over ${limit} letters: shown, not parsed`);
  return true;
}

function invalid(format: string, reason: string, rendering: Rendering): void {
  rendering.facts['valid'] = false;
  rendering.warn(`not valid ${format}: ${reason.slice(0, 200)}`);
}
