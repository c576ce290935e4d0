import { type Command } from 'commander';
import { registerFiles } from './run-files';
import { registerList } from './run-list';
import { registerShow } from './run-show';

export function register(program: Command): void {
  const run = program.command('run').description('Look into single runs of a sweep.');
  registerList(run);
  registerShow(run);
  registerFiles(run);
}
