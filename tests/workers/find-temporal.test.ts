import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTemporal } from '../../workers/temporal-server';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-temporal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(...place: readonly string[]): string {
  const parent = join(folder, ...place);
  mkdirSync(parent, { recursive: true });
  const file = join(parent, 'temporal');
  writeFileSync(file, '');
  chmodSync(file, 0o700);
  return file;
}

describe('findTemporal', () => {
  const find = () => findTemporal(join(folder, 'data'), join(folder, 'path'), folder);

  it('takes the one of the data folder, else of PATH, else the one that the checkout was set up with', async () => {
    const usual = program('.startupbench', 'venv', 'bin');
    expect(await find()).toBe(usual);
    const onPath = program('path');
    expect(await find()).toBe(onPath);
    const own = program('data', 'venv', 'bin');
    expect(await find()).toBe(own);
  });

  it('says what to run where there is none, for this very data folder', async () => {
    await expect(find()).rejects.toThrow(
      `there is no Temporal server: run STARTUPBENCH_DATA=${join(folder, 'data')} scripts/setup, put`,
    );
    await expect(findTemporal(join(folder, '.startupbench'), '', folder)).rejects.toThrow(
      'there is no Temporal server: run scripts/setup, put',
    );
  });
});
