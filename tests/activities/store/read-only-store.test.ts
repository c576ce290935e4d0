import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from '../../../activities/store/file-store';

/** As the system throws it. */
function readOnly(syscall: string): never {
  const message = `EROFS: read-only file system, ${syscall}`;
  throw Object.assign(new Error(message), { code: 'EROFS', syscall });
}

it('says of a store on a read-only file system what was to be written, and what to do', async () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'read-only-'));
  const spies = [
    jest.spyOn(fs, 'openSync').mockImplementation(() => readOnly('open')),
    jest.spyOn(fs, 'unlinkSync').mockImplementation(() => readOnly('unlink')),
  ];
  try {
    await expect(new FileStore(folder).putRecord('open/a.json', '{}')).rejects.toMatchObject({
      type: 'StoreUnavailable',
      message:
        `put open/a.json in file:${folder}: EROFS: read-only file system, open; ` +
        'make it writable, or name another place in STARTUPBENCH_STORE',
    });
  } finally {
    for (const spy of spies) spy.mockRestore();
    fs.rmSync(folder, { recursive: true });
  }
});
