import { type Command } from 'commander';
import { readSettings } from '../../config/environment';
import { capacityOptions, workerArguments, type WorkerFlags } from './worker';

export function register(program: Command): void {
  const up = program
    .command('up')
    .description(
      'Start the local stack: Temporal (unless TEMPORAL_ADDRESS is set), provider, gateway, worker.',
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
    if (flags.json === true) process.stdout.write(`${JSON.stringify(parts, undefined, 2)}\n`);
    else
      for (const { part, state, address } of parts)
        process.stdout.write(`${part.padEnd(9)} ${state.padEnd(22)} ${address}\n`);
  });
}

/** How this process was started, so that a worker can be started the same way. */
function ownCommand(): [string, ...string[]] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
}
