import { describeProblem } from '../../../activities/models/check-problem';
import { Failure, type FailureType } from '../../../core/failure';

function failure(type: FailureType, body: string, status?: number, tries = 1): Failure {
  const cause = { status, code: undefined, body, contentRefused: false, tries };
  return new Failure(type, `account "a", model "m": ${body}`, { cause });
}

describe('what is said of a model that gave no answer', () => {
  it.each<[string, Failure, string]>([
    [
      'a refused key',
      failure('ProviderAuth', 'bad key', 401),
      'the key is refused (status 401): bad key',
    ],
    [
      'a model that is not there',
      failure('ModelUnknown', 'no such model', 404),
      'the provider does not know the model (status 404): no such model',
    ],
    [
      'a wrong path',
      failure('ModelUnknown', '404 <!DOCTYPE html><p>lost', 404),
      'no model answers there (status 404), but a web page; is baseUrl right? It ends before /responses',
    ],
    [
      'a page where a reply should be',
      failure('ProviderUnavailable', 'the stream ended without a reply', undefined, 4),
      'no reply after 4 tries: the stream ended without a reply; is baseUrl right? It ends before /responses',
    ],
    [
      'a rate limit',
      failure('ProviderUnavailable', 'slow down', 429),
      'too many requests for now, ask again later (status 429): slow down',
    ],
    [
      'a quota',
      failure('ProviderQuota', 'billing', 429),
      'the quota is used up (status 429): billing',
    ],
    ['a refusal', failure('InvalidInput', 'no tools', 400), 'refused (status 400): no tools'],
    [
      'an account that does not fit',
      failure('ConfigMissing', 'a private address'),
      'a private address',
    ],
    ['trouble before any call', new Failure('ModelUnknown', 'not allowed'), 'not allowed'],
  ])('names %s and what to look at', (_title, given, sentence) => {
    expect(describeProblem(given, 'openai-responses')).toBe(sentence);
  });

  it('keeps a long message of many lines to one short line', () => {
    const said = describeProblem(
      failure('InvalidInput', `a\n\n b ${'x'.repeat(5_000)}`, 400),
      'openai',
    );
    expect(said).toMatch(/^refused \(status 400\): a b x+ \.\.\.$/u);
    expect(said.length).toBeLessThan(350);
  });
});
