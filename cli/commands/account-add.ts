import { type Command, Option } from 'commander';
import { ACCOUNT_PRESETS } from '../../config/account-presets';
import { addAccount, type GivenAccount } from '../../config/add-account';
import { readSettings } from '../../config/environment';
import { ownCommand } from '../../config/own-command';
import { OPERATOR_PROTOCOLS } from '../../core/account';
import { CommandError, EXIT } from '../exit';
import { commaList, countFlag } from '../render/flags';

interface AddFlags {
  readonly protocol?: string;
  readonly baseUrl?: string;
  readonly keyEnv?: string;
  readonly keyFile?: string;
  readonly key: boolean;
  readonly models?: readonly string[];
  readonly maxConcurrency?: number;
  readonly allowPrivateAddresses?: boolean;
  readonly streaming: boolean;
}

export function registerAdd(account: Command): void {
  account
    .command('add')
    .argument('<name>', `name of the account; known: ${Object.keys(ACCOUNT_PRESETS).join(', ')}`)
    .description('Add an account to providers.yaml. A known name needs nothing more than its key.')
    .addOption(
      new Option(
        '--protocol <protocol>',
        'Chat Completions, OpenAI Responses, or Anthropic Messages',
      ).choices(OPERATOR_PROTOCOLS),
    )
    .option('--base-url <url>', 'address up to and with /v1')
    .option('--key-env <variable>', 'environment variable that holds the key')
    .option('--key-file <path>', 'file that holds the key, relative to providers.yaml')
    .option('--no-key', 'the server wants no key')
    .option('--models <list>', 'models that may be called; without, all', commaList)
    .option('--max-concurrency <n>', 'calls at once from this machine', countFlag)
    .option('--allow-private-addresses', 'the server is in a private network')
    .option('--no-streaming', 'the server cannot stream')
    .action((name: string, flags: AddFlags) => {
      const preset = ACCOUNT_PRESETS[name];
      const baseUrl = flags.baseUrl ?? preset?.baseUrl;
      if (baseUrl === undefined)
        throw new CommandError(
          EXIT.usage,
          `the address of "${name}" is not known: give --base-url`,
        );
      const keyEnv = keyVariable(flags, preset?.keyEnv);
      const { providersFile } = readSettings();
      addAccount(providersFile, name, {
        protocol: flags.protocol ?? preset?.protocol ?? 'openai',
        baseUrl,
        ...(keyEnv !== undefined && { keyEnv }),
        ...givenOptions(flags),
      });
      process.stdout.write(`added "${name}" to ${providersFile}\n`);
      if (keyEnv !== undefined && (process.env[keyEnv] ?? '') === '')
        process.stdout.write(`set ${keyEnv} in the environment of \`up\` and of workers\n`);
      const models = flags.models === undefined && preset === undefined ? ' --models ...' : '';
      const check = `${ownCommand()} account check ${name}${models}`;
      process.stdout.write(`see what works there: ${check}\n`);
    });
}

function keyVariable(flags: AddFlags, usual: string | undefined): string | undefined {
  if (flags.keyEnv !== undefined || flags.keyFile !== undefined || !flags.key) return flags.keyEnv;
  if (usual !== undefined) return usual;
  throw new CommandError(EXIT.usage, 'say where the key is: --key-env, --key-file, or --no-key');
}

function givenOptions(flags: AddFlags): Partial<GivenAccount> {
  return {
    ...(flags.keyFile !== undefined && { keyFile: flags.keyFile }),
    ...(flags.models !== undefined && { models: flags.models }),
    ...(flags.maxConcurrency !== undefined && { maxConcurrency: flags.maxConcurrency }),
    ...(flags.allowPrivateAddresses === true && { allowPrivateAddresses: true }),
    ...(!flags.streaming && { streaming: false }),
  };
}
