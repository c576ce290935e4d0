import { type Rendering, type TextOptions, Unreadable } from '../rendering';
import { noteLinks } from '../markdown/read-markdown';
import { messageOf } from '../package';
import { linesOf, readText, shownLine } from '../render-text';
import { type NotebookCell, cellsOfNotebook } from './cells';
import { addPicture } from './pictures';

const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    code: 'code cell',
    markdown: 'text cell',
    heading: 'text cell',
    raw: 'raw cell',
  }),
);

/** A notebook: its cells with their outputs in order, pictures of outputs as pages. Throws `Unreadable`. */
export async function readNotebook(text: string, rendering: Rendering): Promise<void> {
  let cells: readonly NotebookCell[];
  try {
    cells = cellsOfNotebook(JSON.parse(text.replace(/^\uFEFF/u, '')), rendering);
  } catch (error) {
    // What is there can still be read as the text that it is.
    readText(text, rendering);
    throw new Unreadable('corrupt', `not a readable notebook: ${messageOf(error).slice(0, 200)}`);
  }
  rendering.counts['cells'] = cells.length;
  for (const [index, cell] of cells.entries()) await addCell(index + 1, cell, rendering);
  noteOrder(cells, rendering);
  rendering.counts['pages'] = rendering.pages.length;
}

/** Results of cells that ran in another order than they stand may not come about again. */
function noteOrder(cells: readonly NotebookCell[], rendering: Rendering): void {
  const runs = cells.flatMap(({ executionCount }) => executionCount ?? []);
  if (runs.some((run, at) => at > 0 && run <= (runs[at - 1] ?? 0)))
    rendering.warn('the cells were run in another order than they stand in');
}

async function addCell(number: number, cell: NotebookCell, rendering: Rendering): Promise<void> {
  rendering.count(cell.type === 'code' ? 'codeCells' : 'textCells');
  if (cell.type === 'code' && cell.executionCount === undefined && cell.source.trim() !== '')
    rendering.count('cellsNotRun');
  const label = KINDS.get(cell.type) ?? `${cell.type} cell`;
  addLines({ cell: number }, cell.source, { label }, rendering);
  if (cell.type !== 'code') noteLinks(cell.source.slice(0, 100_000), rendering);
  for (const [index, output] of cell.outputs.entries()) {
    const place = { cell: number, output: index + 1 };
    rendering.count('outputs');
    if (output.isError) rendering.count('errorOutputs');
    addLines(place, output.text, { label: output.isError ? 'error' : 'output' }, rendering);
    for (const picture of output.pictures)
      await addPicture(picture, `cell ${number} output ${index + 1}`, rendering);
  }
  for (const picture of cell.attachments) await addPicture(picture, `cell ${number}`, rendering);
}

function addLines(
  place: { readonly cell: number; readonly output?: number },
  text: string,
  options: TextOptions,
  rendering: Rendering,
): void {
  linesOf(text).forEach((line, index) => {
    rendering.addText(
      { kind: 'notebook', ...place, from: index + 1, to: index + 1 },
      shownLine(line, rendering),
      options,
    );
  });
}
