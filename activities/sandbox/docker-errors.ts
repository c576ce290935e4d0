import { Failure } from '../../core/failure';

/** HTTP status of a daemon's answer; `undefined` when it gave none. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404;
}

export function isConflict(error: unknown): boolean {
  return statusOf(error) === 409;
}

/** The daemon could not be reached, or answered that it is in trouble: worth trying again. */
export function dockerFailure(action: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const status = statusOf(error);
  if (status !== undefined && status >= 400 && status < 500)
    return new Failure('ConfigMissing', `Docker refused to ${action}: ${reason}`, { cause: error });
  return new Failure(
    'DockerUnavailable',
    `Docker could not ${action}: ${reason}; see that the daemon runs and answers`,
    { cause: error },
  );
}

/** A daemon that hangs must not hang us: every call ends within this time. */
const CALL_TIMEOUT_MS = 60_000;

/** Runs one call to the daemon; its errors come out as {@link dockerFailure}, silence as DockerUnavailable. */
export async function callDocker<T>(
  action: string,
  call: () => Promise<T>,
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${Math.round(timeoutMs / 1000)} s`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([call(), silence]);
  } catch (error) {
    throw dockerFailure(action, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Like {@link callDocker}, with `undefined` for what does not exist. */
export async function callDockerIfThere<T>(
  action: string,
  call: () => Promise<T>,
  timeoutMs = CALL_TIMEOUT_MS,
): Promise<T | undefined> {
  const orMissing = async () => {
    try {
      return await call();
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };
  return callDocker(action, orMissing, timeoutMs);
}
