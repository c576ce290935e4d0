import { ownCommand } from '../config/own-command';
import { describeSystemError } from '../config/system-error';
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
  // The reader of our output has gone: `... | head` is no failure.
  if (codeOf(error) === 'EPIPE') return EXIT.done;
  return nameOf(error) === REFUSED_UPDATE ? EXIT.usage : EXIT.failed;
}

/** One message for people. A defect of our own keeps its stack; what we foresaw does not need one. */
export function messageOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof Failure) return error.message;
  if (codeOf(error) === 'EPIPE') return '';
  return (
    describeSystemError(error) ??
    describeTemporalError(error) ??
    (error instanceof Error ? (error.stack ?? error.message) : String(error))
  );
}

/** Temporal's errors by name: loading its client takes longer than most commands. */
const REFUSED_UPDATE = 'WorkflowUpdateFailedError';
const SERVER_ERRORS = ['ServiceError', 'WorkflowUpdateRPCTimeoutOrCancelledError'];
/** gRPC's DEADLINE_EXCEEDED and UNAVAILABLE. */
const SERVER_AWAY = [4, 14];
/** gRPC's FAILED_PRECONDITION, to a query whose queue nobody has polled for a while. */
const NO_WORKER = 9;

function describeTemporalError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === REFUSED_UPDATE) return innermost(error).message;
  if (error.name === 'WorkflowNotFoundError')
    return 'the Temporal server does not know it any more; run the sweep again, finished runs are kept';
  const root = innermost(error) as Error & { code?: unknown; details?: unknown };
  const isGrpc = typeof root.code === 'number' && typeof root.details === 'string';
  if (!isGrpc && !SERVER_ERRORS.includes(error.name)) return undefined;
  if (Number(root.code) === NO_WORKER && String(root.details).includes('poller'))
    return `no worker serves this: ${ownCommand()} up starts it; nothing is lost`;
  return SERVER_AWAY.includes(Number(root.code)) || !isGrpc
    ? `the Temporal server or the worker does not answer: ${ownCommand()} up starts both, and doctor says what is missing`
    : `the Temporal server refused: ${String(root.details)}`;
}

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}
