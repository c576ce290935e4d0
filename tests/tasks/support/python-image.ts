import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { imageTag, projectRoot } from '../../../activities/sandbox/image-recipe';

/**
 * Runs one of the project's Python scripts in the agents' Python image, without network. The script lies at
 * /project/<script>; `folders` are its other parts: path below /project to a folder of this host, writable, or to
 * `undefined` for the project's own, read-only.
 */
export async function runPythonScript(
  script: string,
  scriptArguments: readonly string[],
  folders: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  const volumes = Object.entries(folders).flatMap(([path, source]) => [
    '--volume',
    source === undefined
      ? `${join(projectRoot(), path)}:/project/${path}:ro`
      : `${source}:/project/${path}`,
  ]);
  const { stdout } = await promisify(execFile)('docker', [
    ...['run', '--rm', '--network', 'none', '--user', user, '--env', 'PYTHONDONTWRITEBYTECODE=1'],
    ...[...volumes, '--workdir', '/project', imageTag('python'), 'python3', script],
    ...scriptArguments,
  ]);
  return stdout;
}
