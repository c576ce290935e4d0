import { statSync } from 'node:fs';
import { z } from 'zod';
import { type Account, OPERATOR_PROTOCOLS } from '../core/account';
import { Failure } from '../core/failure';
import { type ModelPrices, microUsd } from '../core/money';
import { readAccountKey } from './account-key';
import { type ConfigurationFault, parseLocatedYaml, printFault } from './located-yaml';
import { hasKeyInPath } from './looks-secret';
import { ownCommand } from './own-command';
import { readText } from './read-text';

const usd = z.number().nonnegative().max(1_000_000);
const flatPrices = z.strictObject({
  inputUsdPerMillion: usd,
  /** Left out: cached input costs as much as fresh input. */
  cachedInputUsdPerMillion: usd.optional(),
  cacheWriteUsdPerMillion: usd.optional(),
  outputUsdPerMillion: usd,
});
const pricesSchema = flatPrices.extend({
  /** Prices of the whole call when its input is longer. */
  longContext: flatPrices.extend({ aboveInputTokens: z.int().positive() }).optional(),
});
/** Names of providers of our own. */
export const RESERVED = ['replay', 'simulated'];
export const accountSchema = z
  .strictObject({
    protocol: z.enum(OPERATOR_PROTOCOLS, {
      error:
        'must be "openai" (Chat Completions), "openai-responses" (Responses) or "anthropic" (Messages)',
    }),
    baseUrl: z
      .url({ protocol: /^https?$/u, error: 'must be an http or https address' })
      .refine((text) => isPlainAddress(text), {
        error:
          'must hold no user name, password, query or fragment, nor a key in its path: addresses are shown; name the key by keyEnv or keyFile',
      }),
    /** Name of the environment variable that holds the key. */
    keyEnv: z.string().min(1).optional(),
    /** File that holds the key, relative to providers.yaml. */
    keyFile: z.string().min(1).optional(),
    models: z.array(z.string().min(1)).default([]),
    maxConcurrency: z.int().min(1).max(1_000).default(8),
    allowPrivateAddresses: z.boolean().default(false),
    streaming: z.boolean().default(true),
    prices: z.record(z.string(), pricesSchema).default({}),
  })
  .refine((account) => account.keyEnv === undefined || account.keyFile === undefined, {
    error: 'give keyEnv or keyFile, not both',
  });
export const accountNameSchema = z
  .string()
  .regex(/^[a-z0-9._-]{1,60}$/u, 'account names have a-z, 0-9, dot, dash and underscore');
const providersSchema = z.strictObject({
  accounts: z.record(accountNameSchema, accountSchema),
});
/** Without a part that may carry a key. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return true; // told already
  const address = new URL(text);
  const { username, password, search, hash } = address;
  return [username, password, search, hash].every((part) => part === '') && !hasKeyInPath(address);
}

type GivenAccount = z.infer<typeof accountSchema>;

export interface ProvidersOptions {
  /** `providers.yaml`; a missing file means no accounts. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with each file that holds a key. */
  readonly onKeyFile?: (path: string) => void;
  /** False: keys are neither read nor missed, for whoever calls no model. @default true */
  readonly keys?: boolean;
}

/**
 * Accounts of `providers.yaml`, keys read. The file must belong to its reader alone (mode 0600).
 * Throws `Failure('ConfigMissing')` with every fault, file and line.
 */
export function readProviders(options: ProvidersOptions): Account[] {
  const { accounts, faults } = checkProviders(options);
  if (faults.length > 0) throw asFailure(faults);
  return [...accounts];
}

export function asFailure(faults: readonly ConfigurationFault[]): Failure {
  return new Failure('ConfigMissing', faults.map((fault) => printFault(fault)).join('\n'));
}

/** What could be read of `providers.yaml` beside every fault. */
export interface CheckedProviders {
  readonly accounts: readonly Account[];
  readonly faults: readonly ConfigurationFault[];
  /** Those of `faults` that only keep one account from being called: its key cannot be read. By account. */
  readonly keyFaults: ReadonlyMap<string, ConfigurationFault>;
}

/** The same without throwing. */
export function checkProviders(options: ProvidersOptions): CheckedProviders {
  const keyFaults = new Map<string, ConfigurationFault>();
  const mode = statSync(options.file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return { accounts: [], faults: [], keyFaults };
  const faults: ConfigurationFault[] = [];
  const say = (message: string, line?: number): void =>
    void faults.push({ file: options.file, line, message });
  if ((mode & 0o077) !== 0)
    say(
      `others may read it (mode ${(mode & 0o777).toString(8).padStart(4, '0')}); run: chmod 600 ${options.file}`,
    );
  const read = readText(options.file);
  if ('problem' in read) {
    say(read.problem);
    return { accounts: [], faults, keyFaults };
  }
  const parsed = parseLocatedYaml(options.file, read.text, providersSchema);
  if ('faults' in parsed) return { accounts: [], faults: [...faults, ...parsed.faults], keyFaults };
  const accounts: Account[] = [];
  for (const [name, given] of Object.entries(parsed.value.accounts)) {
    const line = parsed.lineOf(['accounts', name]);
    const keyFault = (message: string): void => {
      const fault = { file: options.file, line, message };
      faults.push(fault);
      keyFaults.set(name, fault);
    };
    if (RESERVED.includes(name)) say(`"${name}" is a provider of our own and cannot be set`, line);
    else accounts.push(toAccount(name, given, options, keyFault));
  }
  return { accounts, faults, keyFaults };
}

function toAccount(
  name: string,
  given: GivenAccount,
  options: ProvidersOptions,
  keyFault: (message: string) => void,
): Account {
  const prices: Record<string, ModelPrices> = {};
  for (const [model, { longContext, ...flat }] of Object.entries(given.prices))
    prices[model] = {
      ...toPrices(flat),
      ...(longContext === undefined
        ? {}
        : {
            longContext: {
              ...toPrices(longContext),
              aboveInputTokens: longContext.aboveInputTokens,
            },
          }),
    };
  return {
    name,
    protocol: given.protocol,
    baseUrl: given.baseUrl,
    apiKey: readAccountKey(name, given, options, keyFault),
    models: given.models,
    maxConcurrency: given.maxConcurrency,
    allowPrivateAddresses: given.allowPrivateAddresses,
    streaming: given.streaming,
    prices,
  };
}

function toPrices(given: z.infer<typeof flatPrices>): Omit<ModelPrices, 'longContext'> {
  const input = microUsd(given.inputUsdPerMillion);
  return {
    inputPerMillion: input,
    cachedInputPerMillion: ifGiven(given.cachedInputUsdPerMillion) ?? input,
    cacheWritePerMillion: ifGiven(given.cacheWriteUsdPerMillion) ?? input,
    outputPerMillion: microUsd(given.outputUsdPerMillion),
  };
}

function ifGiven(usdAmount: number | undefined): number | undefined {
  return usdAmount === undefined ? undefined : microUsd(usdAmount);
}

const providerAddressSchema = z.object({
  url: z.url({ protocol: /^https?$/u }),
  /** Calls at once to each of our own providers; set by measurements. */
  maxConcurrency: z.int().min(1).optional(),
});

/** The accounts `replay` and `simulated`, when our own provider process has left its address; else none. */
export function readOwnAccounts(providerFile: string): Account[] {
  const read = readText(providerFile);
  if ('problem' in read) return [];
  const { url, maxConcurrency } = ownAddress(providerFile, read.text);
  const own = { apiKey: undefined, models: [], allowPrivateAddresses: true, prices: {} };
  return [
    {
      ...own,
      name: 'replay',
      protocol: 'replay',
      baseUrl: `${url}/replay/v1`,
      maxConcurrency: maxConcurrency ?? 32,
      streaming: true,
    },
    // Not streamed: sweeps of thousands of simulated calls measure everything but the parsing of chunks.
    {
      ...own,
      name: 'simulated',
      protocol: 'simulated',
      baseUrl: `${url}/simulated/v1`,
      maxConcurrency: maxConcurrency ?? 64,
      streaming: false,
    },
  ];
}

/** Throws `Failure('ConfigMissing')` for a file that another program wrote or cut off. */
function ownAddress(file: string, text: string): z.infer<typeof providerAddressSchema> {
  try {
    return providerAddressSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new Failure(
      'ConfigMissing',
      `${file} does not say where our own provider answers: run ${ownCommand()} up, which writes it again`,
      { cause: error },
    );
  }
}
