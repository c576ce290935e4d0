import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigurationFault } from './located-yaml';
import { describeSystemError } from './system-error';

/** Files and bytes that one folder of a task may hold. */
export const MAX_FOLDER_FILES = 2_000;
export const MAX_FOLDER_BYTES = 1024 ** 3;

export interface FolderFile {
  /** POSIX, relative to the folder, NFC. */
  readonly path: string;
  /** Where it lies. */
  readonly source: string;
  readonly bytes: number;
}

/**
 * Plain files below `folder`, in byte order of their paths. Links and special files are faults: what they point at
 * is not part of the task, and an agent must not reach it.
 */
export function listFolder(
  folder: string,
  options: { readonly required: boolean },
): { readonly files: readonly FolderFile[]; readonly faults: readonly ConfigurationFault[] } {
  const files: FolderFile[] = [];
  const faults: ConfigurationFault[] = [];
  const fault = (file: string, message: string): void =>
    void faults.push({ file, line: undefined, message });
  const walk = (at: string, prefix: string): void => {
    for (const name of namesIn(at, fault)) {
      // A folder that is much too large is not read to its end.
      if (files.length > MAX_FOLDER_FILES) return;
      const source = join(at, name);
      const facts = lstatSync(source, { throwIfNoEntry: false });
      const path = `${prefix}${name.normalize('NFC')}`;
      if (facts === undefined) fault(source, 'is gone, or its name is not UTF-8: rename it');
      else if (facts.isDirectory()) walk(source, `${path}/`);
      else if (facts.isSymbolicLink())
        fault(source, `is a link to ${readlinkSync(source)}: put the file itself there`);
      else if (!facts.isFile()) fault(source, 'is not a plain file: remove it');
      else if (/[\p{Cc}\\]/u.test(path))
        fault(source, 'has a control character or a back slash in its name: rename it');
      else files.push({ path, source, bytes: facts.size });
    }
  };
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) {
    if (options.required) fault(folder, 'is missing');
    return { files, faults };
  }
  if (!found.isDirectory()) {
    fault(folder, 'must be a folder, and not a link to one');
    return { files, faults };
  }
  walk(folder, '');
  files.sort((left, right) => (left.path < right.path ? -1 : 1));
  files.forEach((file, index) => {
    if (files[index + 1]?.path === file.path)
      fault(file.source, 'has the same name as another file once both are in Unicode NFC');
  });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (files.length > MAX_FOLDER_FILES) fault(folder, `holds more than ${MAX_FOLDER_FILES} files`);
  if (bytes > MAX_FOLDER_BYTES)
    fault(folder, `holds ${bytes} bytes, more than ${MAX_FOLDER_BYTES}`);
  return { files, faults };
}

/** Names in a folder, or none and a fault where it cannot be read. */
export function namesIn(
  folder: string,
  fault: (file: string, message: string) => void,
): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    fault(folder, `cannot be read: ${describeSystemError(error) ?? String(error)}`);
    return [];
  }
}
