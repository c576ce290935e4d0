import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processFiles } from '../../../../activities/gateway/attempt-files';
import { controlRequest } from '../../../../activities/gateway/control-request';
import { createGatewayControl } from '../../../../activities/gateway/gateway-control';
import { type GatewayControl } from '../../../../activities/gateway/port';
import { type RunningProvider, startProvider } from '../../../../activities/models/provider-server';
import { type DataFolder, makeDataFolder } from './attempt-folder';

/** A data folder with a real provider beside it; the gateway process is started by whoever asks. */
export interface GatewayBench extends DataFolder {
  readonly provider: RunningProvider;
  /** Control whose gateway, if it has to be started, gets these variables too. */
  control(environment?: Record<string, string>): GatewayControl;
  gatewayPid(): Promise<number>;
  stop(): Promise<void>;
}

export async function startGatewayBench(
  data: DataFolder = makeDataFolder(),
): Promise<GatewayBench> {
  const recordingsDir = join(data.dataDir, 'recordings');
  const provider = await startProvider({ port: 0, recordingsDir });
  writeFileSync(join(data.dataDir, 'provider.json'), JSON.stringify({ url: provider.url }));
  const { controlSocket } = processFiles(data.dataDir);
  const gatewayPid = async (): Promise<number> => {
    const status = await controlRequest(controlSocket, 'GET', '/status', undefined, 60_000);
    return (status as { pid: number }).pid;
  };
  return {
    ...data,
    provider,
    gatewayPid,
    control: (environment = {}) =>
      createGatewayControl({
        dataDir: data.dataDir,
        environment: { ...process.env, ...environment },
      }),
    stop: async () => {
      const pid = await gatewayPid().catch(() => undefined);
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await provider.close();
      data.remove();
    },
  };
}
