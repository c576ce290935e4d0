import { z } from 'zod';
import { requireArtifact } from './lookup';
import { bounded } from './run-python';
import { defineTool, ToolProblem } from './tool';

/** Longest a delivered program may run, in milliseconds. */
export const DELIVERED_CODE_TIMEOUT_MS = 120_000;

export const runDeliveredCode = defineTool({
  name: 'run_delivered_code',
  description:
    'Runs a delivered Python (.py) or shell (.sh) program in a throw-away container, in a copy of results/ beside a copy of inputs/. No network. What it prints is its own claim.',
  parameters: z.strictObject({
    path: z.string().describe('e.g. results/solve.py'),
    arguments: z.array(z.string()).nullable(),
  }),
  handle: async (input, context) => {
    const entry = requireArtifact(context, input.path);
    if (entry.origin !== 'deliverable' || !/\.(?:py|sh)$/u.test(entry.artifact))
      throw new ToolProblem('only a delivered .py or .sh file (results/...) can be run');
    const session = await context.inspector();
    const { output, timedOut, exitCode, durationMs } = await session.runDelivered(
      entry.artifact,
      input.arguments ?? [],
      DELIVERED_CODE_TIMEOUT_MS,
    );
    const end = timedOut
      ? `stopped after ${DELIVERED_CODE_TIMEOUT_MS / 1_000} s`
      : `exit code ${exitCode ?? 'unknown'}`;
    return {
      text: `Ended: ${end}.\n${context.framing.frame('output', bounded(output))}`,
      durationMs,
    };
  },
});
