import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../config/make-folder';
import { Failure } from '../core/failure';
import { type FileReference } from '../core/task';
import { type ObjectStore } from '../activities/store/port';
import { type RunDetails } from './run-details';

export interface ExportedFile {
  /** As the agent named it, or we did. */
  readonly name: string;
  /** Relative to the folder. */
  readonly path: string;
  readonly bytes: number;
}

const LONGEST_PART = 120;

/**
 * Writes a run's deliverables (`results/`) and each attempt's transcript, logs and record (`attempts/<k>/`) into a
 * new folder; every file written is returned. Names come from agents: they are contained in the folder, and changed
 * ones are listed in names.json.
 * Throws `Failure('InvalidInput')` when the folder holds something already.
 */
export async function exportRun(
  store: ObjectStore,
  details: RunDetails,
  folder: string,
): Promise<ExportedFile[]> {
  makeFolder(folder, 0o755);
  if (readdirSync(folder).length > 0)
    throw new Failure('InvalidInput', `${folder} is not empty: name a new folder with --out`);
  const names = new UsedNames();
  const exported: ExportedFile[] = [];
  const write = async (prefix: string, file: FileReference): Promise<void> => {
    const path = names.take(prefix, safePath(file.path));
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await store.getBlobToFile('open', file.sha256, join(folder, path));
    exported.push({ name: `${prefix}/${file.path}`, path, bytes: file.bytes });
  };
  for (const file of details.result?.deliverables.files ?? []) await write('results', file);
  for (const { attempt, record } of details.attempts) {
    const prefix = `attempts/${attempt}`;
    if (record === undefined) continue;
    await mkdir(join(folder, prefix), { recursive: true });
    exported.push(await writeJson(folder, names.take(prefix, 'attempt.json'), record));
    if (record.transcript !== undefined) await write(prefix, record.transcript);
    // Their paths say `logs/` or `images/` already; the transcript names its images so.
    for (const log of record.logs) await write(prefix, log);
  }
  const renamed = exported.filter(({ name, path }) => name !== path);
  if (renamed.length > 0) exported.push(await writeJson(folder, 'names.json', renamed));
  return exported;
}

/** A file of ours. */
async function writeJson(folder: string, path: string, value: unknown): Promise<ExportedFile> {
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  await writeFile(join(folder, path), text);
  return { name: path, path, bytes: Buffer.byteLength(text) };
}

/** A path that stays below its folder on any system: no dot parts, no control characters, no over-long part. */
export function safePath(path: string): string {
  const parts = path.split(/[/\\]/u).map((part) => {
    const plain = part.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}<>:"|?*]/gu, '_').replace(/[. ]+$/u, '_');
    return plain.length > LONGEST_PART ? `${plain.slice(0, LONGEST_PART)}~` : plain;
  });
  const kept = parts
    .filter((part) => part !== '')
    .map((part) => (/^\.+$/u.test(part) ? '_' : part));
  return kept.length === 0 ? '_' : kept.join('/');
}

/** Names used so far in a folder, without regard to case, since some file systems have none. */
class UsedNames {
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** `prefix/path`; with `~2` and so on where that is in use, flat where a file has the name of one of its folders. */
  take(prefix: string, path: string): string {
    const nested = `${prefix}/${path}`;
    const base = this.blockedByFile(nested) ? `${prefix}/${path.replaceAll('/', '~')}` : nested;
    let candidate = base;
    for (let number = 2; this.isUsed(candidate.toLowerCase()); number++)
      candidate = `${base}~${number}`;
    const lower = candidate.toLowerCase();
    this.files.add(lower);
    for (const folder of parentsOf(lower)) this.folders.add(folder);
    return candidate;
  }

  private isUsed(lower: string): boolean {
    return this.files.has(lower) || this.folders.has(lower) || this.blockedByFile(lower);
  }

  private blockedByFile(path: string): boolean {
    return parentsOf(path.toLowerCase()).some((folder) => this.files.has(folder));
  }
}

function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}
