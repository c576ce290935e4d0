import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { type AttemptPaths } from './attempt-paths';
import { isCode, withFile } from './durable-file';
import { type SandboxUser } from './sandbox-user';

/** `bounded`: a file system of its own, full is full. `watched`: a plain folder whose size somebody must watch. */
export type DiskKind = 'bounded' | 'watched';

export type RunCommand = (command: string, args: readonly string[]) => Promise<unknown>;

/** Inodes and bitmaps take about this share of a small ext4. */
const FILE_SYSTEM_OVERHEAD = 1.04;
const FILE_SYSTEM_OVERHEAD_BYTES = 8 * 1024 ** 2;
const COMMAND_TIMEOUT_MS = 30_000;

const runCommand: RunCommand = (command, args) =>
  promisify(execFile)(command, args, { timeout: COMMAND_TIMEOUT_MS });

export interface AttemptDiskOptions {
  /** Injected in tests. */
  readonly run?: RunCommand;
  /** False never mounts; default whether this process is root. */
  readonly mayMount?: boolean;
}

/**
 * Makes `disk/` with `workspace` and `home` below it, of `bytes` usable size where this host can mount a file system,
 * and gives both to the sandbox's user. Idempotent: a disk that is mounted stays as it is.
 */
export async function prepareDisk(
  paths: AttemptPaths,
  bytes: number,
  user: SandboxUser,
  options: AttemptDiskOptions = {},
): Promise<DiskKind> {
  const { run = runCommand, mayMount = process.getuid?.() === 0 } = options;
  await mkdir(paths.disk, { recursive: true, mode: 0o755 });
  const kind = (await isMounted(paths.disk))
    ? 'bounded'
    : mayMount && (await mountImage(paths, bytes, run))
      ? 'bounded'
      : 'watched';
  await chmod(paths.disk, 0o755);
  for (const folder of [paths.workspace, paths.home]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await giveTo(folder, user);
  }
  return kind;
}

/** Changes the owner where this process may; without root files are the user's own already. */
export async function giveTo(path: string, user: SandboxUser): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, user.uid, user.gid);
}

async function mountImage(paths: AttemptPaths, bytes: number, run: RunCommand): Promise<boolean> {
  const size = Math.ceil(bytes * FILE_SYSTEM_OVERHEAD + FILE_SYSTEM_OVERHEAD_BYTES);
  try {
    await withFile(open(paths.diskImage, 'w', 0o600), (file) => file.truncate(size));
    await run('mkfs.ext4', [
      ...['-q', '-F', '-m', '0', '-b', '4096', '-O', '^has_journal,^resize_inode'],
      ...['-E', 'lazy_itable_init=1,nodiscard', paths.diskImage],
    ]);
    await run('mount', [
      ...['-t', 'ext4', '-o', 'loop,nodev,nosuid,noinit_itable', paths.diskImage, paths.disk],
    ]);
    await rm(`${paths.disk}/lost+found`, { recursive: true, force: true });
    return true;
  } catch {
    // No tools, no loop devices, no permission: then the folder is watched instead.
    await rm(paths.diskImage, { force: true });
    return false;
  }
}

/**
 * Unmounts and removes everything of an attempt. Idempotent. Its labels go last: what a killed removal leaves is still
 * known for what it is, and removed by the reaper.
 */
export async function removeAttemptFolder(
  paths: AttemptPaths,
  options: AttemptDiskOptions = {},
): Promise<void> {
  const { run = runCommand } = options;
  if (await isMounted(paths.disk)) {
    try {
      await run('umount', [paths.disk]);
    } catch {
      await run('umount', ['-l', paths.disk]);
    }
  }
  await removeAllBut(paths.attemptDir, basename(paths.control));
  await removeAllBut(paths.control, 'reserved.json');
  await remove(paths.attemptDir);
}

async function removeAllBut(folder: string, kept: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  for (const name of names) if (name !== kept) await remove(join(folder, name));
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 3 });
}

/** Whether something is mounted exactly here. */
export async function isMounted(path: string): Promise<boolean> {
  const table = await readFile('/proc/self/mountinfo', 'utf8');
  return table.split('\n').some((line) => unescapeMountPath(line.split(' ')[4] ?? '') === path);
}

/** The kernel writes white space and backslashes of paths as octal escapes. */
function unescapeMountPath(path: string): string {
  return path.replace(/\\([0-7]{3})/gu, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
