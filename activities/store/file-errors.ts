import { Failure } from '../../core/failure';
import { type Judgement, messageOf } from './retry';

/** Worth another try at once; everything else (disk full, no permission) waits for the caller's own retry. */
const PASSING = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'EBUSY', 'EINTR', 'ESTALE']);

/** What a person can do. */
const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ENOSPC: 'free space on that disk',
    EROFS: 'make it writable, or name another place in STARTUPBENCH_STORE',
    EACCES: 'correct its owner or mode',
    EPERM: 'correct its owner or mode',
  }),
);

/** What passes is tried again; all else fails with what to do about it. */
export function judgeFileError(error: unknown, what: string): Judgement {
  if (PASSING.has(codeOf(error) ?? '')) return { kind: 'retry' };
  const advice = ADVICE.get(codeOf(error) ?? '');
  const help = advice === undefined ? '' : `; ${advice}`;
  return {
    kind: 'fail',
    failure: new Failure('StoreUnavailable', `${what}: ${messageOf(error)}${help}`, {
      cause: error,
    }),
  };
}

/** Of an error of the system. */
export function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
