import { closeSync, fsync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const syncFile = promisify(fsync);

/** Folders remembered as durable before the memory is dropped and asked again. */
const MAX_REMEMBERED = 50_000;

interface Sync {
  readonly running: Promise<void>;
  next: Promise<void> | undefined;
}

/**
 * Makes new names in folders durable below one root. Callers who ask while a sync of the same folder runs share
 * the next one: it starts after their names were linked, so it covers them all.
 */
export class FolderSync {
  private readonly syncs = new Map<string, Sync>();
  private readonly durable = new Set<string>();

  constructor(
    private readonly root: string,
    private readonly sync: (folder: string) => Promise<void> = syncFolder,
  ) {}

  /** Makes `folder` (below the root) exist with a durable path to it. */
  async ensure(folder: string): Promise<void> {
    if (this.durable.has(folder)) return;
    makeFolders(folder);
    // Another process may have made it a moment ago without its sync: existing is not yet durable.
    const parents: string[] = [];
    for (let at = folder; at !== this.root && !this.durable.has(at); at = dirname(at))
      parents.push(at);
    await Promise.all(parents.map((at) => this.flush(dirname(at))));
    if (this.durable.size >= MAX_REMEMBERED) this.durable.clear();
    for (const at of parents) this.durable.add(at);
  }

  /** Forgets `folder`, which turned out to be gone. */
  forget(folder: string): void {
    for (let at = folder; at.length > this.root.length; at = dirname(at)) this.durable.delete(at);
  }

  /** Resolves when every name that is in `folder` now is durable. */
  flush(folder: string): Promise<void> {
    const current = this.syncs.get(folder);
    if (current === undefined) return this.start(folder);
    current.next ??= current.running
      .catch(() => undefined)
      .then(() => {
        this.syncs.delete(folder);
        return this.start(folder);
      });
    return current.next;
  }

  private start(folder: string): Promise<void> {
    const running = this.sync(folder);
    const entry: Sync = { running, next: undefined };
    this.syncs.set(folder, entry);
    const forget = (): void => {
      if (entry.next === undefined) this.syncs.delete(folder);
    };
    running.then(forget, forget);
    return running;
  }
}

/**
 * Makes a folder and those above it, one by one: Node's own recursive way never ends where a file system answers "no
 * such folder" to a name below a folder that exists, as /proc does.
 */
function makeFolders(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || parent === folder) throw error;
    makeFolders(parent);
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (again) {
      // Another process made it meanwhile.
      if ((again as { readonly code?: unknown }).code !== 'EEXIST') throw again;
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  const file = openSync(folder, 'r');
  try {
    await syncFile(file);
  } finally {
    closeSync(file);
  }
}
