import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AttemptPaths, INSIDE } from './attempt-paths';
import { replaceFile } from './durable-file';
import { type SandboxSpecification } from './port';
import { type SandboxUser } from './sandbox-user';

/** Between asking a harness to stop and forcing it. */
export const STOP_GRACE_MS = 1_000;
/** Of each output stream its beginning and its end are kept. */
const LOG_HEAD_BYTES = 4 * 1024 ** 2;
const LOG_TAIL_BYTES = 1024 ** 2;

/** The supervisor's `start.json`, in the folder that it shares with us and with nobody else. */
export async function writeOrders(
  specification: SandboxSpecification,
  paths: AttemptPaths,
  user: SandboxUser,
): Promise<void> {
  await mkdir(paths.run, { recursive: true });
  await chmod(paths.run, 0o755);
  await mkdir(paths.supervisor, { recursive: true });
  // Where this process is not root, the supervisor, which is, writes here as one of the others. What guards the folder
  // is the closed one above it: inside the sandbox as on this host.
  await chmod(paths.supervisor, 0o777);
  const orders = {
    command: specification.command,
    environment: specification.environment,
    standardInput: specification.standardInput ?? null,
    user,
    workingFolder: INSIDE.workspace,
    logHeadBytes: LOG_HEAD_BYTES,
    logTailBytes: LOG_TAIL_BYTES,
    stopGraceMs: STOP_GRACE_MS,
  };
  await replaceFile(join(paths.supervisor, 'start.json'), JSON.stringify(orders), 0o644);
}
