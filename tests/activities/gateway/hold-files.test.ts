import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isHeld,
  readHolding,
  readPause,
  writeHolding,
  writePause,
} from '../../../activities/gateway/hold-files';

describe('hold files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'startupbench-hold-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const files = () => ({
    holding: join(folder, 'holding.json'),
    pause: join(folder, 'pause.json'),
  });

  it('gives back what was written, and nothing once it is taken away', () => {
    const { holding, pause } = files();
    expect([readHolding(holding), readPause(pause), isHeld(files())]).toEqual([
      undefined,
      undefined,
      false,
    ]);
    const held = { type: 'Quota', message: 'used up', since: '2026-11-01T00:00:00.000Z' };
    writeHolding(holding, held);
    writePause(pause, 'lunch');
    expect([readHolding(holding), readPause(pause), isHeld(files())]).toEqual([
      held,
      'lunch',
      true,
    ]);
    writeHolding(holding, undefined);
    writePause(pause, undefined);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('still says that something is held where a crash of the machine left the record empty', () => {
    const { holding, pause } = files();
    for (const content of ['', 'null', '{"reason":1}']) {
      writeFileSync(holding, content);
      writeFileSync(pause, content);
      expect(readHolding(holding)).toMatchObject({ type: 'unknown' });
      expect(readPause(pause)).toContain('lost');
    }
  });
});
