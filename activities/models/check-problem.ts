import { type AccountProtocol } from '../../core/account';
import { type Failure } from '../../core/failure';
import { type ProviderRefusal } from './model-client';

/** Characters of a provider's message that are shown. */
const SHOWN = 300;
/** What the address of an account ends before. */
const PATHS: Readonly<Record<AccountProtocol, string>> = {
  openai: '/chat/completions',
  'openai-responses': '/responses',
  anthropic: '/messages',
  replay: '/chat/completions',
  simulated: '/chat/completions',
};

/** One sentence on why a model gave no answer: what it means, what the provider said, what to look at. */
export function describeProblem(failure: Failure, protocol: AccountProtocol): string {
  const refusal = failure.options.cause as Partial<ProviderRefusal> | undefined;
  const said = refusal?.body ?? failure.message;
  if (failure.type === 'ConfigMissing' || refusal?.body === undefined) return short(said);
  const { status, tries = 1 } = refusal;
  const code = status === undefined ? '' : ` (status ${status})`;
  const times = tries > 1 ? ` after ${tries} tries` : '';
  if (isPage(said))
    return `no model answers there${code}${times}, but a web page; ${addressHint(protocol)}`;
  const hint = ENDED.test(said) ? `; ${addressHint(protocol)}` : '';
  return `${meaningOf(failure, status)}${code}${times}: ${short(said)}${hint}`;
}

/** What our stream reader says of a reply that holds none. */
const ENDED = /ended without a reply/iu;

function addressHint(protocol: AccountProtocol): string {
  return `is baseUrl right? It ends before ${PATHS[protocol]}`;
}

function meaningOf(failure: Failure, status: number | undefined): string {
  switch (failure.type) {
    case 'ProviderAuth':
      return 'the key is refused';
    case 'ProviderQuota':
      return 'the quota is used up';
    case 'ModelUnknown':
      return 'the provider does not know the model';
    case 'ProviderUnavailable':
      return status === 429 ? 'too many requests for now, ask again later' : 'no reply';
    default:
      return 'refused';
  }
}

/** An error page of a web server, and no reply of an API. */
function isPage(said: string): boolean {
  return /<html|<!doctype/iu.test(said);
}

/** On one line, and no longer than a line or three. */
function short(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN)} ...`;
}
