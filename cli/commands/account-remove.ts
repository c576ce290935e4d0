import { type Command } from 'commander';
import { removeAccount } from '../../config/edit-providers';
import { readSettings } from '../../config/environment';

export function registerRemove(account: Command): void {
  account
    .command('remove')
    .argument('<name>', 'an account of providers.yaml')
    .description('Take an account out of providers.yaml; its key stays where it is.')
    .action((name: string) => {
      const { providersFile } = readSettings();
      removeAccount(providersFile, name);
      process.stdout.write(`removed "${name}" from ${providersFile}\n`);
    });
}
