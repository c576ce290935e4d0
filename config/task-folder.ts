import { statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { ID_PART } from '../core/ids';
import { type Rubric } from '../core/rubric';
import { grantFault } from '../core/web';
import { DOMAINS, OUTPUT_FORMATS, type OutputFormat, type PlannedTask } from '../core/task';
import { listFolder, type FolderFile } from './folder-files';
import { type ConfigurationFault, parseLocatedYaml } from './located-yaml';
import { oneLineSchema } from './one-line';
import { readText } from './read-text';
import { parseRubric } from './rubric-file';

/** Path of the request within a workspace. */
export const REQUEST_PATH = 'query/task.md';

/** A model reads it whole. */
const MAX_REQUEST_BYTES = 1024 ** 2;

const EXTENSIONS: Partial<Record<OutputFormat, readonly string[]>> = {
  docx: ['.docx'],
  xlsx: ['.xlsx'],
  pptx: ['.pptx'],
  pdf: ['.pdf'],
  csv: ['.csv'],
  markdown: ['.md', '.markdown'],
  text: ['.txt'],
  image: ['.png', '.jpg', '.jpeg'],
};

const relativePath = z
  .string()
  .min(1)
  .refine((path) => !path.split('/').some((part) => ['', '.', '..', 'results'].includes(part)), {
    error: 'must be a path below results/, without results/ itself',
  })
  .refine((path) => path.length <= 400 && !/[\p{Cc}\p{Zl}\p{Zp}\\]/u.test(path), {
    error: 'must have at most 400 characters, and no control character or back slash',
  })
  .transform((path) => path.normalize('NFC'));
const taskSchema = z.strictObject({
  id: z.string().regex(ID_PART, 'must be 1 to 60 of a-z, 0-9, dot, dash and underscore'),
  title: oneLineSchema,
  domain: z.enum(DOMAINS),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u, 'must be a language tag like en or zh'),
  outputs: z
    .array(z.strictObject({ path: relativePath, format: z.enum(OUTPUT_FORMATS) }))
    .min(1, 'a task needs at least one required output'),
  grants: z
    .strictObject({
      /** Public hosts whose pages the agent may fetch. */
      web: z
        .array(
          z.string().superRefine((grant, context) => {
            const message = grantFault(grant);
            if (message !== undefined) context.addIssue({ code: 'custom', message });
          }),
        )
        .max(50),
    })
    .default({ web: [] }),
  /** Files that the request names; every one must lie in the workspace. */
  attachments: z.array(z.string().min(1)).optional(),
});
type TaskFile = z.infer<typeof taskSchema>;

/** A task as it lies in its folder: checked, with the files still on disk. */
export interface TaskFolder extends Pick<
  PlannedTask,
  'id' | 'title' | 'domain' | 'language' | 'outputs' | 'grants'
> {
  readonly folder: string;
  readonly rubric: Rubric;
  /** Paths relative to the workspace, the request included. */
  readonly files: readonly FolderFile[];
  /** Paths relative to `results/`; empty when the task has no reference. */
  readonly reference: readonly FolderFile[];
}

export interface ReadTaskFolder {
  readonly task: TaskFolder | undefined;
  readonly faults: readonly ConfigurationFault[];
  readonly warnings: readonly ConfigurationFault[];
}

/** Reads and checks a task folder; every fault of all its files at once. */
export function readTaskFolder(folder: string): ReadTaskFolder {
  const faults: ConfigurationFault[] = [];
  const warnings: ConfigurationFault[] = [];
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const message = 'there is no such folder: name the folder that holds task.yaml';
    return { task: undefined, faults: [{ file: folder, line: undefined, message }], warnings };
  }
  const taskPath = join(folder, 'task.yaml');
  const given = readTaskFile(taskPath, faults);
  const rubricPath = join(folder, 'rubric.yaml');
  const rubricText = textOf(rubricPath, faults);
  const outputs = given?.outputs.map((output) => output.path) ?? [];
  const rubric =
    rubricText === undefined ? undefined : parseRubric(rubricPath, rubricText, outputs);
  faults.push(...(rubric?.faults ?? []));
  if (given !== undefined) warnings.push(...(rubric?.warnings ?? []));
  const files = readWorkspace(folder, given, faults);
  const reference = readReference(folder, outputs, faults, warnings);
  if (faults.length > 0 || given === undefined || rubric?.rubric === undefined)
    return { task: undefined, faults, warnings };
  const { id, title, domain, language, grants, outputs: required } = given;
  return {
    task: {
      id,
      title,
      domain,
      language,
      outputs: required,
      grants,
      folder,
      rubric: rubric.rubric,
      files,
      reference,
    },
    faults,
    warnings,
  };
}

function readTaskFile(path: string, faults: ConfigurationFault[]): TaskFile | undefined {
  const text = textOf(path, faults);
  if (text === undefined) return undefined;
  const parsed = parseLocatedYaml(path, text, taskSchema);
  if ('faults' in parsed) {
    faults.push(...parsed.faults);
    return undefined;
  }
  faults.push(...faultsOfOutputs(path, parsed.value, parsed.lineOf));
  return parsed.value;
}

function textOf(path: string, faults: ConfigurationFault[]): string | undefined {
  const read = readText(path, { refuseLinks: true });
  if ('text' in read) return read.text;
  faults.push({ file: path, line: undefined, message: read.problem });
  return undefined;
}

function faultsOfOutputs(
  file: string,
  task: TaskFile,
  lineOf: (path: readonly PropertyKey[]) => number | undefined,
): ConfigurationFault[] {
  return task.outputs.flatMap(({ path, format }, index) => {
    const fault = (message: string) => ({ file, line: lineOf(['outputs', index]), message });
    const found: ConfigurationFault[] = [];
    if (task.outputs.findIndex((other) => other.path === path) < index)
      found.push(fault(`outputs: ${path} is required twice`));
    const expected = EXTENSIONS[format];
    if (expected !== undefined && !expected.includes(extname(path).toLowerCase()))
      found.push(
        fault(`outputs: ${path} cannot be ${format}: that ends in ${expected.join(' or ')}`),
      );
    return found;
  });
}

function readWorkspace(
  folder: string,
  task: TaskFile | undefined,
  faults: ConfigurationFault[],
): readonly FolderFile[] {
  const workspace = join(folder, 'workspace');
  const listed = listFolder(workspace, { required: true });
  faults.push(...listed.faults);
  const paths = listed.files.map((file) => file.path);
  const fault = (message: string): void =>
    void faults.push({ file: workspace, line: undefined, message });
  if (listed.faults.length === 0 && !paths.includes(REQUEST_PATH))
    fault(`${REQUEST_PATH} is missing: it holds the request`);
  const request = listed.files.find((file) => file.path === REQUEST_PATH);
  if (request?.bytes === 0) fault(`${REQUEST_PATH} is empty`);
  for (const path of paths) {
    if (path.startsWith('results/'))
      fault(`${path}: results/ is where agents deliver; it must be empty`);
    if (path.startsWith('_parsed/'))
      fault(`${path}: _parsed/ is made by sweeps with \`parsed: on\`; remove it`);
  }
  for (const attachment of task?.attachments ?? [])
    if (!paths.includes(attachment.normalize('NFC')))
      fault(`attachment ${attachment} is missing: add the file or take it out of task.yaml`);
  if (request !== undefined && task !== undefined)
    faults.push(...faultsOfRequest(request.source, task, paths));
  return listed.files;
}

/** Faults of the request: its text, and files that it names in back quotes and that nobody provides. */
function faultsOfRequest(
  requestFile: string,
  task: TaskFile,
  paths: readonly string[],
): ConfigurationFault[] {
  const known = new Set([
    ...paths,
    ...task.outputs.flatMap((output) => [output.path, `results/${output.path}`]),
  ]);
  const read = readText(requestFile, { maxBytes: MAX_REQUEST_BYTES });
  if ('problem' in read)
    return [
      { file: requestFile, line: undefined, message: `${read.problem}; it holds the request` },
    ];
  const lines = read.text.normalize('NFC').split('\n');
  return lines.flatMap((line, index) =>
    [...line.matchAll(/`([^`\s]+\.(?:xlsx|docx|pptx|pdf|csv|md|txt|png|jpe?g|py|json))`/giu)]
      .map((match) => match[1] ?? '')
      .filter((name) => !known.has(name))
      .map((name) => ({
        file: requestFile,
        line: index + 1,
        message:
          `names ${name}, which is neither in the workspace nor a required output: add the file, or ` +
          'name it without back quotes if it is not an attachment',
      })),
  );
}

function readReference(
  folder: string,
  outputs: readonly string[],
  faults: ConfigurationFault[],
  warnings: ConfigurationFault[],
): readonly FolderFile[] {
  const path = join(folder, 'reference');
  const listed = listFolder(path, { required: false });
  faults.push(...listed.faults);
  if (listed.files.length === 0 && listed.faults.length === 0)
    warnings.push({
      file: path,
      line: undefined,
      message: 'has no reference deliverables: the oracle cannot prove that 100 can be reached',
    });
  else
    for (const output of outputs)
      if (!listed.files.some((file) => file.path === output))
        faults.push({
          file: path,
          line: undefined,
          message: `the required output ${output} has no reference deliverable`,
        });
  return listed.files;
}
