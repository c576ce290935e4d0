import type Docker from 'dockerode';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeAttemptFolder } from './attempt-disk';
import { attemptPaths, type AttemptPaths } from './attempt-paths';
import { AttemptState } from './attempt-state';
import { AttemptUse } from './attempt-use';
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
  /** What this process works on; default nothing. */
  readonly use?: AttemptUse;
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

/** What is known of an attempt before anybody is asked. */
interface FoundAttempt {
  /** Absent where its folder was never finished, or says nothing any more. */
  readonly labels?: SandboxLabels;
  /** One for each workflow that has taken it up: the first one's are its labels, adopters are known by its folder. */
  readonly owners: readonly SandboxLabels[];
  /** Owners whose files cannot be read. */
  readonly unknownOwners: number;
}

/**
 * Removes what no workflow will ever come back for: containers and folders of this stack on this host whose attempt has
 * its record, or whose run is closed. Everything else is somebody's. Adopted work is never removed: it has an open
 * workflow among its owners, and what this process works on is held.
 */
export class Reaper {
  private readonly sightings = new Map<string, Sighting>();
  private readonly now: () => number;
  private readonly use: AttemptUse;

  constructor(private readonly options: ReaperOptions) {
    this.now = options.now ?? Date.now;
    this.use = options.use ?? new AttemptUse();
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
      [...attempts].map(([id, attempt]) => lanes.run(() => this.tryToReap(id, attempt))),
    );
    return removed.filter((id) => id !== undefined);
  }

  private async tryToReap(id: string, attempt: FoundAttempt): Promise<string | undefined> {
    let why: string | undefined;
    try {
      const removed = await this.use.removeIfDead(
        id,
        async () => {
          why = await this.deathOf(id, attempt);
          return why !== undefined && !(await this.hasNewOwner(id, attempt));
        },
        async () => {
          await removeContainer(this.options.docker, id);
          await removeAttemptFolder(this.pathsOf(id));
        },
      );
      if (!removed || why === undefined) return undefined;
      this.sightings.delete(id);
      this.options.onRemoved?.(id, why);
      return id;
    } catch (error) {
      this.options.onProblem?.(id, error);
      return undefined;
    }
  }

  /** Whether somebody has taken the attempt up since its owners were listed. */
  private async hasNewOwner(id: string, attempt: FoundAttempt): Promise<boolean> {
    const { labels, damaged } = await new AttemptState(this.pathsOf(id).control).owners();
    const known = new Set(attempt.owners.map(({ workflowId }) => workflowId));
    return (
      damaged > attempt.unknownOwners || labels.some(({ workflowId }) => !known.has(workflowId))
    );
  }

  /** Why an attempt is dead, once it is so beyond doubt. */
  private async deathOf(id: string, attempt: FoundAttempt): Promise<string | undefined> {
    const {
      confirmMs = 60_000,
      absentMs = 24 * 3_600_000,
      recordedGraceMs = 60_000,
    } = this.options;
    const { labels } = attempt;
    if (labels === undefined) return this.orphanedFolder(id);
    if (await this.options.isRecorded(labels))
      return this.seenFor(id, 'recorded', recordedGraceMs)
        ? 'its record is in the store'
        : undefined;
    const askedAtMs = this.now();
    const owners = await this.ownersState(attempt);
    // The run may have begun again while this process stood still behind its question.
    if (this.now() - askedAtMs > OLD_ANSWER_MS) return undefined;
    switch (owners) {
      case 'open':
        this.sightings.delete(id);
        return undefined;
      case 'closed':
        return this.seenFor(id, 'closed', confirmMs) ? 'its run is closed' : undefined;
      case 'absent':
        return this.seenFor(id, 'absent', absentMs) ? 'Temporal knows no such run' : undefined;
    }
  }

  /** Open when one is, closed when all are. An owner that nobody can name is like one that Temporal does not know. */
  private async ownersState({ owners, unknownOwners }: FoundAttempt): Promise<OwnerState> {
    const states = await Promise.all(owners.map((owner) => this.options.ownerState(owner)));
    if (states.includes('open')) return 'open';
    return unknownOwners > 0 || states.includes('absent') ? 'absent' : 'closed';
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

  /** Attempts by id: containers by label, folders by what is recorded in them. */
  private async attempts(): Promise<Map<string, FoundAttempt>> {
    const { docker, stack, hostId, sandboxesDir } = this.options;
    const found = new Map<string, FoundAttempt>();
    const folders = await readdir(sandboxesDir).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    });
    for (const id of folders) {
      const attempt = await this.inFolder(id);
      const { labels } = attempt;
      if (labels === undefined || (labels.stack === stack && labels.hostId === hostId))
        found.set(id, attempt);
    }
    const containers = await callDocker('list sandboxes', () =>
      docker.listContainers({ all: true, filters: { label: ownLabels(stack, hostId) } }),
    );
    for (const container of containers) {
      const name = container.Names[0]?.replace(/^\//u, '');
      const labels = readLabels(container.Labels);
      if (name === undefined || labels === undefined) continue;
      const { owners = [], unknownOwners = 0 } = found.get(name) ?? {};
      found.set(name, { labels, owners: distinct([labels, ...owners]), unknownOwners });
    }
    return found;
  }

  private async inFolder(id: string): Promise<FoundAttempt> {
    const state = new AttemptState(this.pathsOf(id).control);
    const reserved = await state.readIfWhole('reserved');
    const { labels: adopters, damaged } = await state.owners();
    const first = reserved === 'damaged' ? undefined : reserved?.labels;
    const owners = distinct(first === undefined ? adopters : [first, ...adopters]);
    const [labels] = owners;
    return { ...(labels !== undefined && { labels }), owners, unknownOwners: damaged };
  }

  private pathsOf(id: string): AttemptPaths {
    return attemptPaths(join(this.options.sandboxesDir, id));
  }
}

/** One of each workflow, the first one first. */
function distinct(owners: readonly SandboxLabels[]): SandboxLabels[] {
  const byWorkflow = new Map<string, SandboxLabels>();
  for (const owner of owners)
    if (!byWorkflow.has(owner.workflowId)) byWorkflow.set(owner.workflowId, owner);
  return [...byWorkflow.values()];
}
