import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { isCode } from './durable-file';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Opens a regular file below a folder that an agent could write to, following no link in any component: each folder is
 * opened through the handle of its parent, so that nothing can be swapped in between. Linux only (`/proc/self/fd`).
 * Returns `undefined` when there is no such regular file; links, pipes, sockets and devices are none.
 */
export async function openBelow(
  root: string,
  components: readonly (string | Buffer)[],
): Promise<FileHandle | undefined> {
  const opened: FileHandle[] = [];
  try {
    let folder = await open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    opened.push(folder);
    for (const component of components.slice(0, -1)) {
      folder = await open(childPath(folder, component), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      opened.push(folder);
    }
    const last = components.at(-1);
    if (last === undefined) return undefined;
    const file = await open(childPath(folder, last), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'EMLINK', 'ENAMETOOLONG'))
      return undefined;
    throw error;
  } finally {
    await Promise.all(opened.map((folder) => folder.close()));
  }
}

function childPath(folder: FileHandle, component: string | Buffer): Buffer {
  if (component.length === 0 || component.includes('/'))
    throw new TypeError(`${component.toString()} is not one component of a path`);
  return Buffer.concat([
    Buffer.from(`/proc/self/fd/${folder.fd}/`),
    typeof component === 'string' ? Buffer.from(component) : component,
  ]);
}

/** At most `maxBytes` of a file below `root`; `undefined` when there is no such regular file. */
export async function readBelow(
  root: string,
  path: string,
  maxBytes: number,
  from: 'start' | 'end' = 'start',
): Promise<Buffer | undefined> {
  const components = path.split('/');
  if (components.some((part) => part === '' || part === '.' || part === '..')) return undefined;
  const file = await openBelow(root, components);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const length = Math.min(size, maxBytes);
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await file.read(buffer, 0, length, from === 'start' ? 0 : size - length);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
