import { type Command } from 'commander';
import { registerLint } from './task-lint';
import { registerTry } from './task-try';

export function register(program: Command): void {
  const task = program.command('task').description('For authors of tasks.');
  registerLint(task);
  registerTry(task);
}
