import { type Command } from 'commander';
import { readSettings } from '../../config/environment';
import { toJson } from '../render/json';
import { capacityOptions, workerArguments, type WorkerFlags } from './worker';

export function register(program: Command): void {
  const up = program
    .command('up')
    .description(
      'Start the local stack: Temporal (unless TEMPORAL_ADDRESS is set), provider, gateway, worker. ' +
        'Options that are not given stay as they are until `down`.',
    )
    .option('--json', 'print the parts as JSON');
  capacityOptions(up).action(async (flags: WorkerFlags & { json?: boolean }) => {
    const { startStack } = await import('../../workers/local-stack.js');
    const parts = await startStack({
      settings: readSettings(),
      self: ownCommand(),
      workerArguments: workerArguments(flags),
      say: (line) => process.stderr.write(`startupbench: ${line} ...\n`),
    });
    if (flags.json === true) process.stdout.write(`${toJson(parts)}\n`);
    else
      for (const { part, state, address } of parts)
        process.stdout.write(`${part.padEnd(9)} ${state.padEnd(28)} ${address}\n`);
    // As after an update of the code: without a word, runs would wait for an image until they fail.
    const { imagesMissedByAll } = await import('../../workers/doctor-images.js');
    const missing = await imagesMissedByAll(readSettings());
    if (missing !== undefined)
      process.stderr.write(`startupbench: warning: images are missing: ${missing}\n`);
  });
}

/** How this process was started, so that a worker can be started the same way. */
function ownCommand(): [string, ...string[]] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
}
