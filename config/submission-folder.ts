import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ID_PART } from '../core/ids';
import { type SubmissionSystem } from '../core/submission';
import { listFolder, namesIn, type FolderFile } from './folder-files';
import { type ConfigurationFault, parseLocatedYaml } from './located-yaml';
import { oneLineSchema } from './one-line';
import { readText } from './read-text';

const SYSTEM_FILE = 'system.yaml';
/** Of all runs together: what a machine can read and upload in one go. */
const MAX_FILES = 100_000;
const MAX_BYTES = 64 * 1024 ** 3;
const MAX_SYSTEM_BYTES = 64 * 1024;
const MAX_REPETITIONS = 1_000;

const DAY_WANTED = 'write the day on which the deliverables were made, like 2026-11-20';
const systemSchema = z.strictObject({
  /** Instead of the folder's name. */
  id: z.string().regex(ID_PART, 'must be 1 to 60 of a-z, 0-9, dot, dash and underscore').optional(),
  product: oneLineSchema,
  date: z.string({ error: DAY_WANTED }).refine(isDay, { error: DAY_WANTED }),
  operator: oneLineSchema,
});

/** One run's deliverables on disk. */
export interface SubmittedFolder {
  readonly task: string;
  readonly repetition: number;
  readonly folder: string;
  /** Relative to the run's folder. */
  readonly files: readonly FolderFile[];
}

/** A folder of deliverables made elsewhere, checked; nothing is uploaded yet. */
export interface SubmissionFolder {
  /** As system.yaml states it. */
  readonly id: string | undefined;
  readonly system: SubmissionSystem;
  /** By task, then repetition. */
  readonly runs: readonly SubmittedFolder[];
}

export interface ReadSubmission {
  readonly submission: SubmissionFolder | undefined;
  readonly faults: readonly ConfigurationFault[];
  readonly warnings: readonly ConfigurationFault[];
}

/**
 * Reads `DIR/{system.yaml, <task>/r<k>/...}`; every fault at once. Repetitions count from r1 without a gap, and every
 * task has as many. Links and special files are faults, as in task folders.
 */
export function readSubmissionFolder(
  folder: string,
  knownTasks: readonly string[],
): ReadSubmission {
  const faults: ConfigurationFault[] = [];
  const warnings: ConfigurationFault[] = [];
  const fault = (file: string, message: string): void =>
    void faults.push({ file, line: undefined, message });
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) {
    fault(folder, found === undefined ? 'is missing' : 'must be a folder, and not a link to one');
    return { submission: undefined, faults, warnings };
  }
  const system = readSystem(join(folder, SYSTEM_FILE), faults);
  const runs: SubmittedFolder[] = [];
  for (const name of [...namesIn(folder, fault)].sort()) {
    if (name === SYSTEM_FILE) continue;
    const path = join(folder, name);
    if (!isFolder(path)) fault(path, 'is neither system.yaml nor the folder of a task: remove it');
    else if (!knownTasks.includes(name))
      fault(path, `there is no task ${name}; the tasks are ${knownTasks.join(', ') || 'none'}`);
    else runs.push(...readTask(name, path, faults, warnings));
  }
  if (runs.length === 0 && faults.length === 0)
    fault(folder, 'holds no deliverables: put them into <task>/r1, <task>/r2 and so on');
  faults.push(...unevenFaults(folder, runs), ...sizeFaults(folder, runs));
  if (faults.length > 0 || system === undefined) return { submission: undefined, faults, warnings };
  const { id, ...facts } = system;
  return { submission: { id, system: facts, runs }, faults, warnings };
}

function readSystem(
  path: string,
  faults: ConfigurationFault[],
): z.infer<typeof systemSchema> | undefined {
  const fault = (message: string): void =>
    void faults.push({ file: path, line: undefined, message });
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isFile() !== true) {
    fault(
      facts === undefined
        ? 'is missing: it states product, date and operator, one line each'
        : 'must be a plain file',
    );
    return undefined;
  }
  const read = readText(path, { maxBytes: MAX_SYSTEM_BYTES });
  if ('problem' in read) {
    fault(read.problem);
    return undefined;
  }
  const parsed = parseLocatedYaml(path, read.text, systemSchema);
  if ('value' in parsed) return parsed.value;
  faults.push(...parsed.faults);
  return undefined;
}

function readTask(
  task: string,
  folder: string,
  faults: ConfigurationFault[],
  warnings: ConfigurationFault[],
): SubmittedFolder[] {
  const fault = (file: string, message: string): void =>
    void faults.push({ file, line: undefined, message });
  const numbers: number[] = [];
  for (const name of namesIn(folder, fault)) {
    const path = join(folder, name);
    const number = Number(/^r([1-9]\d{0,3})$/u.exec(name)?.[1] ?? Number.NaN);
    if (!isFolder(path) || !(number <= MAX_REPETITIONS))
      fault(path, `must be a folder r1, r2 and so on to r${MAX_REPETITIONS}: one a repetition`);
    else numbers.push(number);
  }
  numbers.sort((left, right) => left - right);
  const missing = gaps(numbers);
  if (missing.length > 0)
    fault(folder, `lacks ${missing.join(', ')}: repetitions count from r1 without a gap`);
  else if (numbers.length === 0) fault(folder, 'holds no repetition: put deliverables into r1');
  return numbers.map((repetition) => {
    const path = join(folder, `r${repetition}`);
    const listed = listFolder(path, { required: true });
    faults.push(...listed.faults);
    if (listed.files.length === 0 && listed.faults.length === 0)
      warnings.push({ file: path, line: undefined, message: 'delivers nothing: scores 0' });
    return { task, repetition, folder: path, files: listed.files };
  });
}

/** Repetitions below the last one that are not there; a few are named. */
function gaps(numbers: readonly number[]): string[] {
  const last = numbers.at(-1) ?? 0;
  const missing: string[] = [];
  for (let number = 1; number < last && missing.length < 5; number++)
    if (!numbers.includes(number)) missing.push(`r${number}`);
  return missing;
}

/** A sweep plans the same repetitions of every task. */
function unevenFaults(folder: string, runs: readonly SubmittedFolder[]): ConfigurationFault[] {
  const last = new Map<string, number>();
  for (const { task, repetition } of runs)
    last.set(task, Math.max(repetition, last.get(task) ?? 0));
  const most = Math.max(0, ...last.values());
  return [...last]
    .filter(([, count]) => count < most)
    .map(([task, count]) => ({
      file: join(folder, task),
      line: undefined,
      message: `lacks r${count + 1}${count + 1 < most ? ` to r${most}` : ''}: other tasks have r${most}`,
    }));
}

function sizeFaults(folder: string, runs: readonly SubmittedFolder[]): ConfigurationFault[] {
  const files = runs.flatMap((run) => run.files);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const messages = [
    ...(files.length > MAX_FILES ? [`holds more than ${MAX_FILES} files`] : []),
    ...(bytes > MAX_BYTES ? [`holds ${bytes} bytes, more than ${MAX_BYTES}`] : []),
  ];
  return messages.map((message) => ({ file: folder, line: undefined, message }));
}

/** Not a link to one. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text;
}
