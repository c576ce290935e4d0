import { didYouMean, nearNames } from '../../core/near-names';

describe('nearNames', () => {
  const names = ['demo', 'mine', 'prod-eval', 'prod-eval-2', 'paper'];

  it('finds what holds the name, or is a few letters away, the nearest first', () => {
    expect(nearNames('eval', names)).toEqual(['prod-eval', 'prod-eval-2']);
    expect(nearNames('ine', names)).toEqual(['mine']);
    expect(nearNames('dmeo', names)).toEqual(['demo']);
    expect(nearNames('dem0', names)).toEqual(['demo']);
    expect(nearNames('Prod-Evil', names)).toEqual(['prod-eval', 'prod-eval-2']);
    expect(nearNames('demo-2', names)).toEqual(['demo']);
  });

  it('suggests nothing where nothing is near', () => {
    expect(nearNames('', names)).toEqual([]);
    expect(nearNames('absent', names)).toEqual([]);
  });
});

describe('didYouMean', () => {
  it('ends a sentence, where there is something to say', () => {
    expect(didYouMean('labb', ['moon', 'lab'])).toBe('; did you mean lab?');
    expect(didYouMean('lab', ['lab1', 'lab2'])).toBe('; did you mean lab1 or lab2?');
    expect(didYouMean('other', ['lab'])).toBe('');
  });
});
