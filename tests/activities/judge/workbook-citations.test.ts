import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_JUDGE_LIMITS } from '../../../core/sweep';
import { EvidenceDesk } from '../../../activities/judge/evidence-desk';
import { groundSubmission } from '../../../activities/judge/grounding/ground-submission';
import { Framing } from '../../../activities/judge/prompt/framing';
import { prefixMessages } from '../../../activities/judge/prompt/prefix';
import { EVIDENCE_TOOLS } from '../../../activities/judge/tools';
import { evidenceOf, readBytes } from '../../support/evidence';

// Whole files are read; a busy machine takes its time.

const BOOK = 'results/plan.xlsx';

async function desk(): Promise<EvidenceDesk> {
  const path = join(__dirname, '../../fixtures/evidence/workbooks/openpyxl-features.xlsx');
  const { rendering } = await readBytes('plan.xlsx', await readFile(path));
  const { segments, workbook } = rendering;
  return new EvidenceDesk(evidenceOf({ [BOOK]: { segments, ...(workbook ? { workbook } : {}) } }));
}

describe('facts of a real workbook', () => {
  it.each([
    ['object=chart:1@Plan', 'stacked bar chart "Units by quarter"', true],
    ['object=chart:1@Plan', 'line chart', false],
    ['object=chart:9@Plan', 'stacked bar chart', false],
    ['object=validation:2@Plan', 'decimal between 0 100', true],
    ['object=conditional-format:1@Plan', 'fill 00B050', true],
    ['object=comment:1@Plan', 'First quarter of 2026', true],
    ['object=protection:1@Plan', 'with a password', true],
    ['object=sheet:1@Plan', 'freeze pane B2', true],
    ['object=sheet:1@Plan', 'freeze pane A2', false],
    ['object=sheet:1@Deep', 'veryHidden', true],
    ['object=name:2', 'out of sight', false],
    ['object=alternative-text:1@Plan', 'Picture', false],
    ['cells=Deep!A1', 'nobody reads this', false],
    ['cells=Plan!A9', '2026-03-01', false],
    ['cells=Plan!F1', '=B2:B5*2', true],
  ])('%s quoted as %j: %p', async (fragment, quote, isAccepted) => {
    const { accepted } = await groundSubmission(
      {
        justification: 'It is there.',
        pass: true,
        citations: [{ locator: `${BOOK}#${fragment}`, quote }],
        searched: [],
      },
      {
        desk: await desk(),
        log: { searches: [], pages: [] },
        itemText: 'The plan is complete.',
        taskText: 'Make a plan.',
      },
    );
    expect(accepted).toBe(isAccepted);
  });

  it('are printed by the tools with the locators that citations use, what is hidden apart', async () => {
    const use = async (name: string, given: object): Promise<string> => {
      const tool = EVIDENCE_TOOLS.find((each) => each.name === name);
      const context = {
        desk: await desk(),
        framing: new Framing('0f0f0f'),
        inspector: () => Promise.reject(new Error('not expected')),
        imagesLeft: 0,
      };
      return (await tool?.run(JSON.stringify(given), context))?.text ?? '';
    };
    const info = await use('workbook_info', { artifact: BOOK });
    const [seen = '', hidden = ''] = info.split('Not visible to a reader (proves nothing):');
    expect(seen).toContain(`${BOOK}#object=chart:1@Plan | stacked bar chart "Units by quarter"`);
    expect(seen).toContain(`${BOOK}#object=name:1 | defined name Q1_Units = Plan!$B$2:$B$5`);
    expect(hidden).toContain(`${BOOK}#object=name:2 | defined name _kept`);
    const cells = await use('read_cells', { artifact: BOOK, sheet: 'Plan', range: 'D4:F4' });
    expect(cells).toContain(`${BOOK}#cells=Plan!D4 | value 10, constant-among-formulas`);
    const array = await use('read_cells', { artifact: BOOK, sheet: 'Plan', range: 'F1' });
    expect(array).toContain('array formula over F1:F4');
    const found = await use('search_text', { query: 'units by quarter' });
    expect(found).toContain(`${BOOK}#object=chart:1@Plan`);
  });

  it('come into the first prompt once: charts before looks and formats, then the cells', async () => {
    const [, overview] = await prefixMessages(
      await desk(),
      'Make a plan.',
      new Framing('0f'),
      DEFAULT_JUDGE_LIMITS,
    );
    const text = String(overview?.['content']);
    const place = (words: string): number => text.indexOf(words);
    expect(text.split(`${BOOK}#object=chart:1@Plan | `)).toHaveLength(2);
    expect(text).toContain(`${BOOK}#object=formulas:1@Plan | formulas: `);
    expect(place('#object=chart:1@Plan')).toBeGreaterThan(place('#object=sheet:1@Plan'));
    expect(place('#object=number-formats:1@Plan')).toBeGreaterThan(place('#object=chart:1@Plan'));
    expect(place('#cells=Plan!A1')).toBeGreaterThan(place('#object=number-formats:1@Plan'));
  });
});
