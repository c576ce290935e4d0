import { join } from 'node:path';

/** Where everything of one attempt lies on the host; the same layout as `ATTEMPT_LAYOUT` of the gateway's port. */
export interface AttemptPaths {
  readonly attemptDir: string;
  /** Bounded file system, or a plain folder that is watched. */
  readonly disk: string;
  readonly diskImage: string;
  readonly workspace: string;
  readonly home: string;
  /** The gateway's socket; mounted read-only. */
  readonly run: string;
  /** The supervisor's orders, the harness's output and the end record; mounted where only the supervisor may go. */
  readonly supervisor: string;
  /** Never mounted: our own records. */
  readonly control: string;
  /** Small files that are mounted read-only into the container's /etc. */
  readonly etc: string;
}

export function attemptPaths(attemptDir: string): AttemptPaths {
  return {
    attemptDir,
    disk: join(attemptDir, 'disk'),
    diskImage: join(attemptDir, 'disk.img'),
    workspace: join(attemptDir, 'disk', 'workspace'),
    home: join(attemptDir, 'disk', 'home'),
    run: join(attemptDir, 'run'),
    supervisor: join(attemptDir, 'supervisor'),
    control: join(attemptDir, 'control'),
    etc: join(attemptDir, 'etc'),
  };
}

/** Paths inside the container; those of `SANDBOX_PATHS` in the harness's port. */
export const INSIDE = {
  workspace: '/workspace',
  home: '/home/agent',
  run: '/run/startupbench',
  /** Our own things below HOME: standard input, the harness's configuration and result. */
  own: '/home/agent/.startupbench',
  supervisor: '/opt/startupbench/supervisor.py',
  /** Only root may enter it, and the agent is not root: what is mounted below is out of its reach. */
  closed: '/run/supervisor',
  supervisorFolder: '/run/supervisor/own',
} as const;

/** The folder of {@link INSIDE}.own, relative to HOME. */
export const OWN_FOLDER = '.startupbench';
