import { type Command } from 'commander';
import { readSettings } from '../../config/environment';
import { type ListedAccount, readListedAccounts } from '../../config/listed-accounts';
import { ownCommand } from '../../config/own-command';
import { type Account } from '../../core/account';
import { toJson } from '../render/json';
import { renderTable } from '../render/table';
import { terminalWidth } from '../render/width';

export function registerList(account: Command): void {
  account
    .command('list')
    .description('Accounts of this machine, without their keys.')
    .option('--json', 'print the accounts as JSON')
    .action((flags: { json?: boolean }) => {
      const { providersFile: file } = readSettings();
      const accounts = readListedAccounts(file, process.env).map(withoutKey);
      if (flags.json === true) {
        process.stdout.write(`${toJson(accounts)}\n`);
        return;
      }
      if (accounts.length === 0) {
        process.stdout.write(`no accounts in ${file}: ${ownCommand()} account add makes one\n`);
        return;
      }
      const rows = accounts.map((each) => [
        each.name,
        each.protocol,
        each.baseUrl,
        each.keyFault === undefined ? (each.hasKey ? 'yes' : 'no') : 'missing',
        each.models.length === 0 ? 'any' : each.models.join(', '),
        String(each.maxConcurrency),
      ]);
      const columns = ['account', 'protocol', 'address', 'key', 'models', 'calls at once'];
      process.stdout.write(
        `${renderTable(columns, rows, { right: (column) => column === 5, width: terminalWidth(process.stdout) })}\n`,
      );
      for (const { keyFault } of accounts)
        if (keyFault !== undefined) process.stderr.write(`${keyFault}\n`);
    });
}

function withoutKey({
  account: { apiKey, ...account },
  keyFault,
}: ListedAccount): Omit<Account, 'apiKey'> & { hasKey: boolean; keyFault?: string } {
  return {
    ...account,
    hasKey: apiKey !== undefined,
    ...(keyFault === undefined ? {} : { keyFault }),
  };
}
