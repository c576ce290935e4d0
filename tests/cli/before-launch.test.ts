import { askFirst } from '../../cli/before-launch';
import { type BuiltPlan } from '../../workers/build-plan';

const BUILT = {
  plan: { sweep: 'demo' },
  paidModels: [],
  counts: { planned: 4, reused: 0, toJudge: 0, toRun: 4, orphaned: 0, dropped: 3 },
} as unknown as BuiltPlan;

/** As in a script: nobody can be asked. */
async function launch(isOpen: boolean, yes?: true, built = BUILT): Promise<string[]> {
  const said: string[] = [];
  const flags = { budget: true, ...(yes && { yes }) };
  const asked = askFirst(
    built,
    flags,
    async () => isOpen,
    (line) => said.push(line),
  );
  await asked.catch((error: unknown) => said.push(String(error)));
  return said;
}

describe('a launch while a sweep of its name is open with runs that it does not plan', () => {
  let isTerminal: boolean;
  beforeEach(() => {
    isTerminal = process.stdin.isTTY;
    process.stdin.isTTY = false;
  });
  afterEach(() => {
    process.stdin.isTTY = isTerminal;
  });

  it('takes its place only at the word of the user, who is told what that ends', async () => {
    const [warning, refusal] = await launch(true);
    expect(warning).toContain('of which 3 unfinished runs are no part of this one');
    expect(warning).toContain('give this one another name');
    expect(refusal).toContain('this launch ends 3 unfinished runs: pass --yes');
    expect(await launch(true, true)).toEqual([warning]);
  });

  it('asks nothing where none is open, or all of its runs go on', async () => {
    expect(await launch(false)).toEqual([]);
    const same = { ...BUILT, counts: { ...BUILT.counts, dropped: 0 } };
    expect(await launch(true, undefined, same)).toEqual([]);
  });
});
