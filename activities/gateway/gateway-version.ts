import * as crypto from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What code a gateway process runs: the newer one of two takes over. */
export interface GatewayVersion {
  /** sha256 over the code that the process is made of. */
  readonly digest: string;
  /** Newest modification time of that code, milliseconds. */
  readonly modifiedMs: number;
}

const FOLDERS = [
  'core',
  'core/anthropic',
  'core/responses',
  'activities/gateway',
  'activities/models',
  'activities/web',
  'config',
  'config/catalog',
];
const FILES = [
  'workers/gateway-main',
  'workers/fetcher-main',
  'workers/fetcher-process',
  'workers/logging',
  'workers/serve-fetches',
];

/** Paths below `root` of the code that the process is made of, packages apart. */
export function gatewayCode(root: string): string[] {
  const extension = __filename.endsWith('.ts') ? '.ts' : '.js';
  return [
    ...FOLDERS.flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith(extension))
        .map((name) => join(folder, name)),
    ),
    ...FILES.map((file) => file + extension),
  ].sort();
}

/** `root` is the folder that holds `core/` and `activities/`: the checkout, or `dist/`. */
export function gatewayVersion(root = join(__dirname, '..', '..')): GatewayVersion {
  const paths = gatewayCode(root);
  const hash = crypto.createHash('sha256');
  let modifiedMs = 0;
  for (const path of paths) {
    const absolute = join(root, path);
    hash.update(`${path}\0`).update(readFileSync(absolute));
    modifiedMs = Math.max(modifiedMs, statSync(absolute).mtimeMs);
  }
  return { digest: hash.digest('hex'), modifiedMs };
}

/** Whether a process of version `ours` should replace one of version `running`. */
export function replaces(ours: GatewayVersion, running: GatewayVersion): boolean {
  return ours.digest !== running.digest && ours.modifiedMs > running.modifiedMs;
}
