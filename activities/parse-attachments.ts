import { createHash } from 'node:crypto';
import { type ArtifactEntry } from '../core/evidence-view';
import { canonicalJson, storeKeys } from '../core/ids';
import { type DeliverableManifest } from '../core/run';
import { type FileReference, type PlannedTask } from '../core/task';
import { openEvidence } from './evidence/evidence-reader';
import { buildView, type EvidenceDependencies } from './evidence/evidence-service';
import { plainText } from './evidence/plain-text';
import { PARSED_FOLDER, PARSED_PROMPT } from './harness/prompt';
import { readJson } from './read-json';
import { type ObjectStore } from './store/port';

/** Formats whose text a program cannot just read. */
const PARSED_FORMATS: readonly string[] = ['docx', 'pdf', 'pptx', 'xlsx'];
/** Raise it when the layout of the text changes. */
const PARSER_VERSION = 1;
const NOTHING_DELIVERED: DeliverableManifest = {
  v: 1,
  files: [],
  refused: [],
  truncated: false,
  digest: createHash('sha256').update('[]').digest('hex'),
};

/** Write-once record `open/parsed/<task digest>/<parser>.json`: what lies in `_parsed/` of every run of a task. */
export interface ParsedAttachments {
  readonly v: 1;
  /** Paths within the workspace; blobs in `open/`. */
  readonly files: readonly FileReference[];
}

/** Identity of the pre-parse for run keys: how texts are read and laid out, and what agents are told of them. */
export function parserDigest(rendererRecipe: string): string {
  const parts = { v: PARSER_VERSION, renderer: rendererRecipe, formats: PARSED_FORMATS };
  return createHash('sha256')
    .update(canonicalJson({ ...parts, prompt: PARSED_PROMPT }))
    .digest('hex');
}

/** `undefined` before the first run of the task has parsed them. */
export function readParsed(
  store: ObjectStore,
  task: Pick<PlannedTask, 'digest'>,
  parser: string,
): Promise<ParsedAttachments | undefined> {
  return readJson(store, storeKeys.parsed(task.digest, parser));
}

/**
 * Writes the text of a task's attachments into the open store, once per task content and parser. A file that cannot
 * be read gets a text that says why. Throws what store and renderer throw.
 */
export async function parseAttachments(
  deps: EvidenceDependencies,
  task: Pick<PlannedTask, 'digest' | 'files'>,
  parser: string,
  signal?: AbortSignal,
): Promise<ParsedAttachments> {
  const { store } = deps;
  const known = await readParsed(store, task, parser);
  if (known !== undefined) return known;
  const { view } = await buildView(deps, {
    task,
    deliverables: NOTHING_DELIVERED,
    ...(signal !== undefined && { signal }),
  });
  const reader = openEvidence(store, view);
  const files: FileReference[] = [];
  for (const entry of view.entries) {
    const path = attachmentPath(task, entry);
    if (path === undefined) continue;
    const { status, reason } = entry.rendered;
    const isRead = status === 'rendered' || status === 'truncated';
    const text = isRead
      ? plainText(await reader.segments(entry.artifact))
      : `[not parsed: ${status}${reason === undefined ? '' : `, ${reason}`}]\n`;
    const blob = await store.putBlob('open', Buffer.from(text, 'utf8'));
    files.push({ path: `${PARSED_FOLDER}/${path}.txt`, ...blob });
  }
  const record: ParsedAttachments = { v: 1, files };
  await store.putRecord(storeKeys.parsed(task.digest, parser), canonicalJson(record));
  return (await readParsed(store, task, parser)) ?? record;
}

/** Attachments themselves, not what lies in an archive. */
function attachmentPath(
  task: Pick<PlannedTask, 'files'>,
  { artifact, origin, rendered }: ArtifactEntry,
): string | undefined {
  if (origin !== 'input' || !PARSED_FORMATS.includes(rendered.format)) return undefined;
  return task.files.find(({ path }) => artifact === `inputs/${path}`)?.path;
}
