import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SheetFact } from '../../../../../core/workbook-facts';
import { objectsOfSheet } from '../../../../../core/workbook-objects';
import { type ArtifactResult } from '../../../../../activities/evidence/render/render-artifact';
import { evidenceOf, readBytes } from '../../../../support/evidence';

// Whole files are read; a busy machine takes its time.

async function read(name: string): Promise<ArtifactResult> {
  const path = join('workbooks', name);
  const content = await readFile(join(__dirname, '../../../../fixtures/evidence', path));
  return readBytes(name, content);
}

function texts(sheet: SheetFact | undefined, ...kinds: readonly string[]): string[] {
  return (sheet ? objectsOfSheet(sheet) : [])
    .filter(({ object }) => kinds.includes(object))
    .map(({ text }) => text);
}

describe.each(['openpyxl-features.xlsx', 'libreoffice-features.xlsx'])('%s', (name) => {
  let result: ArtifactResult;
  let plan: SheetFact | undefined;
  let sheets: readonly SheetFact[] = [];
  beforeAll(async () => {
    result = await read(name);
    sheets = result.rendering.workbook?.sheets ?? [];
    [plan] = sheets;
  });

  test('two readers agree, and the package has nothing that no sheet leads to', () => {
    expect(result.rendering.facts['secondReading']).toBe('exceljs: agrees');
    expect(result.rendering.warnings).toEqual([]);
    expect(result.rendering.counts).toMatchObject({
      sheets: 4,
      charts: 3,
      tables: 1,
      comments: 1,
      images: 1,
      numbersAsText: 1,
      constantsAmongFormulas: 1,
    });
  });

  test('sheet order, layout and flags', () => {
    expect(sheets.map((sheet) => sheet.name)).toEqual(['Plan', 'Chart only', 'Table', 'Deep']);
    expect(sheets[3]?.state).not.toBe('visible');
    expect(plan).toMatchObject({
      freezePane: 'B2',
      autoFilter: 'A1:D5',
      filterCriteria: ['filter on column 1 of it Bolt Nut'],
      merged: ['A12:C13'],
      hiddenRows: [9],
      hiddenColumns: ['G'],
    });
    const flagged = (flag: string) =>
      plan?.cells
        .filter(({ flags = [] }) => flags.some((each) => each === flag))
        .map(({ ref }) => ref);
    expect(flagged('volatile')).toEqual(['G1', 'G2']);
    expect(flagged('number-as-text')).toEqual(['A8']);
    expect(flagged('constant-among-formulas')).toEqual(['D4']);
    expect(flagged('unlocked')).toEqual(['B2']);
    expect(plan?.cells.find(({ ref }) => ref === 'F1')).toMatchObject({
      formula: '=B2:B5*2',
      array: { range: 'F1:F4', isDynamic: false },
    });
    expect(plan?.view).toEqual(
      expect.arrayContaining(['prints landscape', 'footer: in the middle Draft']),
    );
  });

  test('rules with their colours', () => {
    expect(texts(plan, 'validation')).toEqual([
      expect.stringMatching(/^validation of A2:A\d+: list "Bolt,Nut" error "Item: Pick one"$/u),
      'validation of B2:C5: decimal between 0 100 prompt "Units: 0 to 100"',
    ]);
    expect(texts(plan, 'conditional-format')).toEqual(
      expect.arrayContaining([
        'conditional format of B2:B5: cellIs greaterThan 5 [fill 00B050]',
        'conditional format of C2:C5: colorScale min max F8696B 63BE7B',
        'conditional format of D2:D5: dataBar min max 638EC6',
        'conditional format of D2:D5: iconSet icons 3Arrows percent 0 percent 33 percent 67',
        'conditional format of A2:A5: expression $B2>$C2 [font FF0000, bold]',
      ]),
    );
  });

  test('charts, comment, link, picture, protection, names', () => {
    expect(plan?.charts[0]).toMatchObject({
      type: 'stacked bar',
      title: 'Units by quarter',
      axes: ['Units'],
    });
    expect(sheets[1]?.charts[0]?.type).toBe('pie');
    expect(sheets[2]?.charts[0]?.type).toBe('scatter');
    expect(plan?.comments).toEqual([{ ref: 'B1', author: '王芳', text: 'First quarter\nof 2026' }]);
    expect(texts(plan, 'link', 'protection')).toEqual([
      'link at A1 to https://example.org/plan',
      'sheet protection with a password',
    ]);
    expect(texts(plan, 'image')[0]).toContain(' at I2');
    const names = result.rendering.workbook?.definedNames ?? [];
    expect(names.find((each) => each.name === '_kept')).toMatchObject({ isHidden: true });
    expect(names.find((each) => each.name === 'Q1_Units')?.refersTo).toBe('Plan!$B$2:$B$5');
    // LibreOffice drops the protection of the workbook.
    expect(result.rendering.workbook?.protection).toBe(
      name.startsWith('openpyxl')
        ? 'workbook protection of structure without a password'
        : undefined,
    );
  });
});

test('LibreOffice keeps the points of a chart, which are in the view', async () => {
  const { rendering } = await read('libreoffice-features.xlsx');
  expect(rendering.workbook?.sheets[0]?.charts[0]?.points).toEqual([
    'Q1: Bolt = 5; Nut = 3; Screw = 8; Washer = 6',
    'Q2: Bolt = 7; Nut = 4; Screw = 2; Washer = 6',
  ]);
});

test('what exceljs writes', async () => {
  const { rendering } = await read('exceljs-features.xlsx');
  const [sheet, hidden] = rendering.workbook?.sheets ?? [];
  const cell = (ref: string) => sheet?.cells.find((each) => each.ref === ref);
  expect(rendering.facts['secondReading']).toBe('exceljs: agrees');
  expect(cell('A1')?.value).toBe('Rich text');
  expect(cell('A2')?.shown).toBe('2026年5月6日');
  expect(cell('C6')?.formula).toBe('=B6*2');
  expect(cell('D3')).toMatchObject({ error: '#N/A' });
  expect(cell('E2')?.shown).toBe('25.6%');
  expect(cell('F1')).toMatchObject({ unseen: 'hidden column' });
  expect(sheet?.tables).toEqual([
    {
      name: 'Stock',
      range: 'A12:B15',
      columns: ['SKU', 'Qty'],
      hasTotals: true,
      style: 'TableStyleMedium2',
    },
  ]);
  expect(sheet?.view).toEqual(['tab colour 00FF00', 'no grid lines']);
  expect(hidden?.state).toBe('hidden');
});

test('a worked copy is held against what was given', async () => {
  const artifact = async (name: string, sha256: string) => {
    const { rendering } = await read(name);
    const { workbook, segments } = rendering;
    return { rendered: { sha256 }, segments, ...(workbook ? { workbook } : {}) };
  };
  const evidence = evidenceOf({
    'results/given_final.xlsx': await artifact('worked.xlsx', 'a'),
    'inputs/given.xlsx': await artifact('given.xlsx', 'b'),
  });
  const input = evidence.inputOf('results/given_final.xlsx') ?? '';
  const comparison = await evidence.compare('results/given_final.xlsx', input);
  expect(comparison?.statement).toBe(
    'changed: of 3 sheets of the input 1 are kept without a difference, 1 changed, 1 added, 1 removed',
  );
  expect(comparison?.parts.map(({ part, statement }) => `${part} ${statement}`)).toEqual([
    '销售 Sales changed: 3 cells differ (1 in value, 1 in formula, 1 in format), 22 are as in the input',
    'Rates unchanged: values, formulas and number formats of all 6 cells of A1:B3, and the structure',
    'Notes removed: 1 cells of A1',
    'Summary added: 2 cells of A1:B1',
  ]);
  expect(comparison?.parts[0]?.differences.map(({ text }) => text)).toEqual([
    'input 9.5, deliverable 9.5 as 0.00',
    'input 80, deliverable 85',
    'input null from =C4*D4 as #,##0.00, deliverable 1365 as #,##0.00',
  ]);
});
