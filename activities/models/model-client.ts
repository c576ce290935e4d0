import { type Account, type AccountSource, type ParameterQuirks } from '../../core/account';
import { Failure, type FailureType } from '../../core/failure';
import { type Logger, SILENT_LOGGER } from '../../core/logger';
import { costOf, type ModelPrices } from '../../core/money';
import { ownEntry } from '../../core/own-entry';
import { type ModelIdentity } from '../../core/sweep';
import { type AccountClient, createAccountClient, type ProviderReply } from './account-client';
import { AwakeTime } from './awake-time';
import { type Clock, SYSTEM_CLOCK } from './clock';
import { OwnPlaces } from './places';
import {
  type ModelCall,
  type ModelClient,
  type ModelReply,
  type PlaceOutcome,
  type Places,
} from './port';
import { classifyFault, isContentRefusal, type TryFault } from './provider-error';
import { replayHeaders, requestBody } from './request-body';
import { describeFault } from './try-fault';
import { tokenUsage } from './usage';

export interface ModelClientOptions {
  readonly accounts: readonly Account[] | AccountSource;
  /** Replaces the guarded fetch (no redirects, no private addresses, inactivity limit) for every account. */
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  /** Uniform in [0, 1); spreads retries. */
  readonly random?: () => number;
  readonly logger?: Logger;
  readonly quirks?: (model: ModelIdentity) => ParameterQuirks;
  /** Where permission for each try comes from. @default this process alone */
  readonly places?: Places;
  /** Catalog prices, for calls that bring none and accounts that have none. */
  readonly prices?: (model: ModelIdentity) => ModelPrices | undefined;
}

/** `Failure.options.cause` of a call that the provider refused. */
export interface ProviderRefusal {
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly body: string;
  /** The content was refused (filter, policy), which is the agent's result. */
  readonly contentRefused: boolean;
  /** Calls made, all failed. */
  readonly tries: number;
}

const RETRY_FOR_MS = 15 * 60_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A rate limit is over within minutes; whoever asks for more has given out a day's quota. */
const LONGEST_RATE_WAIT_MS = 15 * 60_000;

interface Client {
  readonly account: Account;
  readonly client: AccountClient;
}

/** The one place that talks to providers. Holds one connection pool per account. */
export function createModelClient(options: ModelClientOptions): ModelClient {
  const clock = options.clock ?? SYSTEM_CLOCK;
  const tools: Tools = { options, clock, places: options.places ?? new OwnPlaces(clock) };
  const clients = new Map<string, Client & { readonly fingerprint: string }>();

  async function clientFor(model: ModelIdentity): Promise<Client> {
    const account = await findAccount(options.accounts, model);
    const fingerprint = JSON.stringify(account);
    const known = clients.get(account.name);
    if (known?.fingerprint === fingerprint) return known;
    const client = createAccountClient(account, options.fetch);
    const made = { account, client, fingerprint };
    clients.set(account.name, made);
    return made;
  }

  return {
    complete: async (call) => {
      const { account, client } = await clientFor(call.model);
      return completeCall(call, account, client, tools);
    },
  };
}

async function findAccount(
  accounts: readonly Account[] | AccountSource,
  model: ModelIdentity,
): Promise<Account> {
  const account =
    'find' in accounts && !Array.isArray(accounts)
      ? await (accounts as AccountSource).find(model.account)
      : (accounts as readonly Account[]).find((entry) => entry.name === model.account);
  if (account === undefined)
    throw new Failure(
      'ConfigMissing',
      `model ${model.id} wants the account "${model.account}", which this host does not have; add it to providers.yaml`,
    );
  if (account.models.length > 0 && !account.models.includes(model.name))
    throw new Failure(
      'ModelUnknown',
      `account "${account.name}" does not allow the model "${model.name}"; add it to its models in providers.yaml`,
    );
  return account;
}

interface Tools {
  readonly options: ModelClientOptions;
  readonly clock: Clock;
  readonly places: Places;
}

/** Where the tries of one call stand. */
interface Progress {
  readonly calledMs: number;
  firstFaultMs: number | undefined;
  failedTries: number;
}

async function completeCall(
  call: ModelCall,
  account: Account,
  client: AccountClient,
  { options, clock, places }: Tools,
): Promise<ModelReply> {
  const own = account.protocol === 'replay' || account.protocol === 'simulated';
  const request = requestBody(call.model, call.body, options.quirks?.(call.model) ?? {});
  const headers = own ? replayHeaders(call.model, call.context) : {};
  const { name, maxConcurrency } = account;
  const caller = { account: name, maxConcurrency, ...(call.caller ?? callerOf(call)) };
  const progress: Progress = { calledMs: clock.now(), firstFaultMs: undefined, failedTries: 0 };
  for (;;) {
    const place = await places.acquire({ ...caller, again: progress.failedTries > 0 }, call.signal);
    let outcome: PlaceOutcome = { kind: 'failed' };
    const startedMs = clock.now();
    const took = new AwakeTime(clock);
    let fault: TryFault;
    try {
      call.onSent?.();
      const reply = await client.complete(request.body, headers, {
        inactivityTimeoutMs: call.inactivityTimeoutMs,
        signal: call.signal,
      });
      outcome = { kind: 'succeeded' };
      const dropped = [...new Set([...request.dropped, ...reply.dropped])];
      return toReply(
        call,
        account,
        options,
        { ...reply, dropped },
        {
          startedAt: new Date(startedMs).toISOString(),
          durationMs: took.stop(),
          failedTries: progress.failedTries,
          waitedMs: startedMs - progress.calledMs,
        },
      );
    } catch (error) {
      call.signal?.throwIfAborted();
      fault = describeFault(error, account.apiKey, clock.now());
      if (isOverload(fault)) outcome = { kind: 'overloaded', retryAfterMs: fault.retryAfterMs };
    } finally {
      took.stop();
      place.release(outcome);
    }
    await clock.sleep(delayAfter(fault, call, progress, options, clock), call.signal);
  }
}

function isOverload(fault: TryFault): boolean {
  const decision = classifyFault(fault);
  return decision.kind === 'retry' && decision.overloaded && !asksForLong(fault);
}

/** A pause of that length is a quota's: it says nothing about calls at once. */
function asksForLong({ retryAfterMs = 0 }: TryFault): boolean {
  return retryAfterMs > LONGEST_RATE_WAIT_MS;
}

/** A run's judges share one turn among themselves, as an attempt's requests do. */
function callerOf({ context, model }: ModelCall): { lane: string; party: string } {
  const { purpose, subject, taskId, repetition } = context;
  return { lane: `${purpose} ${subject ?? model.id}`, party: `${taskId}/r${repetition}` };
}

/** How long to wait before the next try; throws the call's failure when there is none. */
function delayAfter(
  fault: TryFault,
  call: ModelCall,
  progress: Progress,
  options: ModelClientOptions,
  clock: Clock,
): number {
  progress.failedTries++;
  const nowMs = clock.now();
  progress.firstFaultMs ??= nowMs;
  const decision = classifyFault(fault);
  const what = `account "${call.model.account}", model "${call.model.name}"`;
  if (decision.kind === 'fail') {
    const status = fault.status === undefined ? '' : ` (status ${fault.status})`;
    throw failureOf(decision.type, `${what}${status}: ${fault.message}`, fault, progress);
  }
  const backoffMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (progress.failedTries - 1));
  const jittered = backoffMs * (0.5 + 0.5 * (options.random ?? Math.random)());
  const delayMs = Math.max(jittered, fault.retryAfterMs ?? 0);
  const leftMs = progress.firstFaultMs + (call.retryForMs ?? RETRY_FOR_MS) - nowMs;
  (options.logger ?? SILENT_LOGGER).warn(
    {
      account: call.model.account,
      model: call.model.name,
      ...fault,
      failedTries: progress.failedTries,
      delayMs,
    },
    'model call failed in transport',
  );
  const isQuota = decision.overloaded && asksForLong(fault);
  if (delayMs <= leftMs && !isQuota) return delayMs;
  const last = `${fault.status ?? fault.code ?? ''} ${fault.message}`;
  const text = `${what}: no reply after ${progress.failedTries} tries; last: ${last}`;
  throw failureOf(isQuota ? 'ProviderQuota' : 'ProviderUnavailable', text, fault, progress);
}

function failureOf(
  type: FailureType,
  text: string,
  fault: TryFault,
  { failedTries }: Progress,
): Failure {
  const { status, code, message, retryAfterMs } = fault;
  const contentRefused = type === 'InvalidInput' && isContentRefusal(fault);
  const cause: ProviderRefusal = {
    status,
    code,
    body: message,
    contentRefused,
    tries: failedTries,
  };
  return new Failure(type, text, { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) });
}

function toReply(
  call: ModelCall,
  account: Account,
  options: ModelClientOptions,
  { completion, dropped, streamed }: ProviderReply,
  facts: Pick<ModelReply, 'startedAt' | 'durationMs' | 'failedTries' | 'waitedMs'>,
): ModelReply {
  const usage = tokenUsage(completion['usage']);
  const prices =
    call.prices ?? ownEntry(account.prices, call.model.name) ?? options.prices?.(call.model);
  const model = completion['model'];
  return {
    completion,
    usage,
    costMicroUsd: usage === undefined ? undefined : costOf(usage, prices),
    reportedModel: typeof model === 'string' && model !== '' ? model : undefined,
    ...(dropped.length === 0 ? {} : { dropped }),
    streamed,
    ...facts,
  };
}
