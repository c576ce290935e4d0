import { Failure } from '../../core/failure';
import { type Judgement, messageOf } from './retry';

const ABSENT = new Set(['NoSuchKey', 'NotFound']);
const MISCONFIGURED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    NoSuchBucket: 'create the bucket or correct STARTUPBENCH_STORE',
    AccessDenied:
      'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the bucket policy (docs/guides/many-hosts.md; listing must be allowed too)',
    InvalidAccessKeyId: 'check AWS_ACCESS_KEY_ID',
    SignatureDoesNotMatch: 'check AWS_SECRET_ACCESS_KEY',
    InvalidBucketName: 'correct the bucket in STARTUPBENCH_STORE',
    MovedPermanently: 'check STARTUPBENCH_S3_ENDPOINT and AWS_REGION',
    TemporaryRedirect: 'check STARTUPBENCH_S3_ENDPOINT and AWS_REGION',
    AuthorizationHeaderMalformed: 'check AWS_REGION',
  }),
);
const SEALED_ADVICE =
  'credentials of agent hosts do not reach sealed/: workflow, render and judge roles and most commands need others';
/** Errors on our side of the wire: a local file, or a request that can never be right. */
const LOCAL = new Set(['EACCES', 'EISDIR', 'ENOSPC', 'ENOTDIR', 'EROFS', 'ENOENT', 'EEXIST']);

/** What the client refuses by itself has the server's word for it in its name, and no code. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name.replace(/Error$/u, '') : '';
}

export function isAbsent(error: unknown): boolean {
  return ABSENT.has(codeOf(error));
}

export function isPreconditionFailed(error: unknown): boolean {
  return codeOf(error) === 'PreconditionFailed';
}

/** Wrong configuration and local errors fail at once; the network's and the server's faults are tried again. */
export function judgeS3Error(error: unknown, where: string): Judgement {
  const code = codeOf(error);
  const advice = MISCONFIGURED.get(code);
  if (advice !== undefined) {
    const sealed = code === 'AccessDenied' && / sealed\//u.test(where) ? `; ${SEALED_ADVICE}` : '';
    return {
      kind: 'fail',
      failure: new Failure('ConfigMissing', `${where}: ${messageOf(error)}; ${advice}${sealed}`, {
        cause: error,
      }),
    };
  }
  if (LOCAL.has(code))
    return {
      kind: 'fail',
      failure: new Failure('StoreUnavailable', `${where}: ${messageOf(error)}`, { cause: error }),
    };
  return { kind: 'retry' };
}
