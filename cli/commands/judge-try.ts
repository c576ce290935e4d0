import { resolve } from 'node:path';
import { type Command } from 'commander';
import { addCost, formatUsd, type MicroUsd } from '../../core/money';
import { percentText } from '../../core/percent-text';
import { plural } from '../../core/plural';
import { providerMark } from '../../core/provider-mark';
import { type PaidJudging, type TriedFolder } from '../../workers/try-judge';
import { confirmOrCancel } from '../confirm';
import { CommandError, EXIT } from '../exit';
import { PATTERN_SWEEP, patternSweep } from '../pattern-sweep';
import { escapeText } from '../render/escape';
import { toJson } from '../render/json';
import { itemLines } from '../render/run';

interface JudgeTryFlags {
  readonly item?: string;
  readonly sweep?: string;
  readonly subject?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function register(program: Command): void {
  const judge = program.command('judge').description('For whoever words a rubric.');
  judge
    .command('try')
    .argument('<task>', 'task folder')
    .argument('<results>', "folder of deliverables, such as the task's reference/")
    .description(
      'Judge a folder of deliverables against a rubric or one item; no verdict is stored.',
    )
    .option('--item <id>', 'only this item')
    .option('--sweep <file>', `take the judge from this sweep file (default: ${PATTERN_SWEEP})`)
    .option('--subject <name>', 'whose recordings a replayed judge answers from')
    .option('--yes', 'do not ask before a judge that costs money')
    .option('--json', 'print items, score and cost as JSON')
    .action(tryJudge);
}

async function tryJudge(task: string, results: string, flags: JudgeTryFlags): Promise<void> {
  const { tryJudgeFolder } = await import('../../workers/try-judge.js');
  let spent: MicroUsd | undefined = 0;
  const stop = new AbortController();
  const interrupt = (): void => {
    stop.abort();
  };
  process.once('SIGINT', interrupt);
  try {
    const tried = await tryJudgeFolder({
      taskFolder: resolve(task),
      resultsFolder: resolve(results),
      sweepFile: patternSweep(flags.sweep),
      ...(flags.item !== undefined && { itemId: flags.item }),
      ...(flags.subject !== undefined && { subject: flags.subject }),
      confirm: (paid) => confirmPaid(paid, flags.yes === true),
      signal: stop.signal,
      onDecided: (item) => {
        spent = addCost(spent, item.costMicroUsd);
        process.stderr.write(`${item.id}: ${item.outcome}\n`);
      },
    });
    print(tried, flags.json === true);
    if (tried.score.unjudged > 0)
      throw new CommandError(
        EXIT.incomplete,
        `${plural(tried.score.unjudged, 'item is', 'items are')} unjudged`,
      );
  } catch (error) {
    if (stop.signal.aborted)
      throw new CommandError(
        EXIT.detached,
        `stopped; the judge of the decided items cost ${formatUsd(spent)}, the sessions that were open are not counted`,
      );
    throw error;
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}

/** Says what asking a paid judge comes to, and asks, as `sweep run` does. */
export async function confirmPaid(
  { model, items, cost }: PaidJudging,
  yes: boolean,
  terminal: ConfirmTerminal = { isTTY: process.stdin.isTTY, confirm: confirmOrCancel, say },
): Promise<void> {
  const count = items.low === items.high ? `${items.high}` : `${items.low} to ${items.high}`;
  const known = cost.low !== undefined || cost.high !== undefined;
  const price = known
    ? `${formatUsd(cost.low)} - ${formatUsd(cost.high)}, estimated by default token counts`
    : 'price unknown';
  const noun = items.high === 1 ? 'item' : 'items';
  terminal.say(`${model} is asked about ${count} ${noun}: ${price}`);
  if (yes) return;
  if (!terminal.isTTY)
    throw new CommandError(
      EXIT.usage,
      'this judge costs money: pass --yes where nobody can be asked',
    );
  await terminal.confirm('ask it?');
}

interface ConfirmTerminal {
  readonly isTTY: boolean | undefined;
  readonly confirm: (question: string) => Promise<void>;
  readonly say: (line: string) => void;
}

function say(line: string): void {
  process.stderr.write(`${escapeText(line)}\n`);
}

function print(tried: TriedFolder, json: boolean): void {
  if (json) {
    process.stdout.write(`${toJson(tried)}\n`);
    return;
  }
  const [low, high] = tried.score.interval;
  const score =
    low === high
      ? `${percentText(low, 2)} %`
      : `between ${percentText(low, 2)} and ${percentText(high, 2)} %`;
  const lines = tried.items.flatMap((item) => [...itemLines(item), '']);
  process.stdout.write(
    `${lines.join('\n')}score of these items${providerMark(tried.judgeProvider)}: ${score}\n` +
      `the judge cost ${formatUsd(tried.costMicroUsd)}\n`,
  );
}
