import { percentText } from '../../core/percent-text';

describe('percentText', () => {
  it.each([
    [89.996, 2, '89.99'],
    [89.95, 1, '89.9'],
    [89.999999, 2, '89.99'],
    [89.994, 2, '89.99'],
    [89.985, 2, '89.98'],
    [90, 2, '90.00'],
    [90.004, 2, '90.00'],
    [99.996, 2, '99.99'],
    [99.96, 1, '99.9'],
    [100, 2, '100.00'],
    [0.004, 2, '0.01'],
    [0.04, 1, '0.1'],
    [0, 1, '0.0'],
    [45.125, 2, '45.13'],
  ])('shows %d with %d decimals as %s', (percent, digits, text) => {
    expect(percentText(percent, digits)).toBe(text);
  });

  it('never contradicts success, whatever the score and the decimals', () => {
    for (let score = 0; score <= 100; score += 0.0037)
      for (const digits of [0, 1, 2])
        expect(Number(percentText(score, digits)) >= 90).toBe(score >= 90);
  });
});
