import { type Rendering } from '../rendering';
import { htmlText } from '../html/html-text';

export interface NotebookPicture {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export interface NotebookOutput {
  readonly text: string;
  readonly isError: boolean;
  readonly pictures: readonly NotebookPicture[];
}

export interface NotebookCell {
  readonly type: string;
  readonly source: string;
  readonly executionCount: number | undefined;
  readonly outputs: readonly NotebookOutput[];
  readonly attachments: readonly NotebookPicture[];
}

type Json = Readonly<Record<string, unknown>>;

/** Cells of a notebook in format 4 or 3. Throws an Error where there are none to find. */
export function cellsOfNotebook(notebook: unknown, rendering: Rendering): NotebookCell[] {
  if (!isObject(notebook)) throw new Error('its top level is no object');
  const kernel = asObject(asObject(notebook['metadata'])['kernelspec'])['display_name'];
  if (typeof kernel === 'string') rendering.facts['kernel'] = kernel.slice(0, 100);
  const sheets = asArray(notebook['worksheets']).flatMap((sheet) =>
    asArray(asObject(sheet)['cells']),
  );
  const cells = Array.isArray(notebook['cells']) ? asArray(notebook['cells']) : sheets;
  if (!Array.isArray(notebook['cells']) && !Array.isArray(notebook['worksheets']))
    throw new Error('it has no list of cells');
  return cells.map((cell) => readCell(asObject(cell)));
}

function readCell(cell: Json): NotebookCell {
  const count = cell['execution_count'] ?? cell['prompt_number'];
  return {
    type: typeof cell['cell_type'] === 'string' ? cell['cell_type'].slice(0, 20) : 'unknown',
    source: textOf(cell['source'] ?? cell['input']),
    executionCount: typeof count === 'number' ? count : undefined,
    outputs: asArray(cell['outputs']).map((output) => readOutput(asObject(output))),
    attachments: Object.values(asObject(cell['attachments'])).flatMap((bundle) =>
      picturesOf(asObject(bundle)),
    ),
  };
}

function readOutput(output: Json): NotebookOutput {
  if (output['output_type'] === 'error' || output['output_type'] === 'pyerr') {
    // Whatever is no text: an object may even forbid to be made one.
    const trace = asArray(output['traceback']).map(stringOf).join('\n');
    const message = `${stringOf(output['ename'])}: ${stringOf(output['evalue'])}`;
    const text = withoutColours(trace);
    return {
      text: text.includes(message) ? text : `${message}\n${text}`,
      isError: true,
      pictures: [],
    };
  }
  // Format 3 has the media beside each other, format 4 in `data`.
  const data = isObject(output['data']) ? output['data'] : output;
  const text = shownText(output, data);
  return { text: terminalText(text), isError: false, pictures: picturesOf(data) };
}

/** What a notebook shows of an output, where all it says plainly is what kind of object that is. */
function shownText(output: Json, data: Json): string {
  const plain = textOf(output['text'] ?? data['text/plain']);
  if (
    plain !== '' &&
    !/^<[\w.]+ object[^\n]*>$|^<Figure[^\n]*>$|^[\w.]*Figure\(\{/u.test(plain.trim())
  )
    return plain;
  const rich = [
    () => htmlText(textOf(data['text/html'] ?? data['html'])),
    () => textOf(data['text/markdown']),
    () => textOf(data['text/latex']),
    () => chartText(data),
    () => jsonText(data['application/json']),
  ];
  for (const read of rich) {
    const text = read();
    if (text.trim() !== '') return text;
  }
  return plain;
}

/** Letters of a chart's data that are shown. */
const MAX_JSON_LETTERS = 20_000;

function jsonText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value).slice(0, MAX_JSON_LETTERS);
}

/** A chart that a script would draw: its data, as it lies in the file. */
function chartText(data: Json): string {
  const [kind, chart] =
    Object.entries(data).find(([key]) => /^application\/vnd\.(?:plotly|vega)/u.test(key)) ?? [];
  return kind === undefined ? '' : `chart that a script draws (${kind}): ${jsonText(chart)}`;
}

function picturesOf(data: Json): NotebookPicture[] {
  const pictures: NotebookPicture[] = [];
  for (const [key, value] of Object.entries(data)) {
    const name = /^(?:image\/)?(png|jpeg|gif|webp|svg\+xml|svg)$/u.exec(key)?.[1];
    if (name === undefined) continue;
    const text = textOf(value);
    const isDrawing = name.startsWith('svg');
    pictures.push({
      mediaType: isDrawing ? 'image/svg+xml' : `image/${name}`,
      bytes: isDrawing ? Buffer.from(text) : Buffer.from(text, 'base64'),
    });
  }
  return pictures;
}

/** A text, or its lines. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return asArray(value)
    .filter((line): line is string => typeof line === 'string')
    .join('');
}

/** Text as a terminal leaves it: without colours, and of a line that is written again only its last form. */
function terminalText(text: string): string {
  return withoutColours(text)
    .split('\n')
    .map((line) => {
      const forms = line.replace(/\r+$/u, '').split('\r');
      return forms.at(-1) ?? '';
    })
    .join('\n');
}

/** Colour codes of a terminal. */
function withoutColours(text: string): string {
  return text.replace(/\u001b\[[0-9;]*[A-Za-z]/gu, '');
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
