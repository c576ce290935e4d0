import { type Command } from 'commander';
import { registerAdd } from './account-add';
import { registerCheck } from './account-check';
import { registerList } from './account-list';
import { registerRemove } from './account-remove';

export function register(program: Command): void {
  const account = program
    .command('account')
    .description('Providers that this machine may call (providers.yaml).');
  registerList(account);
  registerAdd(account);
  registerCheck(account);
  registerRemove(account);
}
