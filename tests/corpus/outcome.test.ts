import { hasStoppedProgram, statusOf } from '../../scripts/corpus/outcome';

describe('how a reading ended', () => {
  test.each([
    ['corrupt', 'cannot be read: x is not a function'],
    ['corrupt', 'the renderer failed (exit 1): TypeError'],
    ['refused', 'rendering needed more memory than 1 GiB'],
    ['truncated', 'long texts are cut; rendering was stopped at its time limit'],
    ['corrupt', 'left no record'],
  ] as const)('%s with "%s" is a crash', (status, reason) => {
    expect(statusOf(status, reason)).toBe('crashed');
  });

  test('a program that was stopped leaves a truncated view, and is counted apart', () => {
    const reason = 'no page images: LibreOffice was stopped at its time limit';
    const status = statusOf('truncated', reason);
    expect(status).toBe('truncated');
    expect(hasStoppedProgram({ status, reason })).toBe(true);
    expect(hasStoppedProgram({ status: 'crashed', reason })).toBe(false);
  });
});
