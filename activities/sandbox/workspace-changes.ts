import { type FileReference } from '../../core/task';
import { collectFiles, DEFAULT_COLLECTION_LIMITS, digestCollected } from './collect-results';

/** What an agent did to its workspace outside of `results/`. */
export interface WorkspaceChanges {
  /** New files, and things that are no files; at most 500 and 150 kB, the last one then counts the others. */
  readonly pollution: readonly string[];
  /** Files of the task that were changed or removed. */
  readonly alteredInputs: readonly string[];
}

const MAX_LISTED = 500;
const MAX_LISTED_CHARACTERS = 300;
/** As JSON, where a control character takes six bytes: an attempt's record must stay below the store's limit. */
const MAX_LISTED_BYTES = 150_000;
const RESULTS = 'results';

/** Compares the workspace with what was put into it. Call it only after the container has stopped. */
export async function workspaceChanges(
  workspace: string,
  inputs: readonly FileReference[],
): Promise<WorkspaceChanges> {
  const expected = new Map(inputs.map((input) => [input.path.normalize('NFC'), input]));
  const found = await collectFiles(workspace, {
    ...DEFAULT_COLLECTION_LIMITS,
    maxFileBytes: Number.MAX_SAFE_INTEGER,
    maxTotalBytes: Number.MAX_SAFE_INTEGER,
    maxFiles: 20_000,
    maxPathBytes: 4_000_000,
  });
  const outside = (path: string) => path !== RESULTS && !path.startsWith(`${RESULTS}/`);
  const strays = [
    ...found.files.map((file) => file.path).filter((path) => !expected.has(path)),
    ...found.refused.map(({ path, reason }) => `${path} (${reason})`),
  ].filter(outside);
  return {
    pollution: bounded(strays),
    alteredInputs: bounded(await alteredInputs(workspace, inputs)),
  };
}

async function alteredInputs(
  workspace: string,
  inputs: readonly FileReference[],
): Promise<string[]> {
  const altered: string[] = [];
  for (const input of inputs) {
    const now = await digestCollected(workspace, input.path.split('/'));
    if (now?.sha256 !== input.sha256) altered.push(input.path);
  }
  return altered;
}

function bounded(paths: readonly string[]): string[] {
  const listed: string[] = [];
  let bytes = 0;
  for (const path of paths.slice(0, MAX_LISTED)) {
    const shown = path.slice(0, MAX_LISTED_CHARACTERS);
    bytes += Buffer.byteLength(JSON.stringify(shown));
    if (bytes > MAX_LISTED_BYTES) break;
    listed.push(shown);
  }
  const more = paths.length - listed.length;
  return more > 0 ? [...listed, `and ${more} more`] : listed;
}
