import { type ModelPrices } from './money';

/** How an account is spoken to. `replay` and `simulated` are our own provider process. */
export const ACCOUNT_PROTOCOLS = [
  'openai',
  'openai-responses',
  'anthropic',
  'replay',
  'simulated',
] as const;
export type AccountProtocol = (typeof ACCOUNT_PROTOCOLS)[number];

/** What accounts of an operator may speak: Chat Completions, OpenAI's Responses, Anthropic's Messages. */
export const OPERATOR_PROTOCOLS = ['openai', 'openai-responses', 'anthropic'] as const;
export type OperatorProtocol = (typeof OPERATOR_PROTOCOLS)[number];

/** An entry of the operator's `providers.yaml`, its key already read. Never logged. */
export interface Account {
  readonly name: string;
  readonly protocol: AccountProtocol;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Allowed model names; empty = all. */
  readonly models: readonly string[];
  /** This host's share of calls at once. */
  readonly maxConcurrency: number;
  readonly allowPrivateAddresses: boolean;
  readonly prices: Readonly<Record<string, ModelPrices>>;
  /** Whether replies are streamed from the provider. @default true */
  readonly streaming?: boolean;
}

/** Finds accounts at the time of a call: the operator may edit them, and our own provider may move to another port. */
export interface AccountSource {
  /** `undefined` when there is no such account. Throws `Failure('ConfigMissing')` when the accounts cannot be read. */
  find(name: string): Promise<Account | undefined>;
}

/** What a model's API wants spelled differently. Applied just before a call. */
export interface ParameterQuirks {
  /** Name of the output limit in the request. @default 'max_tokens' */
  readonly outputLimitField?: 'max_tokens' | 'max_completion_tokens';
  /** Sampling fields that the model refuses; left out. */
  readonly refusedFields?: readonly string[];
  /** False where the model refuses to be made to call a tool: it may then choose. @default true */
  readonly forcedTools?: boolean;
}
