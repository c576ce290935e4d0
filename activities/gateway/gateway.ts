import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure } from '../../core/failure';
import { type Logger, SILENT_LOGGER } from '../../core/logger';
import { type ModelClient } from '../models/port';
import { type WebAccess } from '../web/port';
import { AccountGates } from './account-gate';
import { keepAlive } from './alive-file';
import { Allowance } from './allowance';
import { Attempt } from './attempt';
import { attemptFiles, processFiles } from './attempt-files';
import { AttemptServer } from './attempt-server';
import { readAttemptSettings } from './attempt-settings';
import { BodyBudget } from './body-budget';
import { type FaultPoint, NO_FAULTS } from './fault-point';
import { MAX_BODY_BYTES } from './http-messages';
import { raiseLease } from './lease';
import { type GatewayEnd } from './port';

export interface GatewayOptions {
  readonly dataDir: string;
  readonly modelClient: ModelClient;
  readonly logger?: Logger;
  readonly now?: () => number;
  readonly faults?: FaultPoint;
  /** Web access of an attempt by its folder; `undefined` where its task grants none. @default none */
  readonly openWeb?: (attemptDir: string) => WebAccess | undefined;
  /** Files that say how accounts are reached: a change lets held exchanges try at once. */
  readonly accountFiles?: () => readonly string[];
}

export interface GatewayStatus {
  readonly attempts: number;
  readonly openExchanges: number;
  readonly draining: boolean;
}

interface Served {
  readonly attempt: Attempt;
  readonly server: AttemptServer;
  closedAtMs: number | undefined;
}

const ATTEMPT_BODY_BYTES = 2 * MAX_BODY_BYTES;
const ALL_BODY_BYTES = 1024 ** 3;
const SWEEP_EVERY_MS = 5_000;
const DRAIN_LOOK_MS = 20;
/** A closed attempt's socket goes on saying 402 for this long, for a harness that is still on its way out. */
const SERVE_CLOSED_MS = 60_000;

/** All attempts of one data folder. The caller holds the folder's lock. */
export class Gateway {
  private readonly served = new Map<string, Served>();
  /** Attempts being opened: two calls at once must not open a journal twice. */
  private readonly opening = new Map<string, Promise<void>>();
  private readonly bodies = new BodyBudget(ALL_BODY_BYTES);
  private readonly logger: Logger;
  private readonly now: () => number;
  private readonly alive: ReturnType<typeof keepAlive>;
  private readonly sweeper: NodeJS.Timeout;
  private readonly gates = new AccountGates();
  private accountStamp: string;
  private draining = false;

  constructor(private readonly options: GatewayOptions) {
    this.logger = options.logger ?? SILENT_LOGGER;
    this.now = options.now ?? Date.now;
    fs.mkdirSync(processFiles(options.dataDir).folder, { recursive: true, mode: 0o700 });
    this.alive = keepAlive(processFiles(options.dataDir).alive);
    this.accountStamp = this.stampOfAccounts();
    this.sweeper = setInterval(() => {
      this.followAccounts();
      void this.sweep();
    }, SWEEP_EVERY_MS);
    this.sweeper.unref();
  }

  /** Serves every attempt of the data folder that is not closed. One that cannot be served is logged and left. */
  async resumeAll(): Promise<void> {
    const { sandboxes } = processFiles(this.options.dataDir);
    const names = fs.existsSync(sandboxes) ? fs.readdirSync(sandboxes) : [];
    for (const name of names) {
      const files = attemptFiles(join(sandboxes, name));
      // Without a journal nobody has asked to serve it yet.
      if (!fs.existsSync(files.journal) || fs.existsSync(files.closed)) continue;
      await this.open(join(sandboxes, name)).catch((error: unknown) =>
        this.logger.error({ attempt: name, error: String(error) }, 'cannot resume an attempt'),
      );
    }
  }

  /** Serves an attempt. Does nothing when it is served or closed. */
  async open(attemptDir: string): Promise<void> {
    const folder = this.checked(attemptDir);
    if (this.draining) throw new Failure('ProviderUnavailable', 'this gateway is handing over');
    if (this.served.has(folder) || fs.existsSync(attemptFiles(folder).closed)) return;
    let opening = this.opening.get(folder);
    if (opening === undefined) {
      opening = this.serve(folder).finally(() => this.opening.delete(folder));
      this.opening.set(folder, opening);
    }
    await opening;
  }

  async raiseLease(attemptDir: string): Promise<void> {
    await raiseLease(attemptFiles(this.checked(attemptDir)).lease);
  }

  /** Ends service of an attempt, whether or not it was served. Idempotent; the first reason stays. */
  async close(attemptDir: string, reason: GatewayEnd, graceMs: number): Promise<void> {
    const folder = this.checked(attemptDir);
    const { closed } = attemptFiles(folder);
    if (!fs.existsSync(dirname(closed))) return;
    await this.opening.get(folder)?.catch(() => undefined);
    const served = this.served.get(folder);
    if (served !== undefined) {
      await served.attempt.close(reason, graceMs);
      served.closedAtMs ??= this.now();
    }
    if (!fs.existsSync(closed))
      fs.writeFileSync(closed, JSON.stringify({ reason, at: new Date(this.now()).toISOString() }), {
        mode: 0o600,
      });
  }

  /** Lets held exchanges try at once. */
  tryHeld(): void {
    this.gates.tryNow();
  }

  status(): GatewayStatus {
    let openExchanges = 0;
    for (const { attempt } of this.served.values()) openExchanges += attempt.openExchanges;
    return { attempts: this.served.size, openExchanges, draining: this.draining };
  }

  /** Takes no new request, lets open exchanges end within `drainMs`, then lets go of everything. */
  async drain(drainMs: number): Promise<void> {
    this.draining = true;
    clearInterval(this.sweeper);
    for (const { attempt } of this.served.values()) attempt.handOver();
    const stopping = [...this.served.values()].map(({ server }) => server.stop());
    const over = new AbortController();
    const timer = setTimeout(() => {
      over.abort();
      for (const { server } of this.served.values()) server.abandon();
    }, drainMs);
    await Promise.all(stopping);
    await this.untilAnswered(over.signal);
    clearTimeout(timer);
    this.alive.stop();
  }

  /** A call whose client has hung up is out all the same: unjournaled, the next gateway would pay for it again. */
  private async untilAnswered(over: AbortSignal): Promise<void> {
    while (!over.aborted && this.status().openExchanges > 0)
      await new Promise((resolve) => setTimeout(resolve, DRAIN_LOOK_MS));
  }

  private async serve(folder: string): Promise<void> {
    const settings = readAttemptSettings(folder);
    const attempt = new Attempt(
      folder,
      settings,
      {
        modelClient: this.options.modelClient,
        now: this.now,
        logger: this.logger,
        faults: this.options.faults ?? NO_FAULTS,
        gates: this.gates,
      },
      this.alive.awayMs,
    );
    const bodies = [new BodyBudget(ATTEMPT_BODY_BYTES), this.bodies];
    const web = this.options.openWeb?.(folder);
    const server = new AttemptServer({
      attempt,
      bodies,
      allowance: new Allowance(),
      logger: this.logger,
      ...(web !== undefined && { web }),
    });
    try {
      await server.listen();
    } catch (error) {
      attempt.release();
      throw error;
    }
    const closedAtMs = attempt.closed ? this.now() : undefined;
    this.served.set(folder, { attempt, server, closedAtMs });
    this.logger.info({ attempt: settings.attemptId, run: settings.runId }, 'attempt is served');
  }

  /** An operator who has changed a key need not wait for the next try. */
  private followAccounts(): void {
    const stamp = this.stampOfAccounts();
    if (stamp === this.accountStamp) return;
    this.accountStamp = stamp;
    this.gates.tryNow();
  }

  private stampOfAccounts(): string {
    return (this.options.accountFiles?.() ?? [])
      .map((path) => {
        const facts = fs.statSync(path, { throwIfNoEntry: false });
        return facts === undefined ? '-' : `${facts.mtimeMs}/${facts.size}`;
      })
      .join(' ');
  }

  /** Lets go of attempts whose folder is gone, and of closed ones after a while. */
  private async sweep(): Promise<void> {
    for (const [folder, { attempt, server, closedAtMs }] of this.served) {
      const old = closedAtMs !== undefined && this.now() - closedAtMs > SERVE_CLOSED_MS;
      const isGone = !fs.existsSync(folder);
      // Nobody waits any more for what is held.
      if (isGone) attempt.handOver();
      if (attempt.openExchanges > 0 || (!old && !isGone)) continue;
      this.served.delete(folder);
      server.abandon();
      await server.stop();
      attempt.release();
    }
  }

  /** Only folders right below `sandboxes/`: the control socket must not make us write elsewhere. */
  private checked(attemptDir: string): string {
    const folder = resolve(attemptDir);
    const expected = join(resolve(processFiles(this.options.dataDir).sandboxes), basename(folder));
    if (folder !== expected)
      throw new Failure(
        'InvalidInput',
        `${attemptDir} is not an attempt of ${this.options.dataDir}`,
      );
    return folder;
  }
}
