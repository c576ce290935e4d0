import { resolve } from 'node:path';
import { type Command } from 'commander';
import { plural } from '../../core/plural';
import { escapeText } from '../render/escape';
import { countFlag } from '../render/flags';
import { toJson } from '../render/json';

interface FilesFlags {
  readonly out?: string;
  readonly generation?: number;
  readonly json?: boolean;
}

export function registerFiles(run: Command): void {
  run
    .command('files')
    .argument('<sweep>', 'id of a sweep')
    .argument('<run>', 'id of a run, or its last parts (task/r1) where no other run has them')
    .description("Write a run's deliverables, transcripts and logs into a folder.")
    .option('--out <folder>', 'a new folder (default: named after the run, here)')
    .option('--generation <n>', 'this generation (default: the one that counts)', countFlag)
    .option('--json', 'print the files as JSON')
    .action(async (sweep: string, id: string, flags: FilesFlags) => {
      const { openResults } = await import('../../workers/open-results.js');
      const { findRun } = await import('../../workers/find-run.js');
      const { runDetails } = await import('../../workers/run-details.js');
      const { exportRun } = await import('../../workers/export-run.js');
      const results = await openResults(sweep);
      const details = await runDetails(results, findRun(results.plan, id), flags.generation);
      const folder = resolve(flags.out ?? details.runId.replaceAll('/', '_'));
      const files = await exportRun(results.store, details, folder);
      if (flags.json === true) process.stdout.write(`${toJson({ folder, files })}\n`);
      else
        for (const { path, bytes } of files)
          process.stdout.write(`${escapeText(path)}  ${plural(bytes, 'byte')}\n`);
      process.stderr.write(`${plural(files.length, 'file')} in ${folder}\n`);
    });
}
