import { type Command } from 'commander';
import { refuseCopy } from '../../config/data-place';
import { lookAtSettings } from '../../config/environment';
import { ownCommand } from '../../config/own-command';
import { plural } from '../../core/plural';
import { toJson } from '../render/json';

export function register(program: Command): void {
  program
    .command('down')
    .description('Stop what `up` started. Nothing is lost: the next `up` and `sweep run` go on.')
    .option('--json', 'print what was stopped as JSON')
    .action(async (flags: { json?: boolean }) => {
      const { runningSandboxes, stopStack } = await import('../../workers/local-stack.js');
      const settings = lookAtSettings();
      // Its process ids are those of the original.
      refuseCopy(settings.dataDir, false);
      const stopped = await stopStack(settings, (line) =>
        process.stderr.write(`startupbench: ${line}\n`),
      );
      const sandboxes = await runningSandboxes(settings);
      if (flags.json === true)
        process.stdout.write(
          `${toJson({ stopped, sandboxes: sandboxes ?? null }, undefined, 0)}\n`,
        );
      else if (stopped.length === 0) process.stdout.write('nothing was running\n');
      else process.stdout.write(`stopped ${stopped.join(', ')}\n`);
      if (flags.json !== true && sandboxes !== undefined && sandboxes > 0)
        process.stdout.write(
          `${plural(sandboxes, 'sandbox', 'sandboxes')} ${sandboxes === 1 ? 'keeps' : 'keep'} running; ` +
            `the next \`${ownCommand()} up\` picks ${sandboxes === 1 ? 'it' : 'them'} up\n`,
        );
    });
}
