import type Docker from 'dockerode';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeAttemptFolder } from './attempt-disk';
import { attemptPaths } from './attempt-paths';
import { AttemptState } from './attempt-state';
import { ownLabels, readLabels } from './container-options';
import { callDocker } from './docker-errors';
import { removeContainer } from './docker-sandbox';
import { isCode } from './durable-file';
import { type SandboxLabels } from './port';
import { Semaphore } from './semaphore';

/** State of the workflow that an attempt belongs to. `absent`: Temporal knows no such workflow. */
export type OwnerState = 'open' | 'closed' | 'absent';

export interface ReaperOptions {
  readonly docker: Docker;
  readonly stack: string;
  readonly hostId: string;
  /** `<data>/sandboxes` */
  readonly sandboxesDir: string;
  /** Whether the store has the attempt's write-once record. */
  readonly isRecorded: (labels: SandboxLabels) => Promise<boolean>;
  /** State of the run's workflow; may throw when Temporal does not answer, then nothing follows from it. */
  readonly ownerState: (labels: SandboxLabels) => Promise<OwnerState>;
  /** Called for each attempt that was removed. */
  readonly onRemoved?: (attemptId: string, why: string) => void;
  readonly onProblem?: (attemptId: string, error: unknown) => void;
  readonly periodMs?: number;
  /** Wait before the first look, while the worker takes up its own attempts again; default 60,000. */
  readonly startDelayMs?: number;
  /** Between the two looks at a workflow that is closed; default 60,000. */
  readonly confirmMs?: number;
  /** How long Temporal must not know a workflow; default 24 hours. */
  readonly absentMs?: number;
  /** A record is followed by its workflow's own clean-up within this time; default 60,000. */
  readonly recordedGraceMs?: number;
  readonly parallel?: number;
  readonly now?: () => number;
}

/** An answer that took longer says nothing of now. */
const OLD_ANSWER_MS = 10_000;

/** Since when an attempt was seen in a state that may mean death. */
interface Sighting {
  readonly state: 'recorded' | 'closed' | 'absent';
  readonly since: number;
}

/**
 * Removes what no workflow will ever come back for: containers and folders of this stack on this host whose attempt has
 * its record, or whose run is closed. Everything else is somebody's. Adopted work is never removed: it has an open
 * workflow.
 */
export class Reaper {
  private readonly sightings = new Map<string, Sighting>();
  private readonly now: () => number;

  constructor(private readonly options: ReaperOptions) {
    this.now = options.now ?? Date.now;
  }

  /** Looks again and again until told to stop. */
  async run(signal: AbortSignal): Promise<void> {
    const pause = (ms: number) =>
      sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    await pause(this.options.startDelayMs ?? 60_000);
    while (!signal.aborted) {
      await this.sweep().catch((error: unknown) => this.options.onProblem?.('*', error));
      await pause(this.options.periodMs ?? 30_000);
    }
  }

  /** One look at everything; returns the attempts that were removed. */
  async sweep(): Promise<string[]> {
    const attempts = await this.attempts();
    for (const id of this.sightings.keys()) if (!attempts.has(id)) this.sightings.delete(id);
    const lanes = new Semaphore(this.options.parallel ?? 4);
    const removed = await Promise.all(
      [...attempts].map(([id, labels]) => lanes.run(() => this.tryToReap(id, labels))),
    );
    return removed.filter((id) => id !== undefined);
  }

  private async tryToReap(
    id: string,
    labels: SandboxLabels | undefined,
  ): Promise<string | undefined> {
    try {
      const why =
        labels === undefined ? await this.orphanedFolder(id) : await this.deathOf(id, labels);
      if (why === undefined) return undefined;
      await removeContainer(this.options.docker, id);
      await removeAttemptFolder(attemptPaths(join(this.options.sandboxesDir, id)));
      this.sightings.delete(id);
      this.options.onRemoved?.(id, why);
      return id;
    } catch (error) {
      this.options.onProblem?.(id, error);
      return undefined;
    }
  }

  /** Why an attempt is dead, once it is so beyond doubt. */
  private async deathOf(id: string, labels: SandboxLabels): Promise<string | undefined> {
    const {
      confirmMs = 60_000,
      absentMs = 24 * 3_600_000,
      recordedGraceMs = 60_000,
    } = this.options;
    if (await this.options.isRecorded(labels))
      return this.seenFor(id, 'recorded', recordedGraceMs)
        ? 'its record is in the store'
        : undefined;
    const askedAtMs = this.now();
    const owner = await this.options.ownerState(labels);
    // The run may have begun again while this process stood still behind its question.
    if (this.now() - askedAtMs > OLD_ANSWER_MS) return undefined;
    switch (owner) {
      case 'open':
        this.sightings.delete(id);
        return undefined;
      case 'closed':
        return this.seenFor(id, 'closed', confirmMs) ? 'its run is closed' : undefined;
      case 'absent':
        return this.seenFor(id, 'absent', absentMs) ? 'Temporal knows no such run' : undefined;
    }
  }

  private seenFor(id: string, state: Sighting['state'], ms: number): boolean {
    const seen = this.sightings.get(id);
    if (seen?.state !== state) {
      this.sightings.set(id, { state, since: this.now() });
      return false;
    }
    return this.now() - seen.since >= ms;
  }

  /** A folder without labels was never finished being made; nobody can know it after a day. */
  private async orphanedFolder(id: string): Promise<string | undefined> {
    const facts = await stat(join(this.options.sandboxesDir, id));
    const old = this.now() - facts.mtimeMs > (this.options.absentMs ?? 24 * 3_600_000);
    return old ? 'its folder was never finished' : undefined;
  }

  /** Attempts by id: containers by label, folders by the labels recorded in them. */
  private async attempts(): Promise<Map<string, SandboxLabels | undefined>> {
    const { docker, stack, hostId, sandboxesDir } = this.options;
    const found = new Map<string, SandboxLabels | undefined>();
    const folders = await readdir(sandboxesDir).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    });
    for (const id of folders) {
      const state = new AttemptState(attemptPaths(join(sandboxesDir, id)).control);
      const reserved = await state.readIfWhole('reserved');
      // The labels of its container, if it has one, say the same.
      const labels = reserved === 'damaged' ? undefined : reserved?.labels;
      if (labels === undefined || (labels.stack === stack && labels.hostId === hostId))
        found.set(id, labels);
    }
    const containers = await callDocker('list sandboxes', () =>
      docker.listContainers({ all: true, filters: { label: ownLabels(stack, hostId) } }),
    );
    for (const container of containers) {
      const name = container.Names[0]?.replace(/^\//u, '');
      const labels = readLabels(container.Labels);
      if (name !== undefined && labels !== undefined) found.set(name, labels);
    }
    return found;
  }
}
