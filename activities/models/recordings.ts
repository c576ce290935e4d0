import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { Failure } from '../../core/failure';
import { canonicalJson, isIdPart } from '../../core/ids';
import { type ProviderTurn } from './provider-reply';
import { type ProviderRequest, ProviderRequestError } from './provider-request';

const usageSchema = z.strictObject({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cachedInputTokens: z.int().nonnegative().default(0),
});
const turnSchema = z
  .strictObject({
    text: z.string().optional(),
    tools: z
      .array(
        z.strictObject({
          name: z.string().min(1),
          arguments: z.record(z.string(), z.unknown()).default({}),
        }),
      )
      .default([]),
    usage: usageSchema.optional(),
    /** How the reply ended, where that is not what its content says: cut off, or stopped by a filter. */
    finish: z.enum(['length', 'content_filter']).optional(),
  })
  .refine((turn) => turn.text !== undefined || turn.tools.length > 0, {
    error: 'a turn needs text or tools',
  });
const recordingSchema = z.strictObject({
  turns: z.array(turnSchema).min(1),
  /** The last turn repeats for ever. */
  loop: z.boolean().default(false),
});
type RecordedTurn = z.infer<typeof turnSchema>;

/** A recording with every `$file` read. */
export interface Recording {
  readonly path: string;
  readonly turns: readonly ProviderTurn[];
  readonly loop: boolean;
}

/** What picks a recording; the rest of a request does not count. */
type RecordingQuestion = Partial<ProviderRequest> &
  Pick<ProviderRequest, 'recordings' | 'taskId' | 'repetition' | 'itemId' | 'subject'>;

/** Where a request's recording may lie, most specific first, relative to the recordings folder. */
export function recordingCandidates(request: RecordingQuestion): string[] {
  const { recordings, taskId, repetition, itemId } = request;
  const parts = [recordings, taskId, ...(itemId === undefined ? [] : [itemId])];
  if (request.subject !== undefined) parts.push(request.subject);
  for (const part of parts)
    if (part === undefined || !isIdPart(part) || /^\.+$/u.test(part))
      throw new ProviderRequestError(400, 'bad_context', `"${part ?? ''}" cannot name a recording`);
  const base = recordings ?? '';
  const r = `r${repetition}`;
  if (itemId === undefined) return [`${base}/${taskId}/${r}.yaml`, `${base}/${taskId}/all.yaml`];
  const judged = `${base}/${request.subject ?? 'reference'}/${taskId}`;
  return [`${judged}/${r}/${itemId}.yaml`, `${judged}/${itemId}.yaml`];
}

/** The places looked at when none of them has a recording; empty when there is one. */
export async function missingRecording(
  folder: string,
  request: RecordingQuestion,
): Promise<readonly string[]> {
  const paths = recordingCandidates(request).map((candidate) => join(folder, candidate));
  for (const path of paths) if (await stat(path).catch(() => undefined)) return [];
  return paths;
}

/** Reads the first candidate that exists. Throws a 404 that names every file looked for. */
export async function loadRecording(
  folder: string,
  candidates: readonly string[],
  cache: Map<string, { readonly mtimeMs: number; readonly recording: Recording }>,
): Promise<Recording> {
  for (const candidate of candidates) {
    const path = join(folder, candidate);
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined) continue;
    const known = cache.get(path);
    if (known?.mtimeMs === facts.mtimeMs) return known.recording;
    const recording = await readRecording(path, join(folder, candidate.split('/')[0] ?? ''));
    cache.set(path, { mtimeMs: facts.mtimeMs, recording });
    return recording;
  }
  const looked = candidates.map((candidate) => join(folder, candidate)).join(' nor ');
  throw new ProviderRequestError(
    404,
    'recording_not_found',
    `no recording: neither ${looked} exists`,
  );
}

/** Parses one recording file. Throws `Failure('InvalidInput')` that names file and place. */
export async function readRecording(path: string, setFolder: string): Promise<Recording> {
  let parsed: z.infer<typeof recordingSchema>;
  try {
    parsed = recordingSchema.parse(parse(await readFile(path, 'utf8')));
  } catch (error) {
    const text = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Failure('InvalidInput', `recording ${path}: ${text}`, { cause: error });
  }
  const turns: ProviderTurn[] = [];
  for (const turn of parsed.turns) turns.push(await withFiles(turn, path, setFolder));
  return { path, turns, loop: parsed.loop };
}

async function withFiles(
  turn: RecordedTurn,
  path: string,
  setFolder: string,
): Promise<ProviderTurn> {
  const tools = [];
  for (const tool of turn.tools)
    tools.push({ name: tool.name, arguments: await resolveFiles(tool.arguments, path, setFolder) });
  return {
    text: turn.text,
    tools,
    ...(turn.usage === undefined ? {} : { usage: turn.usage }),
    ...(turn.finish === undefined ? {} : { finish: turn.finish }),
  };
}

async function resolveFiles(value: unknown, path: string, setFolder: string): Promise<unknown> {
  if (Array.isArray(value))
    return Promise.all(value.map((entry) => resolveFiles(entry, path, setFolder)));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const [first] = members;
  if (members.length === 1 && first?.[0] === '$file' && typeof first[1] === 'string')
    return readBeside(first[1], path, setFolder);
  const resolved: Record<string, unknown> = {};
  for (const [name, member] of members)
    resolved[name] = await resolveFiles(member, path, setFolder);
  return resolved;
}

/** Content of a file beside the recording; links and paths that leave the set are refused. */
async function readBeside(name: string, path: string, setFolder: string): Promise<string> {
  const target = join(dirname(path), name);
  try {
    const inside = relative(await realpath(setFolder), await realpath(target));
    if (inside.startsWith('..')) throw new Error('it lies outside the recordings of this set');
    return await readFile(target, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure('InvalidInput', `recording ${path}: $file ${name}: ${reason}`, {
      cause: error,
    });
  }
}

/**
 * sha256 over all files of the set `name` below `folder` (path and content), hidden files left out.
 * Throws `Failure('InvalidInput')` when there is no such set.
 */
export async function recordingsDigest(folder: string, name: string): Promise<string> {
  const root = join(folder, name);
  const entries =
    isIdPart(name) && !/^\.+$/u.test(name)
      ? await readdir(root, { recursive: true, withFileTypes: true }).catch(() => undefined)
      : undefined;
  if (entries === undefined)
    throw new Failure('InvalidInput', `no recordings "${name}": there is no folder ${root}`);
  const files: [string, string][] = [];
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue;
    const path = join(entry.parentPath, entry.name);
    const content = createHash('sha256').update(await readFile(path));
    files.push([relative(root, path).split(sep).join('/'), content.digest('hex')]);
  }
  files.sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256')
    .update(canonicalJson({ v: 1, files }))
    .digest('hex');
}
