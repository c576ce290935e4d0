import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileReference } from '../../core/task';
import { type WebFetch } from '../../core/web';
import { type GatewayControl, type TranscriptEnd } from '../gateway/port';
import { withCollected } from '../sandbox/collect-results';
import { type ObjectStore } from '../store/port';
import { readWebFetches, webFiles } from '../web/web-files';
import { type AttemptContext } from './attempt-context';

/** What people read of an attempt: its transcript with images, and logs. All are blobs. */
export interface AttemptEvidence {
  readonly transcript?: FileReference;
  readonly web?: readonly WebFetch[];
  readonly logs: readonly FileReference[];
}

export interface EvidenceDeps {
  readonly store: ObjectStore;
  readonly gateway: Pick<GatewayControl, 'writeTranscript'>;
}

/** Images beyond these are left out: an attempt's record names each, and must stay below the store's limit. */
const MAX_IMAGES = 1_000;

/** Puts transcript and logs into the store. What is not there is left out. */
export async function storeEvidence(
  context: AttemptContext,
  deps: EvidenceDeps,
  end: TranscriptEnd | undefined,
  nativeTranscript: string | undefined,
): Promise<AttemptEvidence> {
  const transcript = context.harness.usesModel
    ? await storeTranscript(context, deps, end)
    : { images: [] };
  const logs = await storeLogs(context, deps.store, nativeTranscript);
  const web = readWebFetches(context.paths.control).map(({ fetch }) => fetch);
  const pages = await storePages(context, deps.store, web);
  return {
    ...(transcript.file !== undefined && { transcript: transcript.file }),
    ...(web.length > 0 && { web }),
    logs: [...logs, ...pages, ...transcript.images],
  };
}

/** What was fetched, each content once. */
async function storePages(
  context: AttemptContext,
  store: ObjectStore,
  web: readonly WebFetch[],
): Promise<FileReference[]> {
  const { folder } = webFiles(context.paths.control);
  const digests = new Set(web.flatMap(({ sha256 }) => (sha256 === undefined ? [] : [sha256])));
  const pages: FileReference[] = [];
  for (const sha256 of digests)
    pages.push({
      path: `web/${sha256}`,
      ...(await store.putBlobFile('open', join(folder, sha256))),
    });
  return pages;
}

async function storeTranscript(
  context: AttemptContext,
  { store, gateway }: EvidenceDeps,
  end: TranscriptEnd | undefined,
): Promise<{ readonly file?: FileReference; readonly images: readonly FileReference[] }> {
  const path = await gateway.writeTranscript(context.paths.attemptDir, end);
  const file = { path: 'transcript.json', ...(await store.putBlobFile('open', path)) };
  const folder = join(dirname(path), 'images');
  const names = await readdir(folder).catch(() => []);
  const images: FileReference[] = [];
  for (const name of names.sort().slice(0, MAX_IMAGES))
    if ((await stat(join(folder, name))).isFile())
      images.push({
        path: `images/${name}`,
        ...(await store.putBlobFile('open', join(folder, name))),
      });
  return { file, images };
}

/** Files that the agent could have replaced by links: opened without following any. */
async function storeLogs(
  context: AttemptContext,
  store: ObjectStore,
  nativeTranscript: string | undefined,
): Promise<FileReference[]> {
  const { supervisor, home } = context.paths;
  const wanted: [name: string, folder: string, below: string][] = [
    ['logs/stdout.log', supervisor, 'stdout.log'],
    ['logs/stderr.log', supervisor, 'stderr.log'],
  ];
  if (nativeTranscript !== undefined && isPlainPath(nativeTranscript))
    wanted.push([`logs/${context.harness.identity.name}.jsonl`, home, nativeTranscript]);
  const stored: FileReference[] = [];
  for (const [path, folder, below] of wanted) {
    const blob = await withCollected(folder, below.split('/'), (open) =>
      store.putBlobFile('open', open),
    );
    if (blob !== undefined) stored.push({ path, ...blob });
  }
  return stored;
}

function isPlainPath(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}
