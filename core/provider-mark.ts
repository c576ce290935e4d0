/** Shown after every result that no model gave here; empty for all others. */
export function providerMark(provider: string | undefined): string {
  const word = provider === undefined ? undefined : WORDS[provider];
  return word === undefined ? '' : ` (${word})`;
}

const WORDS: Readonly<Record<string, string>> = {
  replay: 'replayed',
  simulated: 'simulated',
  imported: 'imported',
};
