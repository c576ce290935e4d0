/** Shown after every result that no model gave. */
export function providerMark(provider: string | undefined): string {
  if (provider === 'replay') return ' (replayed)';
  return provider === 'simulated' ? ' (simulated)' : '';
}
