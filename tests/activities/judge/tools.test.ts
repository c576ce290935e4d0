import { EvidenceDesk } from '../../../activities/judge/evidence-desk';
import { Framing } from '../../../activities/judge/prompt/framing';
import { EVIDENCE_TOOLS } from '../../../activities/judge/tools';
import { type ToolOutput } from '../../../activities/judge/tools/tool';
import { fakeEvidence } from './fake-evidence';

const BOOK = 'results/book.xlsx';
const evidence = fakeEvidence([
  {
    artifact: BOOK,
    sheets: {
      Data: [
        ['Item', 'Value'],
        ['Bolts', 12],
        [
          'Total',
          {
            value: 12,
            shown: '12.00',
            format: '0.00',
            formula: 'SUM(B2)',
            cached: 11,
            recalculated: 12,
            flags: ['stale'],
          },
        ],
      ],
      Extra: [['x']],
    },
    comments: { A1: 'a remark' },
  },
  {
    artifact: 'inputs/book.xlsx',
    sheets: {
      Data: [
        ['Item', 'Value'],
        ['Bolts', 10],
      ],
    },
  },
  {
    artifact: 'results/long.md',
    lines: Array.from({ length: 1_000 }, (_, at) => `line number ${at + 1}`),
    hiddenLines: ['secret words'],
  },
  { artifact: 'inputs/long.md', lines: ['line number 1', 'line number 2', 'gone'] },
  { artifact: 'results/same.md', lines: ['wrapped', 'words here'] },
]);

function use(name: string, given: object): Promise<ToolOutput> {
  const tool = EVIDENCE_TOOLS.find((entry) => entry.name === name);
  if (!tool) throw new Error(name);
  return tool.run(JSON.stringify(given), {
    desk: new EvidenceDesk(evidence),
    framing: new Framing('0f0f0f'),
    inspector: () => Promise.reject(new Error('not expected')),
    imagesLeft: 1,
  });
}

describe('the tools of a judge', () => {
  it('read_text prints locators, says where to go on, and keeps hidden text apart', async () => {
    const first = await use('read_text', { artifact: 'results/long.md' });
    expect(first.text).toContain('Positions 1 to 400 of 1001. Go on with from: 401.');
    expect(first.text).toContain('results/long.md#lines=1-1 | line number 1\n');
    const end = await use('read_text', { artifact: 'results/long.md', from: 1_000, to: 5_000 });
    expect(end.text).toContain(
      'line number 1000\nNot visible to a reader (proves nothing):\nresults/long.md#lines=1001-1001 | secret words',
    );
    const beyond = await use('read_text', { artifact: 'results/long.md', from: 2_000 });
    expect(beyond.text).toBe('error: positions go from 1 to 1001');
  });

  it('search_text looks over line ends, marks hidden hits, and logs where it looked', async () => {
    const wrapped = await use('search_text', { query: 'Wrapped WORDS' });
    expect(wrapped.text).toContain('1 hits in 1 of 5 files.');
    expect(wrapped.search).toMatchObject({
      query: 'Wrapped WORDS',
      found: ['results/same.md'],
    });
    expect(wrapped.search?.searched).toHaveLength(5);
    const hidden = await use('search_text', { query: 'secret words', artifact: 'results/long.md' });
    expect(hidden.text).toContain('(not visible to a reader, proves nothing)');
    expect(hidden.search).toMatchObject({ artifact: 'results/long.md', found: [] });
    expect((await use('search_text', { query: ' ' })).text).toBe('error: the query is empty');
  });

  it('read_cells shows every face of a value', async () => {
    const { text } = await use('read_cells', { artifact: BOOK, sheet: 'Data', range: 'A1:B9' });
    expect(text).toContain(
      `${BOOK}#cells=Data!B3 | value 12, shown "12.00", format 0.00, formula =SUM(B2), stored 11, recalculated 12, stale`,
    );
    expect(text).toContain('6 cells with content.');
    const empty = await use('read_cells', { artifact: BOOK, sheet: 'Data', range: 'D1:E2' });
    expect(empty.text).toBe('All of these cells are empty.');
    const noSheet = await use('read_cells', { artifact: BOOK, sheet: 'data', range: 'A1' });
    expect(noSheet.text).toContain('no such sheet. Sheets:\n<<<names 0f0f0f>>>\n"Data"\n"Extra"');
    const noRange = await use('read_cells', { artifact: BOOK, sheet: 'Data', range: 'first' });
    expect(noRange.text).toBe('error: "first" is not a range like A1:F20');
  });

  it('workbook_info lists sheets with their facts', async () => {
    const { text } = await use('workbook_info', { artifact: BOOK });
    expect(text).toContain(
      `${BOOK}#object=sheet:1@Data | visible, used range A1:Z99, 6 cells, 1 formulas, 0 errors, 1 stale results: B3\n`,
    );
    expect(text).toContain(`${BOOK}#object=comment:1@Data | comment at A1 by x: a remark`);
    const one = await use('workbook_info', { artifact: BOOK, sheet: 'Extra' });
    expect(one.text).not.toContain('@Data');
    expect((await use('workbook_info', { artifact: BOOK, sheet: 'None' })).text).toBe(
      'error: no such sheet; sheet: null lists all of them',
    );
    const none = await use('workbook_info', { artifact: 'results/long.md' });
    expect(none.text).toBe('This file is not a readable workbook.');
  });

  it('compare_with_input states what became of each sheet, and shows the places', async () => {
    const cells = await use('compare_with_input', { artifact: BOOK });
    expect(cells.text).toContain(
      `${BOOK}#compare=inputs/book.xlsx | changed: of 1 sheets of the input 0 are kept without a difference, 1 changed, 1 added`,
    );
    expect(cells.text).toContain(`${BOOK}#compare=inputs/book.xlsx&part=Extra | added: 1 cells`);
    expect(cells.text).toContain(
      '&part=Data | changed: 3 cells differ (2 in value, 1 in formula), 3 are as in the input',
    );
    expect(cells.text).toContain(`${BOOK}#cells=Data!B2 | value: input 10, deliverable 12`);
    const lines = await use('compare_with_input', {
      artifact: 'results/long.md',
      input: 'inputs/long.md',
    });
    expect(lines.text).toContain(
      'changed: 998 segments only in the deliverable, 1 only in the input, 2 in both',
    );
    const unpaired = await use('compare_with_input', { artifact: 'results/same.md' });
    expect(unpaired.text).toContain('error: no given file has the same or a similar name');
    const wrongWay = await use('compare_with_input', { artifact: BOOK, input: BOOK });
    expect(wrongWay.text).toBe('error: input must be a given file (inputs/...)');
  });

  it('view_page names what there is when there is no such page', async () => {
    const { text } = await use('view_page', { artifact: BOOK, page: 1 });
    expect(text).toBe('error: no image of page 1: the file has 0 page images.');
  });

  it('run_delivered_code runs programs that were delivered, nothing else', async () => {
    const { text } = await use('run_delivered_code', { path: 'results/long.md' });
    expect(text).toContain('only a delivered .py or .sh file');
  });
});
