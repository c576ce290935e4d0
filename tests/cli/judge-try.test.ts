import { confirmPaid } from '../../cli/commands/judge-try';
import { CommandError } from '../../cli/exit';

const PAID = {
  model: 'big-judge',
  items: { low: 3, high: 5 },
  cost: { low: 20_000, high: 1_000_000 },
};
const LINE =
  'big-judge is asked about 3 to 5 items: $0.0200 - $1.00, estimated by default token counts';

function terminal(isTTY: boolean) {
  const said: string[] = [];
  const asked: string[] = [];
  const confirm = async (question: string) => void asked.push(question);
  return { isTTY, confirm, say: (line: string) => void said.push(line), said, asked };
}

describe('confirmPaid', () => {
  it('says what a paid judge comes to, and asks on a terminal', async () => {
    const own = terminal(true);
    await confirmPaid(PAID, false, own);
    expect(own).toMatchObject({ said: [LINE], asked: ['ask it?'] });
  });

  it('refuses where nobody can be asked, before anything is paid', async () => {
    const own = terminal(false);
    const refused = confirmPaid(PAID, false, own);
    await expect(refused).rejects.toThrow('this judge costs money: pass --yes');
    await expect(refused).rejects.toBeInstanceOf(CommandError);
    await expect(refused).rejects.toMatchObject({ code: 2 });
  });

  it.each([true, false])(
    'does not ask with --yes, and says it all the same (%p)',
    async (isTTY) => {
      const own = terminal(isTTY);
      await confirmPaid({ ...PAID, items: { low: 1, high: 1 } }, true, own);
      expect(own.asked).toEqual([]);
      expect(own.said).toEqual([expect.stringMatching(/^big-judge is asked about 1 item: /u)]);
    },
  );

  it('does not make up a price', async () => {
    const own = terminal(true);
    await confirmPaid({ ...PAID, cost: { low: undefined, high: undefined } }, true, own);
    expect(own.said).toEqual(['big-judge is asked about 3 to 5 items: price unknown']);
  });
});
