import { type Command } from 'commander';
import { CommandError, EXIT } from '../exit';
import { countFlag } from '../render/flags';
import { printRun } from '../render/run';
import { printTranscript, type Transcript } from '../render/transcript';

interface ShowFlags {
  readonly item?: string;
  readonly generation?: number;
  readonly transcript?: boolean;
  readonly attempt?: number;
  readonly json?: boolean;
}

export function registerShow(run: Command): void {
  run
    .command('show')
    .argument('<sweep>', 'id of a sweep')
    .argument('<run>', 'id of a run, or its last parts (task/r1) where no other run has them')
    .description(
      'Stages, attempts and verdicts of a run, citations resolved to the text they point at.',
    )
    .option('--item <id>', 'only this item of the rubric')
    .option('--generation <n>', 'this generation (default: the one that counts)', countFlag)
    .option('--transcript', "print an attempt's transcript instead")
    .option('--attempt <k>', 'whose transcript (default: the attempt that counts)', countFlag)
    .option('--json', 'print as JSON')
    .action(async (sweep: string, id: string, flags: ShowFlags) => {
      const { openResults } = await import('../../workers/open-results.js');
      const { findRun } = await import('../../workers/find-run.js');
      const { runDetails } = await import('../../workers/run-details.js');
      const { askOpenRuns } = await import('../../workers/open-runs.js');
      const results = await openResults(sweep);
      const run = findRun(results.plan, id);
      const open = await askOpenRuns(results.settings, results.plan);
      const details = await runDetails({ ...results, open }, run, flags.generation);
      if (flags.transcript === true) {
        const chosen = details.attempts.find(({ attempt, counts }) =>
          flags.attempt === undefined ? counts : attempt === flags.attempt,
        );
        const last = flags.attempt === undefined ? details.attempts.at(-1) : undefined;
        if (flags.attempt !== undefined && chosen === undefined)
          throw new CommandError(
            EXIT.usage,
            `${details.runId} has no attempt ${flags.attempt}; there are ${details.attempts.map(({ attempt }) => attempt).join(', ') || 'none yet'}`,
          );
        const reference = (chosen ?? last)?.record?.transcript;
        if (reference === undefined)
          throw new CommandError(EXIT.failed, `${details.runId} has no transcript in the store`);
        const blob = await results.store.getBlob('open', reference.sha256);
        const text = Buffer.from(blob).toString('utf8');
        process.stdout.write(
          flags.json === true ? `${text}\n` : printTranscript(JSON.parse(text) as Transcript),
        );
        return;
      }
      if (flags.item !== undefined && !details.items.some((item) => item.id === flags.item))
        throw new CommandError(
          EXIT.usage,
          `${details.runId} has no item ${flags.item}; there are ${details.items.map((item) => item.id).join(', ') || 'none yet'}`,
        );
      const items = details.items.filter(
        (item) => flags.item === undefined || item.id === flags.item,
      );
      const shown = { ...details, items };
      process.stdout.write(
        flags.json === true ? `${JSON.stringify(shown, undefined, 2)}\n` : printRun(shown),
      );
    });
}
