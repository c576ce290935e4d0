import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGatewayControl } from '../../../activities/gateway/gateway-control';
import { afterAttemptFailure } from '../../../core/attempts';
import { type Failure } from '../../../core/failure';
import { type DataFolder, makeDataFolder } from './support/attempt-folder';

describe('an attempt whose gateway.json was damaged', () => {
  let data: DataFolder;
  beforeEach(() => {
    data = makeDataFolder();
  });
  afterEach(() => data.remove());

  it.each([
    ['empty', ''],
    ['torn', '{"v": 1, "attemptId"'],
    ['of another shape', '{"v": 1}'],
    ['gone', undefined],
  ])('is given up for another one where it is %s: no retry heals it', async (_how, content) => {
    const folder = data.attempt();
    const file = join(folder, 'control', 'gateway.json');
    if (content === undefined) rmSync(file);
    else writeFileSync(file, content);
    const control = createGatewayControl({ dataDir: data.dataDir });
    for (const use of [() => control.open(folder), () => control.writeTranscript(folder)]) {
      const failure = (await use().catch((error: unknown) => error)) as Failure;
      expect(failure.message).toContain(file);
      expect(failure.retryable).toBe(false);
      expect(afterAttemptFailure(failure.type, 1)).toBe('again');
    }
  });
});
