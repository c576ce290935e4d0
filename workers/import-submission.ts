import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { ConfigurationError } from '../config/configuration-error';
import { type ConfigurationFault } from '../config/located-yaml';
import { readSubmissionFolder, type SubmittedFolder } from '../config/submission-folder';
import { readTaskFolder } from '../config/task-folder';
import { resolveTaskPatterns } from '../config/task-patterns';
import { deliverablesDigest } from '../activities/agent/store-deliverables';
import { mapConcurrently, readJson } from '../activities/read-json';
import { type ObjectStore } from '../activities/store/port';
import { Failure } from '../core/failure';
import { canonicalJson, isIdPart, storeKeys, submissionDigest } from '../core/ids';
import { type DeliverableManifest } from '../core/run';
import { type Submission, type SubmittedRun } from '../core/submission';

const UPLOADS_AT_ONCE = 8;
const NAMED_RUNS = 5;
/** Of a record; the store takes no more. */
const MAX_RECORD_BYTES = 1024 ** 2;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface ImportInput {
  readonly folder: string;
  /** Id of the submission; default: that of system.yaml, else the folder's name. */
  readonly name?: string;
  /** Task folders or globs, from the current folder: whose tasks may be submitted. */
  readonly tasks: readonly string[];
}

export interface ImportedSubmission {
  readonly submission: Submission;
  /** False: the store had the very same already. */
  readonly isNew: boolean;
  readonly warnings: readonly ConfigurationFault[];
}

/**
 * Puts deliverables made elsewhere into the store: files and manifests first, the record that names them last, once.
 * Importing the same again changes nothing. Throws `ConfigurationError` with every fault of the folder, and
 * `Failure('InvalidInput')` where the store has other content under this id.
 */
export async function importSubmission(
  store: ObjectStore,
  input: ImportInput,
  now: () => Date = () => new Date(),
): Promise<ImportedSubmission> {
  const folder = resolve(input.folder);
  const faults: ConfigurationFault[] = [];
  const tasks = knownTasks(input.tasks, faults);
  const read = readSubmissionFolder(folder, tasks);
  faults.push(...read.faults);
  const id = input.name ?? read.submission?.id ?? basename(folder);
  if (!isIdPart(id) && (input.name !== undefined || read.submission !== undefined))
    faults.push({
      file: folder,
      line: undefined,
      message: `${JSON.stringify(id)} cannot be an id (1 to 60 of a-z, 0-9, dot, dash, underscore): name the submission with --name`,
    });
  if (faults.length > 0 || read.submission === undefined) throw new ConfigurationError(faults);
  const { system } = read.submission;
  const runs: SubmittedRun[] = [];
  for (const run of read.submission.runs) runs.push(await putRun(store, run));
  const made: Submission = {
    v: 1,
    id,
    system,
    runs,
    digest: submissionDigest(system, runs, sha256),
    importedAt: now().toISOString(),
  };
  const { submission, isNew } = await putSubmission(store, made);
  if (submission.digest !== made.digest)
    throw new Failure('InvalidInput', describeChange(store, submission, made));
  return { submission, isNew, warnings: read.warnings };
}

function knownTasks(patterns: readonly string[], faults: ConfigurationFault[]): string[] {
  const folders = resolveTaskPatterns(process.cwd(), patterns, (index, message) =>
    faults.push({ file: patterns[index] ?? '', line: undefined, message }),
  );
  return folders.flatMap((folder) => {
    const read = readTaskFolder(folder);
    faults.push(...read.faults);
    return read.task === undefined ? [] : [read.task.id];
  });
}

async function putRun(store: ObjectStore, run: SubmittedFolder): Promise<SubmittedRun> {
  const files = await mapConcurrently(run.files, UPLOADS_AT_ONCE, async ({ path, source }) => ({
    path,
    ...(await store.putBlobFile('open', source)),
  }));
  const manifest: DeliverableManifest = {
    v: 1,
    files,
    refused: [],
    truncated: false,
    digest: deliverablesDigest(files),
  };
  return {
    task: run.task,
    repetition: run.repetition,
    deliverables: manifest.digest,
    manifest: await store.putBlob('open', Buffer.from(canonicalJson(manifest), 'utf8')),
    files: files.length,
  };
}

async function putSubmission(
  store: ObjectStore,
  made: Submission,
): Promise<{ readonly submission: Submission; readonly isNew: boolean }> {
  const key = storeKeys.submission(made.id);
  const text = canonicalJson(made);
  if (Buffer.byteLength(text) > MAX_RECORD_BYTES)
    throw new Failure(
      'InvalidInput',
      `submission ${made.id} has ${made.runs.length} runs, more than one record can list: split it`,
    );
  if ((await store.putRecord(key, text)) === 'created') return { submission: made, isNew: true };
  return { submission: (await readJson<Submission>(store, key)) ?? made, isNew: false };
}

/** What is different under a name that is taken. */
function describeChange(store: ObjectStore, kept: Submission, made: Submission): string {
  const byRun = new Map(
    kept.runs.map(({ task, repetition, deliverables }) => [`${task}/r${repetition}`, deliverables]),
  );
  const ids = new Set(made.runs.map(({ task, repetition }) => `${task}/r${repetition}`));
  const changed = made.runs
    .filter(
      ({ task, repetition, deliverables }) => byRun.get(`${task}/r${repetition}`) !== deliverables,
    )
    .map(({ task, repetition }) => `${task}/r${repetition}`);
  const differs = [...changed, ...[...byRun.keys()].filter((run) => !ids.has(run))];
  const what =
    differs.length === 0
      ? 'system.yaml'
      : differs.slice(0, NAMED_RUNS).join(', ') +
        (differs.length > NAMED_RUNS ? ` and ${differs.length - NAMED_RUNS} more` : '');
  return (
    `${store.description} has a submission ${kept.id} of ${kept.importedAt} already, and this one differs in ${what}: ` +
    'what was imported is never changed; import this one under another id with --name'
  );
}
