/** Shown after every result that no model gave. */
export function providerMark(provider: string | undefined): string {
  if (provider === 'replay') return ' (replayed)';
  return provider === 'simulated' ? ' (simulated)' : '';
}

/** The mark of a whole sweep, by the providers of its lanes. */
export function lanesMark(providers: readonly string[]): string {
  const marked = providers.filter((provider) => providerMark(provider) !== '');
  if (marked.length === 0) return '';
  const [first] = marked;
  return marked.length === providers.length && marked.every((each) => each === first)
    ? providerMark(first)
    : ` (${marked.length} of ${providers.length} lanes replayed or simulated)`;
}
