import { type Command } from 'commander';
import { registerImport } from './submission-import';
import { registerList } from './submission-list';

export function register(program: Command): void {
  const submission = program
    .command('submission')
    .description('Deliverables made elsewhere, judged and reported beside our own lanes.');
  registerImport(submission);
  registerList(submission);
}
