import { type EvidenceReader } from '../../activities/evidence/port';
import { type RubricItem } from '../../core/rubric';
import { undecidedCheck } from '../../workers/undecided-check';

const ITEM: RubricItem = {
  id: 'a',
  text: 'A.',
  weight: 1,
  dimension: 'calculation-precision',
  check: { kind: 'sheet-exists', file: 'r.md', sheet: 'S' },
};
/** Holds one Markdown file, which is no workbook. */
const EVIDENCE = {
  view: {
    entries: [
      {
        artifact: 'results/r.md',
        origin: 'deliverable',
        rendered: { format: 'markdown', facts: {}, problems: [] },
      },
    ],
  },
  workbook: () => Promise.resolve(undefined),
} as unknown as EvidenceReader;

describe('undecidedCheck', () => {
  it('says why the judge was asked', async () => {
    const judged = { source: 'judge' } as const;
    expect(await undecidedCheck(ITEM, judged, true, EVIDENCE)).toBe(
      'results/r.md is markdown, no workbook',
    );
    expect(await undecidedCheck(ITEM, judged, false, EVIDENCE)).toBe(
      'checks are off in this sweep',
    );
  });

  it('has nothing to say of items that a check decided or that have none', async () => {
    expect(await undecidedCheck(ITEM, { source: 'check' }, true, EVIDENCE)).toBeUndefined();
    const { check: _check, ...plain } = ITEM;
    expect(await undecidedCheck(plain, { source: 'judge' }, true, EVIDENCE)).toBeUndefined();
  });
});
