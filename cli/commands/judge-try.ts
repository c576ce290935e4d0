import { resolve } from 'node:path';
import { type Command } from 'commander';
import { percentText } from '../../core/percent-text';
import { plural } from '../../core/plural';
import { providerMark } from '../../core/provider-mark';
import { type TriedFolder } from '../../workers/try-judge';
import { CommandError, EXIT } from '../exit';
import { PATTERN_SWEEP, patternSweep } from '../pattern-sweep';
import { itemLines } from '../render/run';

interface JudgeTryFlags {
  readonly item?: string;
  readonly sweep?: string;
  readonly subject?: string;
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
    .option('--json', 'print items and score as JSON')
    .action(tryJudge);
}

async function tryJudge(task: string, results: string, flags: JudgeTryFlags): Promise<void> {
  const { tryJudgeFolder } = await import('../../workers/try-judge.js');
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
      signal: stop.signal,
      onDecided: (item) => process.stderr.write(`${item.id}: ${item.outcome}\n`),
    });
    print(tried, flags.json === true);
    if (tried.score.unjudged > 0)
      throw new CommandError(
        EXIT.incomplete,
        `${plural(tried.score.unjudged, 'item is', 'items are')} unjudged`,
      );
  } catch (error) {
    if (stop.signal.aborted) throw new CommandError(EXIT.detached, 'stopped');
    throw error;
  } finally {
    process.removeListener('SIGINT', interrupt);
  }
}

function print(tried: TriedFolder, json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(tried, undefined, 2)}\n`);
    return;
  }
  const [low, high] = tried.score.interval;
  const score =
    low === high
      ? `${percentText(low, 2)} %`
      : `between ${percentText(low, 2)} and ${percentText(high, 2)} %`;
  const lines = tried.items.flatMap((item) => [...itemLines(item), '']);
  process.stdout.write(
    `${lines.join('\n')}score of these items${providerMark(tried.judgeProvider)}: ${score}\n`,
  );
}
