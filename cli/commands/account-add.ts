import { type Command, Option } from 'commander';
import { ACCOUNT_PRESETS, type AccountPreset } from '../../config/account-presets';
import { addAccount } from '../../config/edit-providers';
import { readSettings } from '../../config/environment';
import { type FieldFault, faultsOfGiven, type GivenAccount } from '../../config/given-account';
import { ownCommand } from '../../config/own-command';
import { OPERATOR_PROTOCOLS } from '../../core/account';
import { CommandError, EXIT } from '../exit';
import { commaList, countFlag } from '../render/flags';
import { priceFlag } from '../render/price-flag';

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
  readonly price?: NonNullable<GivenAccount['prices']>;
}

/** The option that a field of an entry was given by. */
const OPTION_OF: Readonly<Record<FieldFault['field'], string>> = {
  name: 'the name',
  protocol: '--protocol',
  baseUrl: '--base-url',
  keyEnv: '--key-env',
  keyFile: '--key-file',
  models: '--models',
  maxConcurrency: '--max-concurrency',
  allowPrivateAddresses: '--allow-private-addresses',
  streaming: '--no-streaming',
  prices: '--price',
};

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
    .option(
      '--price <model=in/out[/cached]>',
      'US dollars for a million tokens of input, output and cached input (without: as input); once for each model',
      priceFlag,
    )
    .option('--allow-private-addresses', 'the server is on this machine or in a private network')
    .option('--no-streaming', 'the server cannot stream')
    .action(addFromFlags);
}

function addFromFlags(name: string, flags: AddFlags): void {
  const preset = Object.hasOwn(ACCOUNT_PRESETS, name) ? ACCOUNT_PRESETS[name] : undefined;
  const given = accountOf(name, flags, preset);
  const { providersFile } = readSettings();
  const faults = faultsOfGiven(providersFile, name, given);
  if (faults.length > 0) throw new CommandError(EXIT.usage, faultLines(faults));
  addAccount(providersFile, name, given);
  process.stdout.write(`added "${name}" to ${providersFile}\n`);
  const { keyEnv } = given;
  if (keyEnv !== undefined && (process.env[keyEnv] ?? '') === '')
    process.stdout.write(`set ${keyEnv} in the environment of \`up\` and of workers\n`);
  const isNamed = (flags.models ?? flags.price ?? preset) !== undefined;
  const check = `${ownCommand()} account check ${name}${isNamed ? '' : ' --models ...'}`;
  process.stdout.write(`see what works there: ${check}\n`);
}

function accountOf(name: string, flags: AddFlags, preset: AccountPreset | undefined): GivenAccount {
  const baseUrl = flags.baseUrl ?? preset?.baseUrl;
  if (baseUrl === undefined)
    throw new CommandError(EXIT.usage, `the address of "${name}" is not known: give --base-url`);
  const keyEnv = keyVariable(flags, preset?.keyEnv);
  return {
    protocol: flags.protocol ?? preset?.protocol ?? 'openai',
    baseUrl,
    ...(keyEnv !== undefined && { keyEnv }),
    ...givenOptions(flags),
  };
}

function keyVariable(flags: AddFlags, usual: string | undefined): string | undefined {
  if (flags.keyEnv !== undefined || flags.keyFile !== undefined || !flags.key) return flags.keyEnv;
  if (usual !== undefined) return usual;
  throw new CommandError(EXIT.usage, 'say where the key is: --key-env, --key-file, or --no-key');
}

/** Each fault by the option that it was given by. Values are not repeated: an address may hold a key. */
function faultLines(faults: readonly FieldFault[]): string {
  return faults.map(({ field, message }) => `${OPTION_OF[field]}: ${message}`).join('\n');
}

function givenOptions(flags: AddFlags): Partial<GivenAccount> {
  return {
    ...(flags.keyFile !== undefined && { keyFile: flags.keyFile }),
    ...(flags.models !== undefined && { models: flags.models }),
    ...(flags.maxConcurrency !== undefined && { maxConcurrency: flags.maxConcurrency }),
    ...(flags.allowPrivateAddresses === true && { allowPrivateAddresses: true }),
    ...(!flags.streaming && { streaming: false }),
    ...(flags.price !== undefined && { prices: flags.price }),
  };
}
