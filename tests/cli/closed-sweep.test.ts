import { closedRefusal } from '../../cli/closed-sweep';

describe('a command that only an open sweep takes', () => {
  it('is refused with how the sweep ended, and with what starts the rest', () => {
    expect(closedRefusal('mine', 'cancelled', 4)).toMatch(
      /^sweep mine is not open \(cancelled\); 4 runs have no score: .* sweep run FILE says what they cost, asks, and starts them$/u,
    );
    expect(closedRefusal('mine', 'not open', 1)).toMatch(
      /^sweep mine is not open; 1 run has no score: /u,
    );
  });

  it('is not told to launch a sweep that is done', () => {
    expect(closedRefusal('mine', 'done', 0)).toBe(
      'sweep mine is done: every planned run is scored, and nothing of it is open',
    );
  });
});
