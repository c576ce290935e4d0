import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GatewayAttempt } from '../../../../activities/gateway/port';
import { DEFAULT_LIMITS } from '../../../../core/limits';

export const TOKEN = 'attempt-token';

export const SETTINGS: GatewayAttempt = {
  v: 1,
  attemptId: 'attempt-1',
  runId: 'sim@minimal/task/r1',
  tokenSha256: createHash('sha256').update(TOKEN).digest('hex'),
  model: {
    id: 'sim',
    provider: 'simulated',
    name: 'simulated',
    parameters: {},
    account: 'simulated',
    simulation: { seed: 1, steps: 1_000, judgeTurns: 1, latencyMs: 0, errorRate: 0 },
  },
  prices: {
    inputPerMillion: 1_000_000,
    cachedInputPerMillion: 1_000_000,
    cacheWritePerMillion: 1_000_000,
    outputPerMillion: 1_000_000,
  },
  limits: DEFAULT_LIMITS,
  context: { purpose: 'agent', taskId: 'task', repetition: 1 },
  harness: { name: 'minimal', version: '1' },
};

export interface DataFolder {
  readonly dataDir: string;
  /** Makes an attempt's folder with its `gateway.json` and a fresh lease. */
  attempt(change?: Partial<GatewayAttempt>): string;
  remove(): void;
}

export function makeDataFolder(): DataFolder {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-'));
  return {
    dataDir,
    attempt: (change = {}) => {
      const settings = { ...SETTINGS, ...change };
      const folder = join(dataDir, 'sandboxes', settings.attemptId);
      for (const name of ['control', 'run']) mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, 'control', 'gateway.json'), JSON.stringify(settings));
      writeFileSync(join(folder, 'control', 'lease'), '');
      return folder;
    },
    remove: () => {
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
