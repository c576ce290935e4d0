import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processFiles } from './attempt-files';

/** Starts the gateway process detached: it outlives the worker that needed it. Its output goes to `logs/gateway.log`. */
export function spawnGateway(
  dataDir: string,
  environment: Readonly<Record<string, string | undefined>>,
): ChildProcess {
  const { log } = processFiles(dataDir);
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
  const output = openSync(log, 'a', 0o600);
  try {
    const child = spawn(process.execPath, gatewayArguments(), {
      detached: true,
      stdio: ['ignore', output, output],
      env: { ...environment, STARTUPBENCH_DATA: dataDir },
    });
    child.unref();
    return child;
  } finally {
    closeSync(output);
  }
}

/** From source through tsx, from `dist/` as it is. */
function gatewayArguments(): string[] {
  const main = join(__dirname, '..', '..', 'workers', 'gateway-main');
  if (!__filename.endsWith('.ts')) return [`${main}.js`];
  return ['--import', pathToFileURL(require.resolve('tsx')).href, `${main}.ts`];
}
