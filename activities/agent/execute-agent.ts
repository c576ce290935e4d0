import { ApplicationFailure } from '@temporalio/activity';
import { join } from 'node:path';
import { type AgentEnd } from '../../core/activity-contract';
import { Failure, FAILURE_TYPES } from '../../core/failure';
import { type ExitRecord } from '../../core/run';
import { type Heartbeat } from '../failure-mapping';
import { type GatewayControl, type GatewayLog } from '../gateway/port';
import { type HarnessFiles, type OurIntent } from '../harness/port';
import { readBelow } from '../sandbox/open-below';
import { type Sandbox, type SandboxEnd, type SandboxSpecification } from '../sandbox/port';
import { type ObjectStore } from '../store/port';
import { endOfRecord, NO_TRAFFIC, readAgentEnd, writeAgentEnd } from './agent-end';
import { type AttemptContext } from './attempt-context';
import { AttemptRecords } from './attempt-records';
import { watchExecution, type WatchedAttempt, type WatchTimings } from './execution-watch';
import { copyJournal } from './journal-copy';
import { type LaneLink } from './lane-link';
import { letGoIfSuperseded } from './let-go';
import {
  readPrepared,
  standardInputOf,
  TOKEN_FILE,
  type PreparedAttempt,
} from './prepare-workspace';

export interface ExecuteDeps {
  readonly store: ObjectStore;
  readonly sandbox: Sandbox;
  readonly gateway: GatewayControl;
  readonly watch?: WatchTimings;
  readonly lane?: LaneLink;
  readonly now: () => Date;
}

/** How long an exchange in flight may still take when the attempt is over. */
const CLOSE_GRACE_MS = 1_000;
const MAX_HOME_FILE_BYTES = 16 * 1024 ** 2;
const MAX_TOKEN_BYTES = 1_000;

/** How the agent's part ended, before it is interpreted. */
interface RawEnd {
  readonly exit: ExitRecord | undefined;
  readonly intent: OurIntent;
  readonly imageDigest?: string;
}

/** Starts the attempt's agent, or takes up the one that runs, or reads how it ended. */
export async function executeAgent(
  context: AttemptContext,
  deps: ExecuteDeps,
  heartbeat: Heartbeat,
): Promise<AgentEnd> {
  const records = new AttemptRecords(deps.store, context.reference.run);
  const recorded = await records.attempt(context.reference.attempt);
  if (recorded?.outcome === 'ended') return endOfRecord(recorded);
  if (recorded !== undefined)
    throw new Failure('Superseded', `the attempt is recorded as ${recorded.outcome} already`);
  const known = await readAgentEnd(context);
  if (known !== undefined) return known.end;
  const prepared = await readPrepared(context);
  if (prepared === undefined)
    throw new Failure(
      'SandboxLost',
      `the attempt's folder ${context.attemptId} is not on this host`,
    );
  await context.state.addOwner({ labels: context.labels, at: deps.now().toISOString() });
  return new Execution(context, deps, heartbeat, prepared, await context.state.raiseEpoch()).run();
}

class Execution {
  private readonly attemptDir: string;

  constructor(
    private readonly context: AttemptContext,
    private readonly deps: ExecuteDeps,
    private readonly heartbeat: Heartbeat,
    private readonly prepared: PreparedAttempt,
    private readonly epoch: number,
  ) {
    this.attemptDir = context.paths.attemptDir;
  }

  async run(): Promise<AgentEnd> {
    const { usesModel } = this.context.harness;
    if (usesModel) await this.openGateway();
    const raw = await this.whileJournalIsCopied(() =>
      this.context.harness.needsSandbox ? this.inSandbox() : this.inWorker(),
    );
    const log = usesModel ? await this.closeGateway(raw.intent) : undefined;
    throwOnTrouble(raw, log);
    return this.record(raw, log);
  }

  private async whileJournalIsCopied(work: () => Promise<RawEnd>): Promise<RawEnd> {
    const ended = new AbortController();
    // Not waited for at the end: a store that is slow just then must not hold the attempt up.
    if (this.context.harness.usesModel)
      void copyJournal(this.context, this.deps.store, ended.signal, (message) =>
        this.heartbeat.report({ journalNotCopied: message }),
      );
    try {
      return await work();
    } finally {
      ended.abort();
    }
  }

  private async openGateway(): Promise<void> {
    const { gateway } = this.deps;
    await gateway.ensureRunning();
    await gateway.renewLease(this.attemptDir);
    await gateway.open(this.attemptDir);
  }

  private async closeGateway(intent: OurIntent): Promise<GatewayLog> {
    const { gateway } = this.deps;
    const reason = intent === 'timeout' ? 'timeout' : 'closed';
    await gateway.ensureRunning();
    await gateway.close(this.attemptDir, reason, CLOSE_GRACE_MS);
    return gateway.readLog(this.attemptDir);
  }

  private async inSandbox(): Promise<RawEnd> {
    const { sandbox } = this.deps;
    const specification = this.specification();
    await sandbox.startOrAdopt(specification);
    const watching = new AbortController();
    const watchFailed = new AbortController();
    const watched = await this.watched();
    const watch = this.watchAndStop(watched, specification, watching.signal).catch(
      (error: unknown) => {
        watchFailed.abort(error);
      },
    );
    try {
      const signal = AbortSignal.any([this.heartbeat.signal, watchFailed.signal]);
      return await sandbox.wait(specification, signal);
    } catch (error) {
      if (this.heartbeat.stopCause() === 'cancel') await this.cancel(watched, specification);
      throw error;
    } finally {
      watching.abort();
      await watch;
    }
  }

  private async watchAndStop(
    watched: WatchedAttempt,
    specification: SandboxSpecification,
    signal: AbortSignal,
  ): Promise<void> {
    const reached = await watchExecution(watched, signal);
    if (reached === undefined) return;
    // The looks took a moment, and what they saw may be long ago.
    await letGoIfSuperseded(watched);
    this.heartbeat.report({ stopping: reached.detail });
    await this.deps.sandbox.stop(specification, reached.intent);
  }

  /** A person's wish, and only that, ends a sandbox. The record is the workflow's to write. */
  private async cancel(
    watched: WatchedAttempt,
    specification: SandboxSpecification,
  ): Promise<void> {
    await letGoIfSuperseded(watched);
    await this.deps.sandbox.stop(specification, 'cancelled');
    // Where the gateway cannot be reached now, whoever records the attempt closes it.
    await this.deps.gateway.close(this.attemptDir, 'closed', 0).catch(() => undefined);
  }

  private async inWorker(): Promise<RawEnd> {
    const { context, deps, heartbeat } = this;
    const { paths, plan, task, harness } = context;
    const reference = new Map<string, Uint8Array>();
    if (harness.identity.name === 'oracle')
      for (const file of task.reference)
        reference.set(file.path, await deps.store.getBlob('open', file.sha256));
    const token = await readBelow(paths.home, TOKEN_FILE, MAX_TOKEN_BYTES);
    const watching = new AbortController();
    const watch = harness.usesModel
      ? watchExecution(await this.watched(), watching.signal)
      : Promise.resolve(undefined);
    const limit = new AbortController();
    const reached = watch.finally(() => {
      if (!watching.signal.aborted) limit.abort();
    });
    reached.catch(() => undefined);
    try {
      await harness.deliver?.({
        workspace: paths.workspace,
        reference,
        gatewaySocket: join(paths.run, 'gateway.sock'),
        token: token?.toString() ?? '',
        signal: AbortSignal.any([heartbeat.signal, limit.signal]),
        limits: plan.limits,
      });
    } catch (error) {
      if (!limit.signal.aborted) throw error;
    } finally {
      watching.abort();
    }
    const found = await reached;
    return { exit: undefined, intent: found?.intent };
  }

  private async watched(): Promise<WatchedAttempt> {
    const { context, deps, epoch, prepared } = this;
    const started = await context.state.read('started');
    const reserved = await context.state.read('reserved');
    return {
      context,
      gateway: deps.gateway,
      ...(deps.lane !== undefined && context.harness.usesModel && { lane: deps.lane }),
      epoch,
      assertAwake: () => this.heartbeat.assertAwake(),
      disk: prepared.disk,
      startedAtMs: Date.parse(started?.at ?? reserved?.at ?? deps.now().toISOString()),
      timings: deps.watch ?? {},
      now: () => deps.now().getTime(),
      report: (facts) => this.heartbeat.report(facts),
    };
  }

  private specification(): SandboxSpecification {
    const { context, prepared } = this;
    const { image } = context.lane.harness;
    if (prepared.plan === undefined || image === undefined)
      throw new Failure('ConfigMissing', `harness ${context.lane.harness.name} names no image`);
    const standardInput = standardInputOf(prepared);
    return {
      attemptId: context.attemptId,
      attemptDir: this.attemptDir,
      labels: context.labels,
      image: `startupbench/${image.name}:${image.recipe.slice(0, 16)}`,
      command: prepared.plan.command,
      environment: prepared.plan.environment,
      ...(standardInput !== undefined && { standardInput }),
      limits: context.plan.limits,
    };
  }

  private async record(raw: RawEnd, log: GatewayLog | undefined): Promise<AgentEnd> {
    const { context } = this;
    const exit = raw.exit && withWorkingTime(raw.exit, log);
    const verdict = await context.harness.interpret(exit, raw.intent, await this.files(), log);
    const traffic = log?.traffic ?? NO_TRAFFIC;
    const recorded = await writeAgentEnd(context, {
      end: {
        stopReason: verdict.stopReason,
        ...(verdict.detail !== undefined && { stopDetail: verdict.detail }),
        steps: traffic.steps,
        costMicroUsd: traffic.costMicroUsd,
      },
      ...(exit !== undefined && { exit }),
      ...(raw.imageDigest !== undefined && { imageDigest: raw.imageDigest }),
      ...(verdict.nativeTranscript !== undefined && { nativeTranscript: verdict.nativeTranscript }),
      traffic,
    });
    return recorded.end;
  }

  private async files(): Promise<HarnessFiles> {
    const { home, supervisor } = this.context.paths;
    const log = async (name: string) =>
      (await readBelow(supervisor, name, MAX_HOME_FILE_BYTES))?.toString('utf8') ?? '';
    return {
      standardOutput: await log('stdout.log'),
      standardError: await log('stderr.log'),
      readHomeFile: (path) => readBelow(home, path, MAX_HOME_FILE_BYTES),
    };
  }
}

function withWorkingTime(exit: SandboxEnd['exit'], log: GatewayLog | undefined): ExitRecord {
  return { ...exit, workingTimeMs: Math.max(0, exit.durationMs - (log?.waitedMs ?? 0)) };
}

/**
 * When the provider's trouble ended the last exchange for good, the agent had no chance: that is no outcome, unless we
 * stopped it ourselves. Trying this activity again would only read the same end.
 */
function throwOnTrouble(raw: RawEnd, log: GatewayLog | undefined): void {
  const trouble = log?.trouble;
  if (trouble === undefined || raw.intent !== undefined) return;
  const type = FAILURE_TYPES.find((known) => known === trouble.type) ?? 'ProviderUnavailable';
  throw ApplicationFailure.nonRetryable(trouble.message, type);
}
