import { InvalidArgumentError } from 'commander';
import { type GivenPrices } from '../../config/given-account';

const FORM =
  'give MODEL=INPUT/OUTPUT or MODEL=INPUT/OUTPUT/CACHED, in US dollars for a million tokens';
const MAX_USD = 1_000_000;

/** `my-model=0.6/2.4/0.1` beside the prices given before it; a model has one price. */
export function priceFlag(
  text: string,
  before: Readonly<Record<string, GivenPrices>> = {},
): Readonly<Record<string, GivenPrices>> {
  // Names of models may hold the sign, prices do not.
  const at = text.lastIndexOf('=');
  const model = text.slice(0, Math.max(0, at)).trim();
  const amounts = text
    .slice(at + 1)
    .split('/')
    .map(dollars);
  const [input, output, cached] = amounts;
  if (model === '' || input === undefined || output === undefined || amounts.length > 3)
    throw new InvalidArgumentError(FORM);
  if (amounts.includes(undefined)) throw new InvalidArgumentError(FORM);
  if (model === '__proto__' || Object.hasOwn(before, model))
    throw new InvalidArgumentError(`give one price for ${model}`);
  return {
    ...before,
    [model]: {
      inputUsdPerMillion: input,
      ...(cached !== undefined && { cachedInputUsdPerMillion: cached }),
      outputUsdPerMillion: output,
    },
  };
}

function dollars(text: string): number | undefined {
  const plain = /^\s*(?:\d+(?:\.\d*)?|\.\d+)\s*$/u.test(text);
  const value = Number(text);
  return plain && value <= MAX_USD ? value : undefined;
}
