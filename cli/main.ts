import { Command, CommanderError } from 'commander';
import { version } from '../package.json';
import { ownCommand } from '../config/own-command';
import { EXIT, exitCodeOf, messageOf } from './exit';
import { escapeBlock } from './render/escape';
import { register as registerAccount } from './commands/account';
import { register as registerDoctor } from './commands/doctor';
import { register as registerDown } from './commands/down';
import { register as registerGateway } from './commands/gateway';
import { register as registerJudgeTry } from './commands/judge-try';
import { register as registerReport } from './commands/report';
import { register as registerRun } from './commands/run';
import { register as registerSubmission } from './commands/submission';
import { register as registerSweep } from './commands/sweep';
import { register as registerTask } from './commands/task';
import { register as registerUp } from './commands/up';
import { register as registerWorker } from './commands/worker';

/** Every command is a file of cli/commands with `register(program)`; heavy modules are loaded when a command runs. */
const COMMANDS = [
  registerUp,
  registerDown,
  registerDoctor,
  registerAccount,
  registerSweep,
  registerSubmission,
  registerRun,
  registerReport,
  registerTask,
  registerJudgeTry,
  registerWorker,
  registerGateway,
];

async function main(): Promise<void> {
  const program = new Command('startupbench')
    .description(
      'Runs and scores StartupBench: agents deliver office work, a judge checks it item by item.',
    )
    .version(version, '--version', 'print the version')
    .showHelpAfterError(`(${ownCommand()} --help lists the commands)`)
    .exitOverride();
  for (const register of COMMANDS) register(program);
  hintAtOwnHelp(program, ownCommand());
  await program.parseAsync();
}

/** After a mistake: one line that says where help is, for the command that was meant. */
function hintAtOwnHelp(command: Command, path: string): void {
  for (const child of command.commands) {
    const own = `${path} ${child.name()}`;
    child.showHelpAfterError(`(${own} --help says more)`);
    hintAtOwnHelp(child, own);
  }
}

function end(error: unknown): void {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
    return;
  }
  const message = messageOf(error);
  if (message !== '') process.stderr.write(`startupbench: ${escapeBlock(message)}\n`);
  // At once: calls to a server that went away would go on trying behind a command that is over.
  process.exit(exitCodeOf(error));
}

/** A call that gRPC tried again by its own timer after the command had closed its connection: nobody waits for it. */
function isLateRetry(error: Error): boolean {
  return error.message === 'Channel has been shut down';
}

// Errors of streams that nobody waits for, such as a full disk or a reader that went away, end the same way.
process.on('uncaughtException', (error) => {
  if (!isLateRetry(error)) end(error);
});
process.stdout.on('error', end);
let isOver = false;
// Node leaves when nothing can happen any more: without this, work that was never done would end with code 0.
process.on('beforeExit', () => {
  if (!isOver) end(new Error('the command stopped before its work was done; please report this'));
});
void main()
  .catch(end)
  .finally(() => {
    isOver = true;
  });
