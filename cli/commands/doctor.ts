import { type Command } from 'commander';
import { lookAtSettings } from '../../config/environment';
import { CommandError, EXIT } from '../exit';
import { escapeText } from '../render/escape';
import { toJson } from '../render/json';

export function register(program: Command): void {
  program
    .command('doctor')
    .description('Say what this machine has, what is missing for a sweep, and what to do about it.')
    .option('--json', 'print the findings as JSON')
    .action(async (flags: { json?: boolean }) => {
      const { examine } = await import('../../workers/doctor.js');
      const stopped = stopOnInterrupt();
      const findings = await examine(lookAtSettings(), stopped);
      if (stopped.aborted) throw new CommandError(EXIT.detached, 'stopped');
      if (flags.json === true) process.stdout.write(`${toJson(findings)}\n`);
      else
        for (const { what, state, detail } of findings)
          process.stdout.write(`${state.padEnd(8)} ${what.padEnd(13)} ${escapeText(detail)}\n`);
      const missing = findings.filter((finding) => finding.state === 'missing');
      if (missing.length > 0)
        throw new CommandError(
          EXIT.failed,
          `missing: ${missing.map(({ what }) => what).join(', ')}`,
        );
    });
}

/** The sandbox that is tried would else stay. A second signal ends the command at once. */
function stopOnInterrupt(): AbortSignal {
  const stopped = new AbortController();
  const stop = (): void => {
    if (stopped.signal.aborted) process.exit(EXIT.detached);
    process.stderr.write('startupbench: removing the sandbox that is tried ...\n');
    stopped.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return stopped.signal;
}
