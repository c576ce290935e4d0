import { setTimeout as sleep } from 'node:timers/promises';
import { ownCommand } from '../config/own-command';
import { Failure } from '../core/failure';

/** A server that lost its database is set up again by `up`, within moments. */
const TRIES = 15;
const PAUSE_MS = 1_000;
/** gRPC's INVALID_ARGUMENT and NOT_FOUND. */
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;

/**
 * Calls a Temporal server that may just have lost its database, and with it the search attributes and namespace that
 * every start needs: tried again while they are missing. Throws `Failure('ConfigMissing')` where they stay away, and
 * any other error at once.
 */
export async function whileServerIsNew<Result>(
  call: () => Promise<Result>,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const missing = whatIsMissing(error);
      if (missing === undefined) throw error;
      if (attempt === TRIES)
        throw new Failure(
          'ConfigMissing',
          `the Temporal server has lost its ${missing}, as with its database: set it up again with ${ownCommand()} up, ` +
            'then run this command again; finished runs are kept',
          { cause: error },
        );
      await pause(PAUSE_MS);
    }
  }
}

/** The server's word lies below the client's own errors. */
function whatIsMissing(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, details } = at as { readonly code?: unknown; readonly details?: unknown };
    const words = `${typeof details === 'string' ? details : ''} ${at.message}`;
    if (code === INVALID_ARGUMENT && /search attribute/iu.test(words)) return 'search attributes';
    if (code === NOT_FOUND && /namespace .*not found/iu.test(words)) return 'namespace';
  }
  return undefined;
}
