import { type Command } from 'commander';

export function register(program: Command): void {
  program
    .command('gateway')
    .description(
      'Run the gateway of this data folder in the foreground; ends with code 0 when one runs already.',
    )
    .action(async () => {
      // The file is a program of its own: `up` and workers start it directly.
      await import('../../workers/gateway-main.js');
    });
}
