import { createInterface } from 'node:readline/promises';
import { CommandError, EXIT } from './exit';

/** Asks y/N on a terminal. Anything but yes, Ctrl-C and Ctrl-D end the command with 130: nothing was started. */
export async function confirmOrCancel(
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<void> {
  const prompt = createInterface({ input, output });
  const over = new AbortController();
  prompt.once('SIGINT', () => over.abort());
  prompt.once('close', () => over.abort());
  const answer = await prompt
    .question(`${question} [y/N] `, { signal: over.signal })
    .catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
      output.write('\n');
      return '';
    })
    .finally(() => prompt.close());
  if (!/^y(?:es)?$/iu.test(answer.trim()))
    throw new CommandError(EXIT.detached, 'cancelled: nothing was started');
}
