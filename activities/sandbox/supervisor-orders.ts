import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AttemptPaths, INSIDE } from './attempt-paths';
import { replaceFile } from './durable-file';
import { type SandboxSpecification } from './port';

/** Between asking a harness to stop and forcing it. */
export const STOP_GRACE_MS = 1_000;
/** Of each output stream its beginning and its end are kept. */
const LOG_HEAD_BYTES = 4 * 1024 ** 2;
const LOG_TAIL_BYTES = 1024 ** 2;

/** The supervisor's `start.json`, in the folder that it shares with us. */
export async function writeOrders(
  specification: SandboxSpecification,
  paths: AttemptPaths,
): Promise<void> {
  await mkdir(paths.run, { recursive: true });
  // Sticky, and ours where we are root: the agent may leave its end record here, but not remove the gateway's socket.
  if (process.getuid?.() === 0) await chown(paths.run, 0, 0);
  await chmod(paths.run, 0o1777);
  const orders = {
    command: specification.command,
    environment: specification.environment,
    standardInput: specification.standardInput ?? null,
    logFolder: INSIDE.own,
    logHeadBytes: LOG_HEAD_BYTES,
    logTailBytes: LOG_TAIL_BYTES,
    stopGraceMs: STOP_GRACE_MS,
    diskPath: INSIDE.workspace,
  };
  await replaceFile(join(paths.run, 'start.json'), JSON.stringify(orders), 0o644);
}
