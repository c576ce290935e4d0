import { createInterface } from 'node:readline/promises';
import { CommandError, EXIT } from './exit';

/** Asks y/N on a terminal. True at yes alone; Ctrl-C and Ctrl-D say no. */
export async function confirm(
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<boolean> {
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
  return /^y(?:es)?$/iu.test(answer.trim());
}

/** Asks; anything but yes ends the command with 130: nothing was started. */
export async function confirmOrCancel(
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stderr,
): Promise<void> {
  if (!(await confirm(question, input, output)))
    throw new CommandError(EXIT.detached, 'cancelled: nothing was started');
}
