import { EvidenceDesk } from '../../../activities/judge/evidence-desk';
import { groundSubmission } from '../../../activities/judge/grounding/ground-submission';
import { type Submission } from '../../../activities/judge/grounding/submission';
import { type FakeArtifact, fakeEvidence } from './fake-evidence';

async function ground(
  submission: Pick<Submission, 'pass' | 'citations'>,
  { artifacts }: { readonly artifacts: readonly FakeArtifact[] },
) {
  return groundSubmission(
    { justification: 'It is there.', searched: [], ...submission },
    {
      desk: new EvidenceDesk(fakeEvidence(artifacts)),
      log: { searches: [], pages: [] },
      itemText: 'The given sheets are unchanged.',
      taskText: 'Work on the book.',
    },
  );
}

describe('what a comparison with an input states', () => {
  const sheets = { Data: [['Bolts', 12]], Plan: [['unchanged', 1]] };
  const files: FakeArtifact[] = [
    { artifact: 'results/book.xlsx', sheets },
    { artifact: 'inputs/book.xlsx', sheets: { ...sheets, Plan: [['was', 1]] } },
  ];
  const DATA = 'results/book.xlsx#compare=inputs/book.xlsx&part=Data';
  const PLAN = 'results/book.xlsx#compare=inputs/book.xlsx&part=Plan';
  const WHOLE = 'results/book.xlsx#compare=inputs/book.xlsx';

  it.each([
    [DATA, 'unchanged', true],
    [DATA, 'unchanged: values, formulas and number formats of all 2 cells of A1:Z99', true],
    [DATA, 'all 2 cells', false],
    [DATA, 'changed', false],
    [DATA, '', false],
    [PLAN, 'unchanged', false],
    [PLAN, 'changed: 1 cells differ', true],
    [WHOLE, 'unchanged', false],
    [WHOLE, 'changed: of 2 sheets of the input 1 are kept without a difference', true],
    [`${WHOLE}&part=Nowhere`, 'unchanged', false],
    ['results/book.xlsx#compare=results/book.xlsx', 'unchanged', false],
    ['results/book.xlsx#compare=inputs/none.xlsx', 'unchanged', false],
  ])('%s quoted as %j: %p', async (locator, quote, isAccepted) => {
    const { accepted } = await ground(
      { pass: true, citations: [{ locator, quote }] },
      { artifacts: files },
    );
    expect(accepted).toBe(isAccepted);
  });
});

it('a formula is the same with and without the prefixes that files put before new functions', async () => {
  const cell = { value: 3, shown: '3', formula: '=XLOOKUP(A1,B:B,C:C)' };
  const files: FakeArtifact[] = [{ artifact: 'results/new.xlsx', sheets: { S: [[cell]] } }];
  const locator = 'results/new.xlsx#cells=S!A1';
  const quote = '=_xlfn.XLOOKUP(A1, B:B, C:C)';
  const { accepted } = await ground(
    { pass: true, citations: [{ locator, quote }] },
    { artifacts: files },
  );
  expect(accepted).toBe(true);
});
