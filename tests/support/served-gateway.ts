import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GatewayAttempt, type GatewayControl } from '../../activities/gateway/port';
import { type GatewayBench, startGatewayBench } from '../activities/gateway/support/gateway-bench';

export interface ServedGateway {
  readonly bench: GatewayBench;
  readonly control: GatewayControl;
  /** Makes an attempt's folder and has it served; returns the folder. */
  openAttempt(change?: Partial<GatewayAttempt>): Promise<string>;
}

/** Starts a gateway process before the tests of a `describe` and ends it after them. */
export function serveGateway(
  prepare: (
    bench: GatewayBench,
  ) => Promise<Record<string, string>> | Record<string, string> = () => ({}),
): ServedGateway {
  let bench: GatewayBench | undefined;
  let control: GatewayControl | undefined;
  let count = 0;
  beforeAll(async () => {
    bench = await startGatewayBench();
    control = bench.control(await prepare(bench));
    await control.ensureRunning();
  }, 60_000);
  afterAll(async () => {
    await bench?.stop();
  });
  const running = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error('the gateway is not started yet');
    return thing;
  };
  return {
    get bench() {
      return running(bench);
    },
    get control() {
      return running(control);
    },
    openAttempt: async (change = {}) => {
      const folder = running(bench).attempt({ attemptId: `attempt-${++count}`, ...change });
      await running(control).open(folder);
      return folder;
    },
  };
}

/** Writes `providers.yaml` of a bench; returns the variables that make its gateway read it. */
export function writeAccounts(
  bench: GatewayBench,
  accounts: Readonly<Record<string, object>>,
): Record<string, string> {
  const file = join(bench.dataDir, 'providers.yaml');
  writeFileSync(file, JSON.stringify({ accounts }), { mode: 0o600 });
  return { STARTUPBENCH_PROVIDERS: file };
}
