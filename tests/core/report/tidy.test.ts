import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TidyError, TidyReader, type TidyRow } from '../../../core/report/from-tidy';
import { formatsOf } from '../../../core/report/formats';
import {
  csvField,
  fromCsvCell,
  OPTIONAL_TIDY_COLUMNS,
  TIDY_COLUMNS,
  tidyHeader,
  tidyRows,
} from '../../../core/report/tidy';
import { reportItem, reportRun } from '../../support/report-runs';

const ORIGIN = { sweep: 'demo', judgeProvider: 'replay' };

describe('tidyRows', () => {
  it('has the columns that the guide names, in its order', () => {
    const guide = readFileSync(join(__dirname, '../../../docs/guides/read-a-report.md'), 'utf8');
    const listed = /a row for each planned run and item: `([^`]+)`/u.exec(guide)?.[1];
    expect(listed?.replaceAll(/ \([^)]*\)/gu, '').split(', ')).toEqual([...TIDY_COLUMNS]);
    const optional = /may be absent \(([^)]+)\)/u.exec(guide)?.[1];
    expect(optional?.replaceAll('`', '').split(', ')).toEqual([...OPTIONAL_TIDY_COLUMNS]);
  });

  it('is a row per item, which says who decided it and whose the judge is', () => {
    expect(tidyHeader()).toBe(
      'sweep,model,harness,task,domain,repetition,run_state,item,weight,level,dimension,met,stop_reason,' +
        'required_formats,delivered_formats,provider,decided_by,judge_provider\r\n',
    );
    const run = reportRun({
      state: 'incomplete',
      items: [
        reportItem('check-a', 5, true),
        reportItem('b', 2.5, false),
        reportItem('c', 2.5, undefined),
      ],
      requiredFormats: ['docx', 'pdf'],
    });
    expect(tidyRows(ORIGIN, run)).toBe(
      'demo,m,h,t,stem,1,incomplete,check-a,5,core,calculation-precision,1,completed,docx;pdf,pdf,openai,check,replay\r\n' +
        'demo,m,h,t,stem,1,incomplete,b,2.5,,calculation-precision,0,completed,docx;pdf,pdf,openai,judge,replay\r\n' +
        'demo,m,h,t,stem,1,incomplete,c,2.5,,calculation-precision,,completed,docx;pdf,pdf,openai,,replay\r\n',
    );
  });

  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['-1', "'-1"],
    ["'-1", "''-1"],
    ["'quoted'", "'quoted'"],
    [3.5, '3.5'],
  ])('writes %j as %s', (value, text) => {
    expect(csvField(value)).toBe(text);
  });
});

it.each(['-m', '--', '=1', '@x', '+1', '\tx', '\rx', "'", "'-m", "''=1", "'quoted'", 'a-b', ''])(
  'reads %j back as it was',
  (text) => {
    const field = csvField(text);
    const cell = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
    expect(fromCsvCell(cell)).toBe(text);
    expect(cell).not.toMatch(/^[=+\-@\t\r]/u);
  },
);

describe('TidyReader', () => {
  const row = (parts: Partial<TidyRow> = {}): TidyRow => ({
    sweep: 's',
    model: 'm',
    harness: 'h',
    task: 't',
    domain: 'stem',
    repetition: '1',
    run_state: 'scored',
    item: 'a',
    weight: '5',
    level: 'core',
    dimension: 'calculation-precision',
    met: '1',
    stop_reason: '',
    required_formats: 'pdf',
    delivered_formats: 'pdf;xlsx',
    provider: '',
    decided_by: '',
    judge_provider: '',
    ...parts,
  });

  it('gathers rows into runs, wherever they stand, and scores them', () => {
    const reader = new TidyReader();
    reader.add(row(), 2);
    reader.add(row({ task: 'u', met: '0' }), 3);
    reader.add(row({ item: 'b', weight: '0.5', met: '0' }), 4);
    const runs = [...reader.results()];
    expect(reader.count).toBe(2);
    expect(runs[0]).toMatchObject({
      task: 't',
      state: 'scored',
      deliveredFormats: ['pdf', 'xlsx'],
      provider: undefined,
    });
    expect(runs[0]?.score).toBeCloseTo(500 / 5.5, 12);
    expect(runs[0]?.success).toBe(true);
    expect(runs[1]).toMatchObject({ task: 'u', score: 0, success: false });
  });

  it('reads back every row that is written', () => {
    const run = reportRun({
      items: [reportItem('check-a', 5, true), reportItem('b', 3, false)],
      repetition: 3,
    });
    const reader = new TidyReader();
    const lines = tidyRows(ORIGIN, run).trim().split('\r\n');
    lines.forEach((line, index) => {
      const cells = line.split(',');
      reader.add(
        Object.fromEntries(TIDY_COLUMNS.map((name, at) => [name, cells[at]])) as TidyRow,
        index + 2,
      );
    });
    const [read] = [...reader.results()];
    expect(read).toMatchObject({
      score: run.score,
      success: run.success,
      repetition: 3,
      provider: 'openai',
      judgeProvider: 'replay',
      items: run.items,
    });
    expect(reader.repetitions).toBe(3);
  });

  it('gives ids that begin with a dash back as they are', () => {
    const run = reportRun({ model: '-m', task: '-t', items: [reportItem('-a', 5, true)] });
    const cells = tidyRows(ORIGIN, run).trim().split(',');
    expect(cells).toContain("'-m");
    const reader = new TidyReader();
    reader.add(Object.fromEntries(TIDY_COLUMNS.map((name, at) => [name, cells[at]])) as TidyRow, 2);
    const [read] = [...reader.results()];
    expect(read).toMatchObject({ model: '-m', task: '-t', items: [{ id: '-a' }] });
  });

  it.each<[string, Partial<TidyRow>, RegExp]>([
    ['an unknown domain', { domain: 'law' }, /domain is "law", not one of medical/u],
    ['an unknown state', { run_state: 'done' }, /run_state is "done"/u],
    ['repetition 0', { repetition: '0' }, /repetition is "0"/u],
    ['a zero weight', { weight: '0' }, /weight is "0", not a number above 0/u],
    ['a weight in words', { weight: 'core' }, /weight is "core"/u],
    ['a verdict in words', { met: 'yes' }, /met is "yes", not 1, 0 or empty/u],
    ['a decision by nobody known', { decided_by: 'me' }, /decided_by is "me", not check, judge/u],
    ['a scored run without a verdict', { met: '' }, /has a verdict on every item/u],
  ])('refuses %s and names the line', (_title, parts, message) => {
    const reader = new TidyReader();
    expect(() => reader.add(row(parts), 7)).toThrow(message);
    try {
      reader.add(row(parts), 7);
    } catch (error) {
      expect((error as TidyError).line).toBe(7);
    }
  });

  it('refuses an item twice and a run in two states', () => {
    const reader = new TidyReader();
    reader.add(row(), 2);
    expect(() => reader.add(row(), 3)).toThrow('m@h/t/r1 has the item a twice');
    expect(() => reader.add(row({ item: 'b', run_state: 'failed' }), 4)).toThrow(
      'm@h/t/r1 is failed here and scored in line 2',
    );
  });

  it('says of one lane in two sweeps what to rename, and takes it for other tasks', () => {
    const reader = new TidyReader();
    reader.add(row(), 2);
    reader.add(row({ sweep: 'other', task: 'u' }), 3);
    expect(() => reader.add(row({ sweep: 'other' }), 4)).toThrow(
      'm@h/t/r1 is a run of sweep s (line 2) and of sweep other: two sweeps with a lane of one name; rename it in ' +
        'one of them, such as m to m-other in the column model',
    );
  });

  it.each(['provider', 'judge_provider'] as const)(
    'refuses a lane of which a part has another %s: its mark would be lost',
    (column) => {
      const reader = new TidyReader();
      reader.add(row({ [column]: 'openai' }), 2);
      expect(() => reader.add(row({ task: 'u', [column]: 'replay' }), 3)).toThrow(
        `m@h has the ${column} "replay" here and "openai" in line 2`,
      );
    },
  );

  it('leaves open what a table without the optional columns does not say', () => {
    const { provider: _p, decided_by: _d, judge_provider: _j, ...bare } = row();
    const reader = new TidyReader();
    reader.add(bare, 2);
    const [read] = [...reader.results()];
    expect(read).toMatchObject({ provider: undefined, judgeProvider: undefined });
    expect(read?.items[0]?.decidedByCheck).toBeUndefined();
    expect(read?.replacedScore).toBeUndefined();
  });
});

describe('formatsOf', () => {
  it('goes by extensions, whatever their case', () => {
    expect(formatsOf(['a.PDF', 'b/c.md', 'x.xlsx', 'd.xlsx', 'run.py', 'LICENSE'])).toEqual([
      'code',
      'markdown',
      'pdf',
      'xlsx',
    ]);
  });
});
