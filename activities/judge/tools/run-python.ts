import { z } from 'zod';
import { MAX_ANSWER_CHARACTERS } from './lookup';
import { defineTool, ToolProblem } from './tool';

/** Longest a piece of Python may run, in milliseconds. */
export const PYTHON_TIMEOUT_MS = 120_000;

export const runPython = defineTool({
  name: 'run_python',
  description:
    'Runs Python 3 over the original files, read-only: /evidence/results/... and /evidence/inputs/.... No network. openpyxl, pandas, python-docx, pypdf and Pillow are there. Print what you need. /tmp is kept between calls, variables are not.',
  parameters: z.strictObject({ code: z.string() }),
  handle: async (input, context) => {
    if (input.code.trim() === '') throw new ToolProblem('the code is empty');
    const session = await context.inspector();
    const { output, timedOut, durationMs } = await session.run(input.code, PYTHON_TIMEOUT_MS);
    const note = timedOut ? ` Stopped after ${PYTHON_TIMEOUT_MS / 1_000} s.` : '';
    return {
      text: `Output:${note}\n${context.framing.frame('output', bounded(output))}`,
      durationMs,
    };
  },
});

/** Keeps the beginning and the end of an output that is too long. */
export function bounded(output: string): string {
  if (output.length <= MAX_ANSWER_CHARACTERS) return output === '' ? '(nothing printed)' : output;
  const half = MAX_ANSWER_CHARACTERS / 2;
  return `${output.slice(0, half)}\n[${output.length - 2 * half} characters left out]\n${output.slice(-half)}`;
}
