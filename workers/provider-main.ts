import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startProvider } from '../activities/models/provider-server';

/**
 * The process of our own providers (`replay`, `simulated`). Writes its address to `<data>/provider.json` once it
 * listens. Environment: STARTUPBENCH_DATA, STARTUPBENCH_RECORDINGS, STARTUPBENCH_PROVIDER_PORT (default: any free).
 */
async function main(environment: NodeJS.ProcessEnv): Promise<void> {
  const dataDir = resolve(environment['STARTUPBENCH_DATA'] ?? '.startupbench');
  const provider = await startProvider({
    port: Number(environment['STARTUPBENCH_PROVIDER_PORT'] ?? 0),
    recordingsDir: resolve(
      environment['STARTUPBENCH_RECORDINGS'] ?? join(__dirname, '..', 'recordings'),
    ),
  });
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Renamed into place, so that a reader never sees half of it.
  const target = join(dataDir, 'provider.json');
  const temporary = `${target}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify({ url: provider.url, pid: process.pid })}\n`);
  await rename(temporary, target);
  process.stderr.write(`provider listens on ${provider.url}\n`);
  const stop = () => void provider.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main(process.env).catch((error: unknown) => {
  process.stderr.write(`provider could not start: ${String(error)}\n`);
  process.exit(1);
});
