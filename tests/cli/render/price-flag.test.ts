import { InvalidArgumentError } from 'commander';
import { priceFlag } from '../../../cli/render/price-flag';

describe('a price on the command line', () => {
  it('has input, output and perhaps cached input, once for each model', () => {
    const first = priceFlag('lab/a=b=0.6/2.4');
    expect(priceFlag('mine=1/.5/0', first)).toEqual({
      'lab/a=b': { inputUsdPerMillion: 0.6, outputUsdPerMillion: 2.4 },
      mine: { inputUsdPerMillion: 1, outputUsdPerMillion: 0.5, cachedInputUsdPerMillion: 0 },
    });
  });

  it.each([
    'mine',
    'mine=',
    'mine=1',
    '=1/2',
    'mine=1/2/3/4',
    'mine=-1/2',
    'mine=1/x',
    'mine=1//2',
    'mine=1e3/2',
    'mine=1/2000000',
    '__proto__=1/2',
  ])('is refused as %s', (text) => {
    expect(() => priceFlag(text)).toThrow(InvalidArgumentError);
  });

  it('is refused a second time for one model', () => {
    expect(() => priceFlag('mine=1/2', priceFlag('mine=1/2'))).toThrow('give one price for mine');
  });
});
