import { Failure } from '../core/failure';

/** What the shell sees. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  incomplete: 3,
  overBudget: 4,
  detached: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message on standard error and this code. */
export class CommandError extends Error {
  constructor(
    readonly code: ExitCode,
    message: string,
  ) {
    super(message);
    this.name = 'CommandError';
  }
}

/** The code of an error that a command let through: what the user gave us is a usage error, all else a failure. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.code;
  if (error instanceof Failure && error.type === 'InvalidInput') return EXIT.usage;
  return EXIT.failed;
}

/** One message for people. A defect of our own keeps its stack; what we foresaw does not need one. */
export function messageOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof Failure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
