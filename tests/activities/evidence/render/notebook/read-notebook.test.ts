import sharp from 'sharp';
import { readBytes } from '../../../../support/evidence';
import { printed } from '../support';

const notebook = (cells: readonly object[]): Buffer =>
  Buffer.from(JSON.stringify({ nbformat: 4, metadata: {}, cells }));

test('cells and outputs in order, line by line; pictures are pages', async () => {
  const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const result = await readBytes(
    'a.ipynb',
    notebook([
      { cell_type: 'markdown', source: ['# 分析\n', '![local](plot.png)'] },
      {
        cell_type: 'code',
        execution_count: 1,
        source: 'print(1)\nplot()',
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['1\n', '2\n'] },
          {
            output_type: 'display_data',
            data: { 'image/png': png.toString('base64'), 'text/plain': '<Figure>' },
          },
          {
            output_type: 'error',
            ename: 'ValueError',
            evalue: 'bad',
            traceback: ['\u001b[31mValueError\u001b[0m: bad'],
          },
        ],
      },
      {
        cell_type: 'code',
        execution_count: null,
        source: 'never run',
        outputs: [
          {
            output_type: 'execute_result',
            data: { 'text/html': '<table><tr><th>a<th>b<tr><td>1<td>2</table>' },
          },
        ],
      },
    ]),
  );
  expect(result.status).toBe('rendered');
  expect(printed(result)).toEqual([
    'cell=1&lines=1-1 | # 分析',
    'cell=1&lines=2-2 | ![local](plot.png)',
    'cell=2&lines=1-1 | print(1)',
    'cell=2&lines=2-2 | plot()',
    'cell=2&output=1&lines=1-1 | 1',
    'cell=2&output=1&lines=2-2 | 2',
    'cell=2&output=2&lines=1-1 | <Figure>',
    'cell=2&output=3&lines=1-1 | ValueError: bad',
    'cell=3&lines=1-1 | never run',
    'cell=3&output=1&lines=1-1 | a | b',
    'cell=3&output=1&lines=2-2 | 1 | 2',
  ]);
  expect(result.rendering.counts).toMatchObject({
    cells: 3,
    codeCells: 2,
    textCells: 1,
    outputs: 4,
    errorOutputs: 1,
    cellsNotRun: 1,
    pages: 1,
  });
  expect(result.rendering.pages).toMatchObject([{ page: 1, source: 'cell 2 output 2' }]);
  expect(result.rendering.localImages).toEqual(['plot.png']);
});

test('notebooks of the older format 3', async () => {
  const old = { worksheets: [{ cells: [{ cell_type: 'code', input: 'x = 1', outputs: [] }] }] };
  const result = await readBytes('a.ipynb', Buffer.from(JSON.stringify(old)));
  expect(printed(result)).toEqual(['cell=1&lines=1-1 | x = 1']);
});

test.each([
  ['{ "cells": [', 'not a readable notebook'],
  ['[]', 'its top level is no object'],
  ['{"cells": 5}', 'it has no list of cells'],
])('%s is corrupt, and shown as the text that it is', async (text, reason) => {
  const result = await readBytes('a.ipynb', Buffer.from(text));
  expect(result).toMatchObject({
    status: 'corrupt',
    reason: expect.stringContaining(reason) as string,
  });
  expect(printed(result)).toEqual([`lines=1-1 | ${text}`]);
});

test('a picture that cannot be shown is a warning, a drawing with entities too', async () => {
  const output = (data: object) => [{ output_type: 'display_data', data }];
  const { status, rendering } = await readBytes(
    'a.ipynb',
    notebook([
      { cell_type: 'code', source: '', outputs: output({ 'image/png': 'AAAA' }) },
      {
        cell_type: 'code',
        source: '',
        outputs: output({ 'image/svg+xml': '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>' }),
      },
      { cell_type: 7, source: {}, outputs: 'none' },
    ]),
  );
  expect(status).toBe('rendered');
  expect(rendering.warnings).toHaveLength(2);
  expect(rendering.pages).toEqual([]);
});

test('a trace that is no text loses nothing else', async () => {
  const outputs = [{ output_type: 'error', ename: 'E', evalue: 'v', traceback: [{ toString: 1 }] }];
  const notebook = {
    cells: [{ cell_type: 'code', source: 'x = 1', execution_count: 1, outputs }],
    metadata: {},
    nbformat: 4,
  };
  const { status, rendering } = await readBytes('a.ipynb', Buffer.from(JSON.stringify(notebook)));
  expect(status).not.toBe('corrupt');
  expect(rendering.segments.map(({ text }) => text)).toContain('x = 1');
});

test('pictures that cannot be shown are not tried without end', async () => {
  const picture = { output_type: 'display_data', data: { 'image/png': 'AAAA' } };
  const outputs = Array.from({ length: 100 }, () => picture);
  const notebook = { cells: [{ cell_type: 'code', source: 'x = 1', outputs }], nbformat: 4 };
  const { status, rendering } = await readBytes('a.ipynb', Buffer.from(JSON.stringify(notebook)));
  expect(status).toBe('truncated');
  expect(rendering.counts['picturesNotShown']).toBe(60);
});

describe('outputs as a notebook shows them', () => {
  const outputs = async (...data: readonly object[]): Promise<string[]> =>
    printed(
      await readBytes(
        'a.ipynb',
        notebook([
          {
            cell_type: 'code',
            source: 'x',
            outputs: data.map((each) => ({ output_type: 'display_data', data: each })),
          },
        ]),
      ),
    ).slice(1);

  test.each([
    [
      { 'text/html': '<b>Due</b> 12', 'text/plain': '<IPython.core.display.HTML object>' },
      'Due 12',
    ],
    [
      { 'text/markdown': '**Due**', 'text/plain': '<IPython.core.display.Markdown object>' },
      '**Due**',
    ],
    [{ 'text/latex': '$x^2$', 'text/plain': 'x**2' }, 'x**2'],
    [
      { 'application/json': { due: 12 }, 'text/plain': '<IPython.core.display.JSON object>' },
      '{"due":12}',
    ],
    [
      { 'image/png': '', 'text/plain': '<Figure size 640x480 with 1 Axes>' },
      '<Figure size 640x480 with 1 Axes>',
    ],
    [
      {
        'application/vnd.plotly.v1+json': { layout: { title: 'Sales' } },
        'text/html': '<div></div>',
      },
      'chart that a script draws (application/vnd.plotly.v1+json): {"layout":{"title":"Sales"}}',
    ],
  ])('%j', async (data, text) => {
    expect(await outputs(data)).toContain(`cell=1&output=1&lines=1-1 | ${text}`);
  });

  test('a line that is written again and again is there in its last form', async () => {
    expect(await outputs({ 'text/plain': 'step 1\rstep 2\rdone\r\nnext' })).toEqual([
      'cell=1&output=1&lines=1-1 | done',
      'cell=1&output=1&lines=2-2 | next',
    ]);
  });

  test('cells that ran in another order than they stand in are named', async () => {
    const cell = (run: number) => ({ cell_type: 'code', execution_count: run, source: 'x' });
    const read = (...runs: number[]) => readBytes('a.ipynb', notebook(runs.map(cell)));
    expect((await read(2, 1)).rendering.warnings.join()).toMatch(/another order/u);
    expect((await read(1, 4, 9)).rendering.warnings).toEqual([]);
  });
});
