import { EvidenceDesk } from '../../../activities/judge/evidence-desk';
import { fakeEvidence, locatorText } from './fake-evidence';
import { BOOK, NOTE, cite, ground } from './stock-evidence';

describe('what a verdict needs', () => {
  const search = (query: string, found: readonly string[], searched = [BOOK, NOTE]) => ({
    query,
    searched,
    found,
  });

  it('a pass needs a deliverable, not only a given file', async () => {
    const input = cite('inputs/stock.csv#lines=1-1', 'Bolts,12');
    expect(await ground(input)).toMatchObject({ accepted: false });
    expect(await ground({ ...input, pass: false })).toMatchObject({ accepted: true });
  });

  it('a pass by searches is for items about absence', async () => {
    const searched = [{ artifact: NOTE, query: 'draft' }];
    const log = { searches: [search('Draft', [])], pages: [] };
    const absence = 'note.md holds no draft remarks.';
    expect(await ground({ searched }, { log, item: absence })).toMatchObject({ accepted: true });
    expect(await ground({ searched }, { log, item: 'note.md is complete.' })).toMatchObject({
      accepted: false,
    });
  });

  it('a fail by searches must cover the files concerned, with nothing found', async () => {
    const item = 'The workbook and the PDF are dated.';
    const fail = { pass: false, searched: [{ artifact: BOOK, query: 'date' }] };
    const log = (found: string[]) => ({ searches: [search('date', found)], pages: [] });
    expect(await ground(fail, { log: log([]), item })).toMatchObject({ accepted: true });
    expect(await ground(fail, { log: log([BOOK]), item })).toEqual({
      accepted: false,
      problems: [expect.stringContaining(BOOK)],
    });
    const inNote = { pass: false, searched: [{ artifact: NOTE, query: 'date' }] };
    expect(await ground(inNote, { log: log([]), item })).toMatchObject({ accepted: false });
  });

  it('one search that found something spoils the others', async () => {
    const searched = ['draft', 'total'].map((query) => ({ artifact: NOTE, query }));
    const log = { searches: [search('draft', []), search('total', [NOTE])], pages: [] };
    const item = 'note.md holds no draft remarks.';
    expect(await ground({ searched }, { log, item })).toEqual({
      accepted: false,
      problems: [expect.stringContaining(`it found something in "${NOTE}"`)],
    });
  });

  it('a search that was not made is refused', async () => {
    const fail = { pass: false, searched: [{ artifact: BOOK, query: 'date' }] };
    expect(await ground(fail)).toEqual({
      accepted: false,
      problems: [expect.stringContaining('did not make it')],
    });
  });

  it('a file that was asked for and is not there fails by its name', async () => {
    const absent = {
      pass: false,
      searched: [{ artifact: 'results/summary.pdf', query: 'summary.pdf' }],
    };
    expect(await ground(absent)).toMatchObject({ accepted: true });
    expect(await ground({ ...absent, pass: true })).toMatchObject({ accepted: false });
    const other = { pass: false, searched: [{ artifact: 'results/plan.pdf', query: 'plan.pdf' }] };
    expect(await ground(other)).toMatchObject({ accepted: false });
    const near = { pass: false, searched: [{ artifact: 'results/Stock.xlsx', query: 'x' }] };
    expect(await ground(near)).toEqual({
      accepted: false,
      problems: [expect.stringContaining('there is "results/stock.xlsx"')],
    });
  });

  it.each(['e', 'pdf', 'summary', 'ummary.pdf', 'summary.p'])(
    'a file that nobody asked for shows nothing, though the request holds its letters: %s',
    async (name) => {
      const absent = { pass: false, searched: [{ artifact: `results/${name}`, query: 'x' }] };
      expect(await ground(absent)).toEqual({
        accepted: false,
        problems: [expect.stringContaining('asks for a file of that name')],
      });
    },
  );

  it('nothing at all grounds nothing', async () => {
    expect(await ground({})).toMatchObject({ accepted: false });
    expect(await ground({ pass: false })).toMatchObject({ accepted: false });
  });

  it('prints locators that it reads back', async () => {
    const desk = new EvidenceDesk(
      fakeEvidence([{ artifact: 'results/a<<<b>>>.md', lines: ['x'] }]),
    );
    const entry = desk.find('results/a＜＜＜b＞＞＞.md');
    expect(entry?.artifact).toBe('results/a<<<b>>>.md');
    const parsed = await desk.parse('results/a＜＜＜b＞＞＞.md#lines=1-1');
    expect(parsed && locatorText(parsed)).toBe('results/a<<<b>>>.md#lines=1-1');
  });
});
