import { type Command } from 'commander';
import { readSettings } from '../../config/environment';

export function register(program: Command): void {
  program
    .command('down')
    .description('Stop what `up` started. Nothing is lost: the next `up` and `sweep run` go on.')
    .option('--json', 'print what was stopped as JSON')
    .action(async (flags: { json?: boolean }) => {
      const { stopStack } = await import('../../workers/local-stack.js');
      const stopped = await stopStack(readSettings());
      if (flags.json === true) process.stdout.write(`${JSON.stringify({ stopped })}\n`);
      else if (stopped.length === 0) process.stdout.write('nothing was running\n');
      else process.stdout.write(`stopped ${stopped.join(', ')}\n`);
    });
}
