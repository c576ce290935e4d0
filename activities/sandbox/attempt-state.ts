import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../core/failure';
import { isCode, writeOnce } from './durable-file';
import { type KillIntent, type SandboxEnd, type SandboxLabels } from './port';

/** Each state is a file of its own, written once and fsynced before the next step is taken. */
export interface AttemptStates {
  readonly reserved: { readonly labels: SandboxLabels; readonly at: string };
  readonly created: { readonly containerId: string; readonly at: string };
  /** Written before the start is asked for: from here on a missing container is a lost one. */
  readonly started: {
    readonly containerId: string;
    readonly imageDigest: string;
    readonly at: string;
  };
  readonly ended: SandboxEnd;
}
export type AttemptStateName = keyof AttemptStates;

export interface IntentRecord {
  readonly intent: KillIntent;
  readonly at: string;
}

/** Somebody who has taken an attempt up: its workflow and where its run stands in that workflow's plan. */
export interface OwnerRecord {
  readonly labels: SandboxLabels;
  readonly at: string;
}

const OWNER_FILE = /^owner-[0-9a-f]{32}\.json$/u;

/** The files in an attempt's `control` folder that say how far its sandbox is. */
export class AttemptState {
  constructor(private readonly control: string) {}

  /** False when the state had been written before; the first content stays. */
  async write<Name extends AttemptStateName>(
    name: Name,
    content: AttemptStates[Name],
  ): Promise<boolean> {
    return writeOnce(join(this.control, `${name}.json`), JSON.stringify(content));
  }

  async read<Name extends AttemptStateName>(name: Name): Promise<AttemptStates[Name] | undefined> {
    return readJson<AttemptStates[Name]>(join(this.control, `${name}.json`));
  }

  /** For who looks at all attempts of a host: one damaged file must not hide the others. */
  async readIfWhole<Name extends AttemptStateName>(
    name: Name,
  ): Promise<AttemptStates[Name] | 'damaged' | undefined> {
    return readIfWhole<AttemptStates[Name]>(join(this.control, `${name}.json`));
  }

  /** Our wish to end the sandbox; the first one stays. Must be written before anything is stopped. */
  async writeIntent(record: IntentRecord): Promise<void> {
    await writeOnce(join(this.control, 'intent.json'), JSON.stringify(record));
  }

  async readIntent(): Promise<KillIntent | undefined> {
    return (await readJson<IntentRecord>(join(this.control, 'intent.json')))?.intent;
  }

  /**
   * Adds an owner. One run may come back under another name of its model or sweep, which are in its workflow's id and
   * not in its key, or be asked for by two sweeps: the attempt is alive as long as one of its owners is.
   */
  async addOwner(record: OwnerRecord): Promise<void> {
    const digest = createHash('sha256').update(record.labels.workflowId).digest('hex').slice(0, 32);
    const path = join(this.control, `owner-${digest}.json`);
    if (await exists(path)) return;
    await writeOnce(path, JSON.stringify(record));
  }

  /** All owners, and how many more there are whose files are damaged. None for an attempt of an earlier version. */
  async owners(): Promise<{ readonly labels: readonly SandboxLabels[]; readonly damaged: number }> {
    const names = await readdir(this.control).catch((error: unknown) => {
      if (isCode(error, 'ENOENT', 'ENOTDIR')) return [];
      throw error;
    });
    const labels: SandboxLabels[] = [];
    let damaged = 0;
    for (const name of names.filter((candidate) => OWNER_FILE.test(candidate))) {
      const record = await readIfWhole<Partial<OwnerRecord> | null>(join(this.control, name));
      if (record === undefined) continue;
      if (record !== 'damaged' && typeof record?.labels?.workflowId === 'string')
        labels.push(record.labels);
      else damaged++;
    }
    return { labels, damaged };
  }

  /** Takes the next epoch: whoever held an earlier one has to let go. */
  async raiseEpoch(): Promise<number> {
    for (let epoch = (await this.epoch()) + 1; ; epoch++) {
      try {
        const file = await open(
          join(this.control, `epoch-${epoch}`),
          constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY,
          0o600,
        );
        await file.close();
        return epoch;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      }
    }
  }

  /** The newest epoch, 0 before the first. */
  async epoch(): Promise<number> {
    for (let epoch = 0; ; epoch++)
      if (!(await exists(join(this.control, `epoch-${epoch + 1}`)))) return epoch;
  }
}

async function readIfWhole<T>(path: string): Promise<T | 'damaged' | undefined> {
  return readJson<T>(path).catch((error: unknown) => {
    if (error instanceof Failure) return 'damaged';
    throw error;
  });
}

async function exists(path: string): Promise<boolean> {
  try {
    await (await open(path, constants.O_RDONLY)).close();
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/**
 * A file of our own making in a folder that no agent can write to; `undefined` when absent. Throws
 * `Failure('SandboxLost')` where the file is damaged: nobody can tell how far its attempt was, and no retry will.
 */
export async function readJson<T>(path: string): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new Failure(
      'SandboxLost',
      `${path} is ${text === '' ? 'empty' : 'no JSON'}: the disk or somebody damaged it, and its attempt is given up`,
      { cause: error },
    );
  }
}
