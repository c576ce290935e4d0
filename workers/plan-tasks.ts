import { createHash } from 'node:crypto';
import { type ConfigurationFault } from '../config/located-yaml';
import { type FolderFile } from '../config/folder-files';
import { twinFaults } from '../config/task-twins';
import { readTaskFolder, type TaskFolder } from '../config/task-folder';
import { Failure } from '../core/failure';
import { canonicalJson, keyOf } from '../core/ids';
import { type FileReference, type PlannedTask } from '../core/task';
import { digestFile } from '../activities/store/digest';
import { mapConcurrently } from '../activities/read-json';
import { type ObjectStore, type StoreScope } from '../activities/store/port';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const FILES_AT_ONCE = 8;

/** A blob that a plan names: a file on disk or a text. */
export interface PlannedBlob {
  readonly scope: StoreScope;
  readonly sha256: string;
  readonly source: { readonly path: string } | { readonly text: string };
}

export interface PlannedTasks {
  readonly tasks: readonly PlannedTask[];
  readonly blobs: readonly PlannedBlob[];
}

/** Reads task folders; faults and warnings of all of them are added to the lists. */
export function readTaskFolders(
  folders: readonly string[],
  faults: ConfigurationFault[],
  warnings: ConfigurationFault[],
): TaskFolder[] {
  const tasks: TaskFolder[] = [];
  for (const folder of folders) {
    const read = readTaskFolder(folder);
    faults.push(...read.faults);
    warnings.push(...read.warnings);
    if (read.task !== undefined) tasks.push(read.task);
  }
  faults.push(...twinFaults(tasks));
  return tasks;
}

/**
 * Digests of everything in the tasks. Inputs go to `open/`; rubrics and references, which no agent may see, to `sealed/`.
 *
 * @param oracle true where a lane delivers the references: agent hosts, which may not read `sealed/`, then find them in
 * `open/` too, where its deliverables go in any case
 */
export async function planTasks(
  folders: readonly TaskFolder[],
  oracle = false,
): Promise<PlannedTasks> {
  const blobs: PlannedBlob[] = [];
  const tasks: PlannedTask[] = [];
  for (const folder of folders) {
    const files = await digestAll(folder.files, 'open', blobs);
    const reference = await digestAll(folder.reference, 'sealed', blobs);
    if (oracle) await digestAll(folder.reference, 'open', blobs);
    const text = canonicalJson(folder.rubric);
    const rubric = { path: 'rubric.json', sha256: sha256(text), bytes: Buffer.byteLength(text) };
    blobs.push({ scope: 'sealed', sha256: rubric.sha256, source: { text } });
    const { id, title, domain, language, outputs, grants } = folder;
    tasks.push({
      id,
      title,
      domain,
      language,
      outputs,
      grants,
      digest: taskDigest(files, outputs),
      files,
      rubric,
      itemCount: folder.rubric.items.length,
      reference,
    });
  }
  return { tasks, blobs };
}

/** Request, workspace files and required outputs; neither title nor rubric. */
function taskDigest(files: readonly FileReference[], outputs: PlannedTask['outputs']): string {
  const contents = files.map(({ path, sha256: digest }) => [path, digest]);
  return keyOf({ v: 1, files: contents, outputs }, sha256);
}

async function digestAll(
  files: readonly FolderFile[],
  scope: StoreScope,
  blobs: PlannedBlob[],
): Promise<FileReference[]> {
  return mapConcurrently(files, FILES_AT_ONCE, async ({ path, source }) => {
    const digest = await digestFile(source);
    blobs.push({ scope, sha256: digest.sha256, source: { path: source } });
    return { path, ...digest };
  });
}

/** Puts what the store does not have yet. Throws `Failure('InvalidInput')` when a file changed since it was read. */
export async function putPlannedBlobs(
  store: ObjectStore,
  blobs: readonly PlannedBlob[],
): Promise<void> {
  await mapConcurrently(blobs, FILES_AT_ONCE, async ({ scope, sha256: expected, source }) => {
    const put =
      'text' in source
        ? await store.putBlob(scope, Buffer.from(source.text, 'utf8'))
        : await store.putBlobFile(scope, source.path);
    if (put.sha256 !== expected && 'path' in source)
      throw new Failure(
        'InvalidInput',
        `${source.path} changed while the plan was made; plan again`,
      );
  });
}
