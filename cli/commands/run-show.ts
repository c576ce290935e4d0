import { type Command } from 'commander';
import { type OpenResults } from '../../workers/open-results';
import { type RunDetails } from '../../workers/run-details';
import { CommandError, EXIT } from '../exit';
import { countFlag, onlyOneOf, onlyWith } from '../render/flags';
import { toJson } from '../render/json';
import { printRun } from '../render/run';
import { printTranscript, type Transcript } from '../render/transcript';

interface ShowFlags {
  readonly item?: string;
  readonly unmet?: boolean;
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
    .option('--unmet', 'only items that are not met')
    .option('--generation <n>', 'this generation (default: the one that counts)', countFlag)
    .option('--transcript', "print an attempt's transcript instead")
    .option(
      '--attempt <k>',
      'whose transcript (with --transcript; default: the attempt that counts)',
      countFlag,
    )
    .option('--json', 'print as JSON')
    .action(showRun);
}

async function showRun(sweep: string, id: string, flags: ShowFlags): Promise<void> {
  const { transcript, item, unmet } = flags;
  onlyWith('--transcript', transcript, { '--attempt': flags.attempt });
  onlyOneOf({ '--transcript': transcript, '--item': item, '--unmet': unmet });
  const { openResults } = await import('../../workers/open-results.js');
  const { findRun } = await import('../../workers/find-run.js');
  const { runDetails } = await import('../../workers/run-details.js');
  const { askOpenRuns } = await import('../../workers/open-runs.js');
  const results = await openResults(sweep);
  const run = findRun(results.plan, id);
  const open = await askOpenRuns(results.settings, results.plan);
  const details = await runDetails({ ...results, open }, run, flags.generation);
  if (transcript === true) await showTranscript(results.store, details, flags);
  else showVerdicts(details, flags);
}

async function showTranscript(
  store: OpenResults['store'],
  { runId, attempts }: RunDetails,
  { attempt: wanted, json }: ShowFlags,
): Promise<void> {
  const chosen = attempts.find(({ attempt, counts }) =>
    wanted === undefined ? counts : attempt === wanted,
  );
  const last = wanted === undefined ? attempts.at(-1) : undefined;
  if (wanted !== undefined && chosen === undefined)
    throw new CommandError(
      EXIT.usage,
      `${runId} has no attempt ${wanted}; there are ${attempts.map(({ attempt }) => attempt).join(', ') || 'none yet'}`,
    );
  const reference = (chosen ?? last)?.record?.transcript;
  if (reference === undefined)
    throw new CommandError(EXIT.failed, `${runId} has no transcript in the store`);
  const text = Buffer.from(await store.getBlob('open', reference.sha256)).toString('utf8');
  process.stdout.write(
    json === true ? `${text}\n` : printTranscript(JSON.parse(text) as Transcript),
  );
}

function showVerdicts(details: RunDetails, { item: wanted, unmet, json }: ShowFlags): void {
  const all = details.items;
  if (wanted !== undefined && !all.some(({ id }) => id === wanted))
    throw new CommandError(
      EXIT.usage,
      `${details.runId} has no item ${wanted}; there are ${all.map(({ id }) => id).join(', ') || 'none yet'}`,
    );
  const items = all.filter(
    ({ id, outcome }) =>
      (wanted === undefined || id === wanted) && (unmet !== true || outcome !== 'met'),
  );
  const shown = { ...details, items };
  process.stdout.write(json === true ? `${toJson(shown)}\n` : printRun(shown));
  if (unmet === true && all.length > 0 && items.length === 0)
    process.stderr.write('every item is met\n');
}
